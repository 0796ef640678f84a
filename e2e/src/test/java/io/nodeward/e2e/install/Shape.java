package io.nodeward.e2e.install;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A way to install the chart, and the RBAC files of the controllers that run then. */
enum Shape {
    /** A management cluster, with no values at all. */
    DEFAULTS(List.of(), "app/leader-election", "app/namespace", "machine/management"),
    HOME(List.of("mutatingwebhookconfigurations nodeward-dedicated", "secrets nodeward-dedicated",
            "validatingwebhookconfigurations nodeward-dedicated"), "app/leader-election", "app/namespace",
            "dedicated/admission", "dedicated/home", "dedicated/namespace", "dedicated/tolerations",
            "devices/home"),
    ALL(List.of("mutatingwebhookconfigurations nodeward-dedicated", "secrets nodeward-admission",
            "secrets nodeward-dedicated", "validatingadmissionpolicies nodeward-admission-gate",
            "validatingadmissionpolicies nodeward-admission-invalid",
            "validatingadmissionpolicies nodeward-admission-lifecycle",
            "validatingadmissionpolicybindings nodeward-admission-gate",
            "validatingadmissionpolicybindings nodeward-admission-invalid",
            "validatingadmissionpolicybindings nodeward-admission-lifecycle",
            "validatingwebhookconfigurations nodeward-admission", "validatingwebhookconfigurations nodeward-dedicated"),
            "admission/management", "admission/namespace", "app/debug", "app/leader-election", "app/namespace",
            "autoscaler/management", "dedicated/admission", "dedicated/home", "dedicated/namespace",
            "dedicated/tolerations", "devices/home", "guard/home",
            "machine/management", "machinepool/management", "topology/management", "topology/providers"),
    ADMISSION(List.of("secrets nodeward-admission", "validatingadmissionpolicies nodeward-admission-gate",
            "validatingadmissionpolicies nodeward-admission-invalid",
            "validatingadmissionpolicies nodeward-admission-lifecycle",
            "validatingadmissionpolicybindings nodeward-admission-gate",
            "validatingadmissionpolicybindings nodeward-admission-invalid",
            "validatingadmissionpolicybindings nodeward-admission-lifecycle",
            "validatingwebhookconfigurations nodeward-admission"),
            "admission/management", "admission/namespace", "app/leader-election", "app/namespace");

    static final Path CHART = Path.of("..", "deploy", "chart").toAbsolutePath().normalize();

    /** As {@code CONTROLLER/FILE}, without the ending. */
    final List<String> roles;

    /** What its webhook controllers make, as {@code KIND NAME}. */
    final List<String> registered;

    Shape(List<String> registered, String... roles) {
        this.registered = registered;
        this.roles = List.of(roles);
    }

    /** The RBAC files of controllers, as {@code CONTROLLER/FILE}. */
    static List<JsonNode> files(List<String> roles) throws IOException {
        List<JsonNode> files = new ArrayList<>();
        for (String role : roles) {
            String controller = role.substring(0, role.indexOf('/'));
            Path module = controller.equals("autoscaler") ? Path.of("..", "autoscaler-adapter")
                    : Path.of("..", "controller", controller);
            String name = role.substring(role.indexOf('/') + 1) + ".yaml";
            files.addAll(Json.yaml(Files.readString(module.resolve("src/main/rbac").resolve(name))));
        }
        return files;
    }

    /** Name of the release and of its namespace. */
    String release() {
        return "nodeward-" + name().toLowerCase(Locale.ROOT);
    }

    /** For a command of Helm that takes values. */
    String[] with(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        if (this != DEFAULTS) {
            all.addAll(
                    List.of("--values", CHART.resolve("ci/" + name().toLowerCase(Locale.ROOT) + ".yaml").toString()));
        }
        return all.toArray(String[]::new);
    }
}
