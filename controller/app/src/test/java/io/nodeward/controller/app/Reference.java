package io.nodeward.controller.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nodeward.controller.app.KnownController.FeatureGate;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import picocli.CommandLine;

/** Text of generated pages. */
public final class Reference {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Reference() {}

    public static String flags() throws IOException {
        CommandLine command = Main.commandLine(new String[0]);
        command.setUsageHelpWidth(100);
        return "```\n" + command.getUsageMessage(CommandLine.Help.Ansi.OFF) + "```\n";
    }

    /** What the chart needs to know of gates and controllers. */
    public static String controllers() {
        StringBuilder text = new StringBuilder("# Written from the table of controllers.\nfeatureGates:\n");
        for (FeatureGate gate : FeatureGate.values()) {
            text.append("  %s: {stage: %s, default: %s}%n".formatted(gate, gate.stage(), gate.enabledByDefault()));
        }
        text.append("# Each of a controller's lists of gates is enough.\ncontrollers:\n");
        for (KnownController controller : KnownController.values()) {
            text.append("  ").append(controller.text()).append(": ").append(controller.needs()).append('\n');
        }
        return text.toString();
    }

    /** What a controller that has changed a Node serves, with all controllers that have metrics of their own. */
    public static String metrics() throws Exception {
        try (FakeApiServer server = FakeApiServer.start(Options.defaults()
                .withKind(webhooks("validatingwebhookconfigurations", "ValidatingWebhookConfiguration"))
                .withKind(webhooks("mutatingwebhookconfigurations", "MutatingWebhookConfiguration"))
                .withKind(clusterApi("machinedeployments", "MachineDeployment"))
                .withKind(clusterApi("machinesets", "MachineSet"))
                .withKind(Kind.custom("", List.of("v1"), "namespaces", "Namespace").clusterScoped())
                .withKind(Kind.custom("nodeward.io", List.of("v1alpha1"), "dedicatednodes", "DedicatedNodes")
                        .clusterScoped())
                .withKind(Kind.custom("nodeward.io", List.of("v1alpha1"), "devicetaintrules", "DeviceTaintRule")
                        .clusterScoped())
                .withKind(Kind.custom("nodeward.io", List.of("v1alpha1"), "devicetaintslices", "DeviceTaintSlice")
                        .clusterScoped())
                .withKind(Kind.custom("apps", List.of("v1"), "daemonsets", "DaemonSet"))
                .withKind(devices("deviceclasses", "DeviceClass").clusterScoped())
                .withKind(devices("resourceslices", "ResourceSlice").clusterScoped())
                .withKind(devices("resourceclaims", "ResourceClaim"))
                .withKind(devices("resourceclaimtemplates", "ResourceClaimTemplate")))) {
            Path kubeconfig = Files.createTempFile("kubeconfig", "");
            Files.writeString(kubeconfig, server.kubeconfig());
            populate(server);
            try (Nodeward nodeward = Nodeward.start(
                    "--kubeconfig=" + kubeconfig, "--health-address=127.0.0.1:0", "--metrics-address=127.0.0.1:0",
                    "--feature-gates=MachineTaintAdmission=true,AutoscalerAdapter=true,DedicatedNodes=true,"
                            + "DedicatedPodAdmission=true,DedicatedPodTolerations=true,DedicatedEvictions=true,DeviceTaints=true",
                    "--admission-address=127.0.0.1:0", "--dedicated-address=127.0.0.1:0",
                    "--cluster-servers=127.0.0.1", "--leader-election", "--leader-election-namespace=default")) {
                Awaitility.await()
                        .until(() -> server.get("nodes", "", "n").orElseThrow().at("/spec/taints").size() > 0
                                && scrape(nodeward.metricsPort()).contains("nodeward_dedicated_nodes")
                                && scrape(nodeward.metricsPort()).contains("nodeward_devices_selected")
                                && scrape(nodeward.metricsPort()).contains("nodeward_devices_taint_slice_pods"));
                return table(scrape(nodeward.metricsPort()));
            } finally {
                Files.delete(kubeconfig);
            }
        }
    }

    private static Kind webhooks(String plural, String name) {
        return Kind.custom("admissionregistration.k8s.io", List.of("v1"), plural, name).clusterScoped()
                .withStatus(false);
    }

    private static Kind devices(String plural, String name) {
        return Kind.custom("resource.k8s.io", List.of("v1"), plural, name);
    }

    private static Kind clusterApi(String plural, String name) {
        return Kind.custom("cluster.x-k8s.io", List.of("v1beta2"), plural, name);
    }

    private static void populate(FakeApiServer server) throws IOException {
        String value = Base64.getEncoder().encodeToString(server.kubeconfig().getBytes(StandardCharsets.UTF_8));
        server.create("clusters.cluster.x-k8s.io", json(
                "{'metadata':{'name':'c','namespace':'default'},'spec':{}}"));
        server.create("secrets", json("{'metadata':{'name':'c-kubeconfig','namespace':'default','labels':"
                + "{'cluster.x-k8s.io/cluster-name':'c'}},'type':'cluster.x-k8s.io/secret','data':{'value':'" + value
                + "'}}"));
        server.create("nodes", json("{'metadata':{'name':'n'},'spec':{'providerID':'p'}}"));
        server.create("devicetaintslices.nodeward.io", json("{'metadata':{'name':'s'},'spec':{'driver':'d.example.com',"
                + "'pool':'n','taints':[]}}"));
        server.create("dedicatednodes.nodeward.io", json("{'metadata':{'name':'g'},'spec':{'nodes':{'names':['n']},"
                + "'taint':{'key':'k','effects':['NoSchedule']}}}"));
        server.create("devicetaintrules.nodeward.io", json("{'metadata':{'name':'r'},'spec':{'taint':{'key':'k',"
                + "'effect':'None'}}}"));
        server.create("machines.cluster.x-k8s.io", json("{'metadata':{'name':'m','namespace':'default'},'spec':"
                + "{'clusterName':'c','providerID':'p','taints':[{'key':'k','effect':'NoSchedule','propagation':'Always'}]}}"));
    }

    private static JsonNode json(String text) throws IOException {
        return MAPPER.readTree(text.replace('\'', '"'));
    }

    private static String scrape(int port) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    private static String table(String scrape) {
        TreeMap<String, String> rows = new TreeMap<>();
        scrape.lines().filter(line -> line.startsWith("# HELP ")).forEach(line -> {
            String[] words = line.substring("# HELP ".length()).split(" ", 2);
            rows.put(words[0], words.length > 1 ? words[1] : "");
        });
        rows.keySet()
                .removeIf(name -> name.startsWith("jvm_") || name.startsWith("system_") || name.startsWith("process_")
                        || name.endsWith("_max"));
        return rows.entrySet().stream()
                .map(row -> "| `" + row.getKey() + "` | " + row.getValue() + " |\n")
                .collect(Collectors.joining("", "| metric | is |\n|---|---|\n", ""));
    }
}
