package io.nodeward.e2e.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.core.rules.command.ResourceTypes;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.ControlPlane;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The command reads type names without asking a server, so its list has to hold what servers of each release have. */
class BuiltInTypesTest {
    private final AdminClient admin = ControlPlane.shared().admin();

    @Test
    void every_type_that_the_server_has_by_itself_is_known_by_both_of_its_names() {
        List<JsonNode> resources = new ArrayList<>(resources("/api/v1"));
        for (JsonNode group : admin.get("/apis").path("groups")) {
            if (isBuiltIn(group.path("name").asText())) {
                group.path("versions").forEach(version -> resources.addAll(
                        resources("/apis/" + version.path("groupVersion").asText())));
            }
        }
        assertThat(resources).hasSizeGreaterThan(60);
        assertThat(
                resources.stream().filter(resource -> !isKnown(resource, "name") || !isKnown(resource, "singularName"))
                        .map(resource -> resource.path("kind").asText()))
                .isEmpty();
    }

    private static boolean isKnown(JsonNode resource, String name) {
        Optional<String> kind = ResourceTypes.builtIn().kind(resource.path(name).asText());
        return kind.equals(Optional.of(resource.path("kind").asText()));
    }

    private List<JsonNode> resources(String groupVersion) {
        return admin.get(groupVersion).path("resources").valueStream()
                .filter(resource -> !resource.path("name").asText().contains("/")).toList();
    }

    // CRDs that other suites of this JVM have installed are in groups with a domain of their own.
    private static boolean isBuiltIn(String group) {
        return !group.contains(".") || group.endsWith(".k8s.io") && !group.endsWith("x-k8s.io");
    }
}
