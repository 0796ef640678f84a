package io.nodeward.api.json.kubeconfig;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A program that gives credentials, as kubectl runs it.
 *
 * @param apiVersion that it is given and answers with
 * @param command program and arguments; one with a slash in its name is an absolute path
 * @param environment added to our own
 * @param info what it is given in {@code KUBERNETES_EXEC_INFO}: JSON
 */
public record ExecPlugin(String apiVersion, List<String> command, Map<String, String> environment, String info) {
    private static final List<String> VERSIONS =
            List.of("client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1");

    /** Never shows arguments or environment, which may hold credentials. */
    @Override
    public String toString() {
        return "ExecPlugin[" + command.getFirst() + "]";
    }

    static ExecPlugin read(Section exec, Section cluster, Path file) {
        String version = exec.given("apiVersion").orElse("");
        if (!VERSIONS.contains(version)) {
            throw new Defect("exec.apiVersion is none of " + VERSIONS);
        }
        if (exec.given("interactiveMode").filter("Always"::equals).isPresent()) {
            throw new Defect("exec.interactiveMode is Always, and nobody is there to answer");
        }
        String program = exec.given("command").orElseThrow(() -> new Defect("exec.command is missing"));
        List<String> command = new ArrayList<>();
        command.add(program.contains("/") ? AccessReader.resolved("exec.command", program, file).toString() : program);
        command.addAll(exec.texts("args"));
        Map<String, String> environment = new LinkedHashMap<>();
        exec.entries("env").forEach(entry -> environment.put(
                entry.given("name").orElseThrow(() -> new Defect("an entry of exec.env has no name")),
                entry.text("value").orElse("")));
        return new ExecPlugin(version, List.copyOf(command), environment, info(version, exec, cluster));
    }

    private static String info(String version, Section exec, Section cluster) {
        ObjectNode spec = JsonNodeFactory.instance.objectNode().put("interactive", false);
        if (exec.flag("provideClusterInfo")) {
            ObjectNode clusterInfo = spec.putObject("cluster");
            for (String field : List.of("server", "certificate-authority-data", "proxy-url")) {
                cluster.given(field).ifPresent(text -> clusterInfo.put(field, text));
            }
            clusterInfo.put("insecure-skip-tls-verify", cluster.flag("insecure-skip-tls-verify"));
            config(cluster, clusterInfo);
        }
        ObjectNode info = JsonNodeFactory.instance.objectNode();
        info.put("apiVersion", version).put("kind", "ExecCredential").set("spec", spec);
        return info.toString();
    }

    private static void config(Section cluster, ObjectNode clusterInfo) {
        for (Section extension : cluster.entries("extensions")) {
            if (extension.text("name").filter("client.authentication.k8s.io/exec"::equals).isPresent()) {
                clusterInfo.set("config", extension.fields().path("extension"));
            }
        }
    }
}
