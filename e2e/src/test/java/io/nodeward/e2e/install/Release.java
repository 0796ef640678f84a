package io.nodeward.e2e.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.Command;
import io.nodeward.e2e.controlplane.Component;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.machine.RunningNodeward;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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

    /** The controller as its Deployment says, but on addresses of this machine. */
    RunningNodeward start() {
        JsonNode pod = controlPlane.admin().get("/apis/apps/v1/namespaces/" + namespace + "/deployments/nodeward")
                .at("/spec/template/spec");
        List<String> arguments = new ArrayList<>(
                List.of("--admission-address=127.0.0.1:0", "--dedicated-address=127.0.0.1:0"));
        pod.at("/containers/0/args").forEach(argument -> arguments.add(argument.asText()));
        return RunningNodeward.start(account(pod), arguments.toArray(String[]::new));
    }

    /** A kubeconfig of the ServiceAccount of a pod. */
    Path account(JsonNode podSpec) {
        return controlPlane.file(
                controlPlane.kubeconfigForServiceAccount(namespace, podSpec.path("serviceAccountName").asText()));
    }
}
