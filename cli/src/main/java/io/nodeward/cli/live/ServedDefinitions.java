package io.nodeward.cli.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The kinds of a group on a server, as CRDs, from its discovery and its OpenAPI: every user may read those, and few may read CRDs. */
public final class ServedDefinitions {
    private ServedDefinitions() {}

    /** @param versions those whose schemas are needed */
    public static List<ObjectNode> of(LiveCluster server, String group, Set<String> versions) {
        Map<String, ObjectNode> crds = new TreeMap<>();
        for (JsonNode served : server.discovered("/apis/" + group).path("versions")) {
            String version = served.path("version").asText();
            String path = "/apis/" + group + "/" + version;
            JsonNode openApi = versions.contains(version) ? openApi(server, path) : MissingNode.getInstance();
            for (JsonNode resource : server.discovered(path).path("resources")) {
                String plural = resource.path("name").asText();
                String kind = resource.path("kind").asText();
                if (!plural.contains("/")) { // as a subresource has
                    ObjectNode crd = crds.computeIfAbsent(kind, any -> crd(group, kind, plural));
                    version(crd.withArray("/spec/versions").addObject(), version,
                            schema(openApi, group, version, kind),
                            openApi.path("paths").has(path + "/namespaces/{namespace}/" + plural + "/{name}/scale"));
                }
            }
        }
        return List.copyOf(crds.values());
    }

    private static ObjectNode crd(String group, String kind, String plural) {
        ObjectNode crd = JsonNodeFactory.instance.objectNode()
                .put("apiVersion", "apiextensions.k8s.io/v1").put("kind", "CustomResourceDefinition");
        crd.putObject("metadata").put("name", plural + "." + group);
        crd.putObject("spec").put("group", group).putObject("names").put("kind", kind);
        return crd;
    }

    /** @param scaled whether the server has the subresource scale, which all kinds of Cluster API have for the same field */
    private static void version(ObjectNode version, String name, Optional<JsonNode> schema, boolean scaled) {
        version.put("name", name).put("served", true);
        schema.ifPresent(known -> version.putObject("schema").set("openAPIV3Schema", known));
        if (scaled) {
            version.putObject("subresources").putObject("scale").put("specReplicasPath", ".spec.replicas");
        }
    }

    private static Optional<JsonNode> schema(JsonNode openApi, String group, String version, String kind) {
        return openApi.at("/components/schemas").valueStream()
                .filter(schema -> schema.path("x-kubernetes-group-version-kind").valueStream()
                        .anyMatch(of -> of.path("group").asText().equals(group)
                                && of.path("version").asText().equals(version)
                                && of.path("kind").asText().equals(kind)))
                .findFirst();
    }

    /** Without it, kinds and versions are known all the same. */
    private static JsonNode openApi(LiveCluster server, String path) {
        try {
            return server.read("/openapi/v3" + path).map(JsonNode.class::cast).orElse(MissingNode.getInstance());
        } catch (LiveFailure notRead) {
            return MissingNode.getInstance();
        }
    }
}
