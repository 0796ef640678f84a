package io.nodeward.e2e.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.core.testkit.Relay;
import io.nodeward.e2e.clusters.MortalToken;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Kubeconfig;
import io.nodeward.e2e.controlplane.Kubectl;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.controlplane.NodeSpec;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.image.BuiltImage;
import io.nodeward.e2e.image.Container;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.Taints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code helm install}, in a namespace that restricts pods: kube-controller-manager makes two Pods, and the image runs as each Pod says.
 * Scheduler, kubelet and the way to a Service are this test.
 */
@Tag("deep")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RealInstallTest {
    private static final String NAMESPACE = "nodeward-system";
    private static final String CORE = "/api/v1/namespaces/" + NAMESPACE;
    private static final String TOKEN = "first-token";

    private final ControlPlane controlPlane = ControlPlane.start(
            Options.standard().withApiServerFlags("--enable-aggregator-routing=true"));
    private final AdminClient admin = controlPlane.admin();
    private final Kubectl kubectl = controlPlane.kubectl();
    private final Fleet fleet = Fleet.in(admin, "default");
    private final List<AutoCloseable> parts = new ArrayList<>();
    private Relay service;
    private MortalToken token;
    private final List<Running> pods = new ArrayList<>();

    /** A Pod whose container runs. */
    private record Running(Kubelet kubelet, Process process) {}

    @BeforeAll
    void install(@TempDir Path directory) throws Exception {
        ClusterApiCrds.install(admin);
        Path authority = Files.writeString(directory.resolve("ca.crt"), controlPlane.adminKubeconfig().caPem());
        parts.add(controlPlane.controllerManager(List.of("deployment-controller", "replicaset-controller",
                "endpointslice-controller", "root-ca-certificate-publisher-controller"),
                "--root-ca-file=" + authority));
        admin.create("/api/v1/namespaces", Json.tree(Map.of("metadata", Map.of("name", NAMESPACE,
                "labels", Map.of("pod-security.kubernetes.io/enforce", "restricted")))));
        controlPlane.helm().run("install", "nodeward", Shape.CHART.toString(), "--namespace", NAMESPACE,
                "--set", "featureGates.MachineTaintAdmission=true").orThrow("helm install");
        JsonNode created = soon().until(() -> admin.get(CORE + "/pods").path("items"), items -> items.size() == 2);
        soon().until(() -> admin.find(CORE + "/configmaps/kube-root-ca.crt").isPresent());
        JsonNode kubernetes = admin.get("/api/v1/namespaces/default/services/kubernetes").path("spec");
        String address = kubernetes.path("clusterIP").asText();
        int port = kubernetes.at("/ports/0/port").asInt();
        List<PodNetwork> networks =
                List.of(PodNetwork.withWayTo(0, address), PodNetwork.withWayTo(1, address));
        parts.addAll(networks);
        service = Relay.to(controlPlane.adminKubeconfig().server(), address, port);
        parts.add(service);
        fleet.cluster("c", workload().through(service));
        fleet.node(NodeSpec.named("host"));
        token = mortalToken(created.at("/0/spec/serviceAccountName").asText());
        for (int i = 0; i < 2; i++) {
            start(schedule(created.at("/" + i + "/metadata/name").asText()), networks.get(i),
                    Files.createDirectory(directory.resolve("pod-" + i)),
                    Map.of("KUBERNETES_SERVICE_HOST", address, "KUBERNETES_SERVICE_PORT", Integer.toString(port)));
        }
    }

    private void start(JsonNode pod, PodNetwork network, Path directory, Map<String, String> services)
            throws IOException, InterruptedException {
        Kubelet kubelet = new Kubelet(admin, pod, directory);
        Process process = kubelet.start(BuiltImage.shared().unpacked(), network,
                ((Kubeconfig.Token) token.kubeconfig().credentials()).value(), services);
        parts.add(() -> Container.kill(process));
        pods.add(new Running(kubelet, process));
    }

    private JsonNode schedule(String pod) {
        admin.create(CORE + "/pods/" + pod + "/binding", Json.tree(Map.of("apiVersion", "v1", "kind", "Binding",
                "metadata", Map.of("name", pod), "target",
                Map.of("apiVersion", "v1", "kind", "Node", "name", "host"))));
        return admin.get(CORE + "/pods/" + pod);
    }

    private MortalToken mortalToken(String account) {
        admin.create(CORE + "/secrets", Json.tree(Map.of("metadata", Map.of("name", TOKEN))));
        return new MortalToken(admin, CORE + "/secrets/" + TOKEN,
                controlPlane.kubeconfigBoundToSecret(NAMESPACE, account, TOKEN));
    }

    private Kubeconfig workload() throws IOException {
        kubectl.apply(Files.readString(Path.of("..", "controller", "machine", "src", "main", "rbac", "workload.yaml")));
        kubectl.run("create", "serviceaccount", "workload").orThrow("create serviceaccount");
        kubectl.run("create", "clusterrolebinding", "workload", "--clusterrole=nodeward-machine-workload",
                "--serviceaccount=default:workload").orThrow("create clusterrolebinding");
        return controlPlane.kubeconfigForServiceAccount("default", "workload");
    }

    @AfterAll
    void stop() throws Exception {
        for (AutoCloseable part : parts.reversed()) {
            part.close();
        }
        controlPlane.close();
    }

    @Test
    @Order(1)
    void their_probes_succeed_and_the_deployment_is_available() throws IOException {
        for (Running pod : pods) {
            awaitReady(pod);
        }
        kubectl.run("rollout", "status", "deployment/nodeward", "--namespace", NAMESPACE, "--timeout=60s")
                .orThrow("rollout status");
        assertThat(pods).allSatisfy(pod -> {
            long controller = pod.process().children().findFirst().orElseThrow().pid();
            assertThat(Path.of("/proc", Long.toString(controller), "status")).content().contains(
                    "Uid:\t65532\t65532\t65532\t65532\n", "Gid:\t65532\t65532\t65532\t65532\n", "NoNewPrivs:\t1\n",
                    "CapEff:\t0000000000000000\n");
        });
    }

    private static void awaitReady(Running pod) throws IOException {
        try {
            for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
                pod.kubelet().awaitProbe(probe, pod.process());
            }
        } catch (Throwable e) {
            throw new AssertionError(e.getMessage() + "\n" + Files.readString(pod.kubelet().log()), e);
        }
        pod.kubelet().reportReady();
    }

    @Test
    @Order(2)
    void a_node_is_tainted() {
        fleet.pair(MachineSpec.named("tainted", "c").withTaint("example.com/a", "1", "NoSchedule", "Always"));
        awaitTaint("tainted", "example.com/a=1:NoSchedule");
    }

    /** With new connections, as those that stand are not asked who they are again. */
    @Test
    @Order(3)
    void their_tokens_are_renewed_while_they_run() throws IOException {
        for (Running pod : pods) {
            pod.kubelet().renewToken();
        }
        token.end();
        service.cut();
        fleet.pair(MachineSpec.named("later", "c").withTaint("example.com/b", "2", "NoSchedule", "Always"));
        awaitTaint("later", "example.com/b=2:NoSchedule");
    }

    @Test
    @Order(4)
    void the_api_server_calls_their_webhook_by_the_service() {
        JsonNode client = soon().until(() -> admin.find("/apis/admissionregistration.k8s.io/v1/"
                + "validatingwebhookconfigurations/nodeward-admission"), found -> found.isPresent()).orElseThrow()
                .at("/webhooks/0/clientConfig");
        assertThat(client.at("/service/name").asText()).isEqualTo("nodeward");
        assertThat(client.at("/service/namespace").asText()).isEqualTo(NAMESPACE);
        List<String> attempts = new ArrayList<>();
        soon().untilAsserted(() -> {
            attempts.add("refused-" + attempts.size());
            assertThat(create(attempts.getLast())).contains("machine-taints.nodeward.io",
                    "managed by Cluster API itself");
        });
    }

    private String create(String machine) {
        try {
            return fleet.machine(MachineSpec.named(machine, "c").standingAlone()
                    .withTaint("node.cluster.x-k8s.io/uninitialized", "1", "NoSchedule", "Always")).toString();
        } catch (AdminClient.RefusedException e) {
            return e.getMessage();
        }
    }

    @Test
    @Order(5)
    void one_ends_in_time_and_the_other_goes_on() throws InterruptedException {
        assertThat(stop(pods.getFirst())).isEqualTo(143);
        fleet.pair(MachineSpec.named("last", "c").withTaint("example.com/c", "3", "NoSchedule", "Always"));
        awaitTaint("last", "example.com/c=3:NoSchedule");
        assertThat(stop(pods.getLast())).isEqualTo(143);
        assertThat(admin.get("/apis/coordination.k8s.io/v1/namespaces/" + NAMESPACE + "/leases/nodeward")
                .at("/spec/holderIdentity").asText()).isEmpty();
    }

    private static int stop(Running pod) throws InterruptedException {
        return pod.kubelet().stop(pod.process());
    }

    private void awaitTaint(String node, String taint) {
        soon().untilAsserted(() -> assertThat(Taints.on(admin.get(Fleet.nodePath(node)))).contains(taint));
    }

    private static ConditionFactory soon() {
        return await().atMost(MachineSuite.PATIENCE);
    }
}
