package io.nodeward.e2e.crd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ClusterApiRelease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The schemas in the command are those of the release of Cluster API that Nodeward is developed beside, as far as they are read. */
class ShippedSchemasTest {
    private static final Path FILE =
            Path.of("..", "cli", "src", "main", "resources", "io", "nodeward", "cli", "validate",
                    "cluster-api-crds.json");
    private static final String TO_WRITE = FILE + " is not what Cluster API has:"
            + " mvn test -pl e2e -am -Donly=e2e -Dtest=ShippedSchemasTest -Dnodeward.docs=write";
    private static final Set<String> GROUPS = Set.of("cluster.x-k8s.io", "controlplane.cluster.x-k8s.io");
    private static final List<String> KEYWORDS = List.of("type", "format", "nullable", "enum", "minimum", "maximum",
            "x-kubernetes-preserve-unknown-fields", "x-kubernetes-int-or-string", "x-kubernetes-embedded-resource",
            "x-kubernetes-list-type",
            "x-kubernetes-list-map-keys", "x-kubernetes-map-type");
    /** Large, and not about Nodes. */
    private static final String KUBEADM = "kubeadmConfigSpec";

    @Test
    void the_command_has_the_schemas_of_cluster_api() throws IOException {
        String expected = file();
        if ("write".equals(System.getProperty("nodeward.docs"))) {
            Files.writeString(FILE, expected);
        }
        assertThat(Files.exists(FILE) ? Files.readString(FILE) : "").as(TO_WRITE).isEqualTo(expected);
    }

    /** Returns a line for each CRD. */
    private static String file() {
        return Stream.concat(ClusterApiCrds.published().stream(), ClusterApiCrds.kubeadmControlPlane().stream())
                .map(crd -> crd.path("spec")).filter(crd -> GROUPS.contains(crd.path("group").asText()))
                .map(crd -> trimmed(crd).toString()).collect(Collectors.joining(",\n",
                        "{\"release\":\"Cluster API " + ClusterApiRelease.LATEST.version() + "\",\"crds\":[\n",
                        "\n]}\n"));
    }

    private static ObjectNode trimmed(JsonNode crd) {
        ObjectNode trimmed = JsonNodeFactory.instance.objectNode().put("group", crd.path("group").asText());
        trimmed.putObject("names").put("kind", crd.at("/names/kind").asText());
        ArrayNode versions = trimmed.putArray("versions");
        crd.path("versions").valueStream().filter(version -> version.path("served").asBoolean()).forEach(version -> {
            ObjectNode one = versions.addObject().put("name", version.path("name").asText()).put("served", true);
            JsonNode replicas = version.at("/subresources/scale/specReplicasPath");
            if (replicas.isTextual()) {
                one.putObject("subresources").putObject("scale").set("specReplicasPath", replicas);
            }
            ObjectNode schema = schema(version.at("/schema/openAPIV3Schema"));
            schema.withObject("/properties").remove(List.of("apiVersion", "kind", "metadata", "status"));
            one.putObject("schema").set("openAPIV3Schema", schema);
        });
        return trimmed;
    }

    private static ObjectNode schema(JsonNode full) {
        ObjectNode schema = ((ObjectNode) full).deepCopy().retain(KEYWORDS);
        for (String nested : List.of("items", "additionalProperties")) {
            if (full.has(nested)) {
                schema.set(nested, full.path(nested).isObject() ? schema(full.path(nested)) : full.path(nested));
            }
        }
        if (full.has("properties")) {
            ObjectNode properties = schema.putObject("properties");
            full.path("properties").properties().forEach(field -> properties.set(field.getKey(),
                    field.getKey().equals(KUBEADM) ? open() : schema(field.getValue())));
        }
        return schema;
    }

    private static ObjectNode open() {
        return JsonNodeFactory.instance.objectNode().put("type", "object")
                .put("x-kubernetes-preserve-unknown-fields", true);
    }
}
