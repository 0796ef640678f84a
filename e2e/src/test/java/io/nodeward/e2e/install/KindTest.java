package io.nodeward.e2e.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Command;
import io.nodeward.e2e.controlplane.Component;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.LoggedProcess;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.NodeSpec;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.launcher.Shell;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import io.nodeward.e2e.machine.Taints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code ./nodeward kind} where neither kind nor a container engine is: a program of that name hands out the kubeconfig of a real
 * control plane. The image, Helm and kubectl are real. Left out: the Pods, in place of which controllers run in this JVM as
 * their ServiceAccount and with their arguments; that kind can load the archive; and the suites, of which the call alone is looked at.
 */
class KindTest {
    private static final String NAMESPACE = "nodeward-system";
    private static final String NAMESPACE_OF_MACHINE = "/api/v1/namespaces/nodeward-kind";
    private static final String PODS = "/api/v1/namespaces/" + NAMESPACE + "/pods";
    private static final String KIND = """
            #!/bin/bash
            cd "${0%/*}"
            echo "kind $*" >>calls
            case $* in
              'get clusters') cat clusters ;;
              'create cluster '*|'export kubeconfig '*) cat kubeconfig >"$6" ;;
              'load image-archive '*) tar -tf "$3" manifest.json ;;
              'get kubeconfig '*) cat kubeconfig ;;
              'delete cluster '*) ;;
              *) exit 64 ;;
            esac
            """;
    private static final String MAVEN = """
            #!/bin/bash
            cd "${0%/*}"
            cmp "$NODEWARD_E2E_KUBECONFIG" kubeconfig || exit 65
            echo "mvn $*" >>calls
            """;

    @TempDir
    private Path directory;

    @Test
    void all_that_is_missing_is_named_at_once_with_where_to_get_it() throws IOException {
        for (String program : List.of("bash", "dirname", "cat")) {
            Files.createSymbolicLink(directory.resolve(program), Path.of("/bin", program));
        }
        program("kubectl", "");
        Command.Result result = kind(directory.toString());
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("kind (https://", "helm (https://", "mvn (https://",
                "a container engine: docker, podman or nerdctl (https://").doesNotContain("kubectl (");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--nmae=x", "--name", "--name=-x", "--name=A b"})
    void wrong_usage_starts_nothing(String argument) throws IOException {
        stubs("");
        Command.Result result = kind(path(), argument);
        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.err()).contains("--help");
        assertThat(directory.resolve("calls")).doesNotExist();
    }

    @Test
    void what_fails_is_shown_and_ends_it_with_its_exit_code() throws IOException {
        stubs("");
        program("kind", "#!/bin/bash\necho no engine answers >&2\nexit 7\n");
        Command.Result result = kind(path());
        assertThat(result.exit()).isEqualTo(7);
        assertThat(result.err()).contains("no engine answers\n", "'kind get clusters' ended with 7")
                .doesNotContain("stays");
    }

    @Test
    void a_cluster_that_is_there_is_used_and_stays_when_something_fails() throws IOException {
        stubs("");
        program("git", "#!/bin/bash\nexit 1\n"); // the image cannot be built without it
        Command.Result result = kind(path(), "--name=try-2");
        assertThat(result.exit()).as(result.err()).isEqualTo(1);
        String folder = directory.resolve("cache/nodeward/kind-try-2").toString();
        assertThat(result.err()).contains("needs git", "image --output " + folder + "' ended with 1",
                "the cluster try-2 stays", "kind delete cluster --name try-2 && rm -r " + folder + "\n");
        assertThat(directory.resolve("calls")).hasContent("""
                kind get clusters
                kind export kubeconfig --name try-2 --kubeconfig %s/kubeconfig
                """.formatted(folder));
    }

    @Tag("deep")
    @Test
    void a_new_cluster_gets_an_image_a_release_and_a_taint_and_is_deleted() throws Exception {
        try (ControlPlane controlPlane = ControlPlane.start(Options.standard());
                Fleet fleet = Fleet.in(controlPlane.admin(), "default");
                LoggedProcess manager =
                        controlPlane.controllerManager(List.of("deployment-controller", "replicaset-controller"))) {
            programsFor(controlPlane);
            fleet.node(NodeSpec.named("try-control-plane"));
            // Of its own: what runs in the common pool keeps the HTTP client of this process from reading.
            CompletableFuture<List<RunningNodeward>> pods = CompletableFuture.supplyAsync(
                    () -> runPods(controlPlane), task -> Thread.ofPlatform().start(task));
            Command.Result result = kind(path(), "--name", "try");
            pods.getNow(null); // what it failed for, if it did, is why the rollout did not end
            assertThat(result.exit()).as(result.err() + result.out() + manager.tail()).isZero();
            pods.join().forEach(RunningNodeward::close);
            assertThat(result.err()).contains("has tainted try-control-plane", "has taken the taint off again",
                    "all passed").doesNotContain("stays");
            assertThat(Taints.on(controlPlane.admin().get(Fleet.nodePath("try-control-plane"))))
                    .doesNotContain("example.com/nodeward-kind:PreferNoSchedule");
            assertThat(controlPlane.admin().get(NAMESPACE_OF_MACHINE).at("/metadata/deletionTimestamp").asText())
                    .isNotEmpty();
            assertThat(controlPlane.admin().get(NAMESPACE_OF_MACHINE + "/secrets").path("items")).isEmpty();
        }
        assertCalled(directory.resolve("cache/nodeward/kind-try"));
    }

    private void assertCalled(Path folder) {
        assertThat(folder).as("it had credentials").doesNotExist();
        assertThat(directory.resolve("calls")).hasContent("""
                kind get clusters
                kind create cluster --name try --kubeconfig %1$s/kubeconfig --wait 180s
                kind load image-archive %1$s/nodeward-docker.tar --name try
                kind get kubeconfig --name try --internal
                mvn -B -q -f %2$s/pom.xml verify -pl e2e -am -Donly=e2e \
                -Dtest=KubeApiServerTest,Fabric8OnKubeApiServerTest,OfficialOnKubeApiServerTest
                kind delete cluster --name try --kubeconfig %1$s/kubeconfig
                """.formatted(folder, Shell.root()));
    }

    /** Does what scheduler and kubelet do about the Pods, as far as others see it. */
    private List<RunningNodeward> runPods(ControlPlane controlPlane) {
        JsonNode pods = await().atMost(MachineSuite.PATIENCE.multipliedBy(5)).until(
                () -> controlPlane.admin().send("GET", PODS, AdminClient.JSON, "").body().path("items"),
                items -> items.size() == 2);
        return pods.valueStream().map(pod -> runPod(controlPlane, pod)).toList();
    }

    private RunningNodeward runPod(ControlPlane controlPlane, JsonNode pod) {
        assertThat(pod.at("/spec/containers/0/image").asText()).matches("nodeward:\\d+\\.\\d+\\.\\d+.*");
        assertThat(pod.at("/spec/containers/0/imagePullPolicy").asText()).isEqualTo("Never");
        assertThat(pod.at("/metadata/annotations/archive").asText()).hasSize(64);
        List<String> arguments = new ArrayList<>();
        pod.at("/spec/containers/0/args").forEach(argument -> arguments.add(argument.asText()));
        RunningNodeward running = RunningNodeward.start(controlPlane.file(controlPlane.kubeconfigForServiceAccount(
                NAMESPACE, pod.at("/spec/serviceAccountName").asText())), arguments.toArray(String[]::new));
        new Kubelet(controlPlane.admin(), pod, directory).reportReady();
        return running;
    }

    private void stubs(String kubeconfig) throws IOException {
        Files.writeString(directory.resolve("kubeconfig"), kubeconfig);
        Files.writeString(directory.resolve("clusters"), "another\ntry-2\n");
        program("kind", KIND);
        program("mvn", MAVEN);
        for (String other : List.of("docker", "helm", "kubectl")) {
            program(other, "");
        }
    }

    private void program(String name, String text) throws IOException {
        assertThat(Files.writeString(directory.resolve(name), text).toFile().setExecutable(true)).isTrue();
    }

    private void programsFor(ControlPlane controlPlane) throws IOException {
        stubs(Files.readString(controlPlane.file(controlPlane.adminKubeconfig())));
        link("kubectl", controlPlane, Component.KUBECTL);
        link("helm", controlPlane, Component.HELM);
    }

    private void link(String name, ControlPlane controlPlane, Component component) throws IOException {
        Files.delete(directory.resolve(name));
        Files.createSymbolicLink(directory.resolve(name), controlPlane.binaries().path(component));
    }

    private String path() {
        return directory + ":" + System.getenv("PATH");
    }

    private Command.Result kind(String path, String... arguments) {
        List<String> words = new ArrayList<>(List.of("/usr/bin/env", "-u", "JAVA_TOOL_OPTIONS", "NODEWARD_NO_BUILD=yes",
                "PATH=" + path, "HOME=" + directory, "XDG_CACHE_HOME=" + directory.resolve("cache"),
                Shell.root().resolve("nodeward").toString(), "kind"));
        words.addAll(List.of(arguments));
        return Command.run(directory, words);
    }
}
