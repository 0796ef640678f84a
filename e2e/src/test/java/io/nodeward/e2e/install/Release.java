package io.nodeward.e2e.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.controller.app.Main;
import io.nodeward.e2e.controlplane.Command;
import io.nodeward.e2e.controlplane.Component;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.launcher.Shell;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The release of the guide's commands, by one of Helm's versions.
 *
 * @param namespace in the place of that in the guide
 */
record Release(ControlPlane controlPlane, Component helm, String namespace) {
    static final Path GUIDE = Path.of("..", "docs", "guide", "install.md");
    private static final String IN_GUIDE = "nodeward-system";

    /** Types a command of the guide, with more words at its end. */
    Command.Result typed(String command, String... more) {
        assertThat(GUIDE).content().contains("\n    " + command);
        List<String> words = new ArrayList<>(List.of(command.replace(IN_GUIDE, namespace).split(" ")));
        assertThat(words.removeFirst()).isEqualTo("helm");
        words.replaceAll(word -> word.replaceFirst("^deploy/chart", Shape.CHART.toString()));
        words.addAll(List.of(more));
        return controlPlane.helm(helm).run(words.toArray(String[]::new));
    }

    /** As {@link #typed}, in a thread of its own: what runs in the common pool keeps the HTTP client of this process from reading. */
    CompletableFuture<Command.Result> typing(String command) {
        return CompletableFuture.supplyAsync(() -> typed(command), helm -> Thread.ofPlatform().start(helm));
    }

    /** The controller as its Deployment says, but on addresses of this machine. */
    RunningNodeward start() {
        return start("nodeward");
    }

    /** Of the release of this name. */
    RunningNodeward start(String name) {
        return start(controlPlane.admin().get("/apis/apps/v1/namespaces/" + namespace + "/deployments/" + name)
                .at("/spec/template/spec"));
    }

    /** As a pod says. */
    RunningNodeward start(JsonNode podSpec) {
        List<String> arguments = new ArrayList<>(
                List.of("--admission-address=127.0.0.1:0", "--dedicated-address=127.0.0.1:0"));
        podSpec.at("/containers/0/args").forEach(argument -> arguments.add(argument.asText()));
        return RunningNodeward.start(account(podSpec), arguments.toArray(String[]::new));
    }

    /** A kubeconfig of the ServiceAccount of a pod. */
    Path account(JsonNode podSpec) {
        return controlPlane.file(
                controlPlane.kubeconfigForServiceAccount(namespace, podSpec.path("serviceAccountName").asText()));
    }

    /** Of a Job that Helm creates. */
    JsonNode podOf(String job) {
        await("the Job").atMost(MachineSuite.PATIENCE).until(() -> controlPlane.admin().find(job).isPresent());
        String uid = controlPlane.admin().get(job).at("/metadata/uid").asText();
        await("its pod").atMost(MachineSuite.PATIENCE).until(() -> labelled(uid).size() == 1);
        return labelled(uid).getFirst();
    }

    private List<JsonNode> labelled(String job) {
        List<JsonNode> pods = new ArrayList<>();
        controlPlane.admin().get(pods() + "?labelSelector=batch.kubernetes.io%2Fcontroller-uid%3D" + job).path("items")
                .forEach(pods::add);
        return pods;
    }

    /** As a kubelet: what the image starts, with the arguments, environment and ServiceAccount of the pod. */
    String run(JsonNode pod) throws Exception {
        JsonNode container = pod.at("/spec/containers/0");
        assertThat(container.has("command")).isFalse();
        assertThat(container.has("env")).isFalse();
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), Main.class.getName()));
        container.path("args").forEach(argument -> words.add(argument.asText()));
        return Shell.run(Map.of("KUBECONFIG", account(pod.path("spec")).toString()),
                words.toArray(String[]::new));
    }

    void end(JsonNode pod) {
        controlPlane.admin().mergePatch(pods() + "/" + pod.at("/metadata/name").asText() + "/status",
                "{\"status\":{\"phase\":\"Succeeded\"}}");
    }

    private String pods() {
        return "/api/v1/namespaces/" + namespace + "/pods";
    }
}
