package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What the server says it serves: versions, groups, resources, and schemas enough for kubectl. */
final class Discovery {
    private static final List<String> VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

    private final Map<String, List<Kind>> groups = new LinkedHashMap<>();

    Discovery(List<Kind> kinds) {
        kinds.forEach(kind -> groups.computeIfAbsent(kind.group(), g -> new ArrayList<>()).add(kind));
    }

    /** The document at a path, or empty. */
    Optional<ObjectNode> document(List<String> path) {
        String first = path.getFirst();
        return switch (path.size()) {
            case 1 -> Optional.ofNullable(switch (first) {
                case "api" -> coreVersions();
                case "apis" -> groupList();
                case "version" -> version();
                default -> null;
            });
            case 2 -> first.equals("api") ? resources("", path.get(1))
                    : first.equals("apis") && groups.containsKey(path.get(1)) ? Optional.of(group(path.get(1)))
                    : path.equals(List.of("openapi", "v3")) ? Optional.of(openApiIndex()) : Optional.empty();
            case 3 -> first.equals("apis") ? resources(path.get(1), path.get(2)) : Optional.empty();
            case 4 -> path.subList(0, 3).equals(List.of("openapi", "v3", "api")) ? openApi("", path.get(3))
                    : Optional.empty();
            case 5 -> path.subList(0, 3).equals(List.of("openapi", "v3", "apis"))
                    ? openApi(path.get(3), path.get(4)) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static ObjectNode coreVersions() {
        ObjectNode versions = Json.object().put("kind", "APIVersions");
        versions.putArray("versions").add("v1");
        versions.putArray("serverAddressByClientCIDRs");
        return versions;
    }

    private ObjectNode groupList() {
        ObjectNode list = Json.object().put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode all = list.putArray("groups");
        groups.keySet().stream().filter(g -> !g.isEmpty()).forEach(g -> all.add(described(g)));
        return list;
    }

    private ObjectNode group(String group) {
        return Json.object().put("kind", "APIGroup").put("apiVersion", "v1").setAll(described(group));
    }

    private ObjectNode described(String group) {
        ObjectNode described = Json.object().put("name", group);
        ArrayNode versions = described.putArray("versions");
        versions(group).forEach(v -> versions.add(groupVersion(group, v)));
        described.set("preferredVersion", groupVersion(group, versions(group).getFirst()));
        return described;
    }

    private static ObjectNode groupVersion(String group, String version) {
        return Json.object().put("groupVersion", group + "/" + version).put("version", version);
    }

    private List<String> versions(String group) {
        return groups.getOrDefault(group, List.of()).stream()
                .flatMap(k -> k.versions().stream())
                .distinct()
                .toList();
    }

    private List<Kind> kinds(String group, String version) {
        return groups.getOrDefault(group, List.of()).stream()
                .filter(k -> k.versions().contains(version))
                .toList();
    }

    private Optional<ObjectNode> resources(String group, String version) {
        List<Kind> kinds = kinds(group, version);
        if (kinds.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode list = Json.object().put("kind", "APIResourceList").put("apiVersion", "v1");
        ArrayNode all = list.put("groupVersion", kinds.getFirst().apiVersion(version)).putArray("resources");
        for (Kind kind : kinds) {
            ObjectNode resource = resource(all.addObject(), kind, kind.plural());
            resource.put("singularName", kind.name().toLowerCase(Locale.ROOT));
            VERBS.forEach(resource.putArray("verbs")::add);
            kind.shortNames().forEach(resource.withArray("shortNames")::add);
            if (kind.status()) {
                ObjectNode status = resource(all.addObject(), kind, kind.plural() + "/status").put("singularName", "");
                status.putArray("verbs").add("get").add("patch").add("update");
            }
            if (kind.isEvictable()) {
                ObjectNode eviction = all.addObject().put("name", kind.plural() + "/" + Evictions.SUBRESOURCE);
                eviction.put("singularName", "").put("namespaced", true).put("group", "policy").put("version", "v1");
                eviction.put("kind", "Eviction").putArray("verbs").add("create");
            }
        }
        return Optional.of(list);
    }

    private static ObjectNode resource(ObjectNode resource, Kind kind, String name) {
        return resource.put("name", name).put("namespaced", kind.namespaced()).put("kind", kind.name());
    }

    private static ObjectNode version() {
        return Json.object()
                .put("major", "1").put("minor", "36").put("gitVersion", "v1.36.3-nodeward-fake")
                .put("gitCommit", "").put("gitTreeState", "").put("buildDate", "1970-01-01T00:00:00Z")
                .put("goVersion", "").put("compiler", "").put("platform", "linux/amd64");
    }

    private ObjectNode openApiIndex() {
        ObjectNode index = Json.object();
        ObjectNode paths = index.putObject("paths");
        groups.keySet().forEach(group -> versions(group).forEach(version -> {
            String path = group.isEmpty() ? "api/" + version : "apis/" + group + "/" + version;
            paths.putObject(path).put("serverRelativeURL", "/openapi/v3/" + path + "?hash=1");
        }));
        return index;
    }

    // kubectl looks for a PATCH that knows fieldValidation, and explains what it finds under schemas.
    private Optional<ObjectNode> openApi(String group, String version) {
        List<Kind> kinds = kinds(group, version);
        if (kinds.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode document = Json.object().put("openapi", "3.0.0");
        document.putObject("info").put("title", "Kubernetes").put("version", "v1.36.3");
        ObjectNode paths = document.putObject("paths");
        ObjectNode schemas = document.putObject("components").putObject("schemas");
        for (Kind kind : kinds) {
            ObjectNode patch = paths.putObject(path(kind, version)).putObject("patch");
            patch.put("operationId", "patch" + kind.name() + version);
            patch.putObject("responses").putObject("200").put("description", "OK");
            patch.putArray("parameters").addObject().put("name", "fieldValidation").put("in", "query");
            patch.set("x-kubernetes-group-version-kind", kindOf(kind, version));
            schema(schemas.putObject((group.isEmpty() ? "core" : group) + "." + version + "." + kind.name()), kind,
                    version);
        }
        return Optional.of(document);
    }

    private static String path(Kind kind, String version) {
        String root = (kind.group().isEmpty() ? "/api/" : "/apis/") + kind.apiVersion(version);
        return root + (kind.namespaced() ? "/namespaces/{namespace}/" : "/") + kind.plural() + "/{name}";
    }

    private static ObjectNode kindOf(Kind kind, String version) {
        return Json.object().put("group", kind.group()).put("version", version).put("kind", kind.name());
    }

    private static void schema(ObjectNode schema, Kind kind, String version) {
        schema.put("type", "object").put("description", kind.name() + ", as this server keeps it: without a schema.");
        ObjectNode properties = schema.putObject("properties");
        properties.putObject("apiVersion").put("type", "string");
        properties.putObject("kind").put("type", "string");
        for (String part : List.of("metadata", "spec", "status")) {
            properties.putObject(part).put("type", "object").put("x-kubernetes-preserve-unknown-fields", true);
        }
        schema.putArray("x-kubernetes-group-version-kind").add(kindOf(kind, version));
    }
}
