package io.nodeward.cli.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.DeleteOptions;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.PatchOptions;
import io.nodeward.core.spi.Resource;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * One API server as a command sees it: whole objects as JSON trees, with their kind and apiVersion, fields in the
 * server's order. A server that has enough is asked again after the wait it says. All that goes wrong is a {@link
 * LiveFailure}. For one thread.
 */
public final class LiveCluster implements AutoCloseable {
    public static final Resource NODES = new Resource("", "v1", "nodes", false);
    public static final Resource PODS = new Resource("", "v1", "pods", true);
    public static final Resource BUDGETS = new Resource("policy", "v1", "poddisruptionbudgets", true);

    private static final ObjectMapper JSON = new JsonMapper();
    /** The versions of Cluster API that are understood, the best first. */
    public static final List<String> CLUSTER_API_VERSIONS = List.of("v1beta2", "v1beta1");
    private static final List<String> PROVIDER_VERSIONS =
            List.of("v1beta2", "v1beta1", "v1", "v1alpha3", "v1alpha2", "v1alpha1");
    private static final int PAGE = 500;
    private static final byte[] NOTHING = {'{', '}'};

    private final ApiServer server;
    private final Requests requests;
    private final Route route;
    private final String namespace;
    private final Map<String, JsonNode> discovered = new HashMap<>();

    LiveCluster(ApiServer server, Route route, String namespace, Time time) {
        this.server = server;
        this.requests = new Requests(route, time);
        this.route = route;
        this.namespace = namespace;
    }

    /** Returns the namespace that is meant where none is named. */
    public String namespace() {
        return namespace;
    }

    /** Returns what led here: {@code context prod} or {@code Secret fleet/prod-kubeconfig}. */
    public String route() {
        return route.name();
    }

    /** Returns a kind of Cluster API in the newest version of those known that the server has. */
    public Resource clusterApi(String plural) {
        return served("cluster.x-k8s.io", plural, CLUSTER_API_VERSIONS).orElseThrow(() -> LiveFailure.unusable(
                "error: the server doesn't have a resource type \"" + plural + "\" of Cluster API",
                "Is " + route() + " the one that leads to the management cluster (--context)?"));
    }

    /**
     * Returns a namespaced kind, if the server has it.
     *
     * @param versions those that are understood, the best first
     */
    public Optional<Resource> served(String group, String plural, List<String> versions) {
        List<String> there = names(discovered("/apis/" + group), "versions", "version");
        return versions.stream()
                .filter(there::contains)
                .filter(version -> names(discovered("/apis/" + group + "/" + version), "resources", "name")
                        .contains(plural))
                .findFirst()
                .map(version -> new Resource(group, version, plural, true));
    }

    /**
     * Returns the kind that a reference of Cluster API is to, if the server has it.
     *
     * @param reference with an apiGroup, or in older versions an apiVersion
     */
    public Optional<Resource> kindOf(JsonNode reference) {
        String group = reference.path("apiGroup").asText(reference.path("apiVersion").asText().split("/")[0]);
        // Cluster API asks providers to name their kinds so.
        String plural = reference.path("kind").asText().toLowerCase(Locale.ROOT) + "s";
        return served(group, plural, PROVIDER_VERSIONS);
    }

    /** Returns the object. */
    public ObjectNode get(Resource resource, ObjectKey key) {
        return get(resource.object(key));
    }

    /** Returns the object, if there is one. */
    public Optional<ObjectNode> find(Resource resource, ObjectKey key) {
        return read(resource.object(key));
    }

    /**
     * Lists the objects of a kind, in the server's order.
     *
     * @param namespace empty for all
     * @param labelSelector empty for all
     */
    public List<ObjectNode> list(Resource resource, String namespace, String labelSelector) {
        return list(resource, namespace, labelSelector, "", object -> object);
    }

    /**
     * Lists those whose fields are as {@code fieldSelector} says, and keeps of each what {@code part} takes: a large fleet need not be
     * in memory as a whole.
     */
    public <T> List<T> list(Resource resource, String namespace, String labelSelector, String fieldSelector,
            Function<ObjectNode, T> part) {
        try {
            return pages(resource, namespace, page(labelSelector, PAGE, fieldSelector), part);
        } catch (LiveFailure failure) {
            if (failure.api().filter(ApiFailure.Expired.class::isInstance).isPresent()) { // between two pages
                return pages(resource, namespace, page(labelSelector, 0, fieldSelector), part);
            }
            throw failure;
        }
    }

    /**
     * Patches it, and returns the whole object as it is then.
     *
     * @param dryRun whether it is checked and not stored
     */
    public ObjectNode patch(Resource resource, ObjectKey key, Patch patch, boolean dryRun) {
        return patch(resource, key, patch, dryRun ? PatchOptions.NONE.withDryRun() : PatchOptions.NONE);
    }

    /** Patches it, and returns the whole object as it is then. */
    public ObjectNode patch(Resource resource, ObjectKey key, Patch patch, PatchOptions options) {
        return requests.answer(resource.object(key),
                () -> server.patch(resource, key, patch, options.withWholeObject()));
    }

    /** Creates an object that no namespace has, and returns the whole object as it is then. */
    public ObjectNode create(Resource resource, ObjectNode object, String fieldManager, PatchOptions options) {
        byte[] body = object.toString().getBytes(StandardCharsets.UTF_8);
        return requests.answer(resource.collection(""),
                () -> server.create(resource, "", body, fieldManager, options.withWholeObject()));
    }

    /** Deletes it, if it is as the options say. */
    public void delete(Resource resource, ObjectKey key, DeleteOptions options) {
        requests.answer(resource.object(key), () -> {
            server.delete(resource, key, options);
            return NOTHING;
        });
    }

    @Override
    public void close() {
        server.close();
    }

    private static ListOptions page(String labelSelector, int limit, String fieldSelector) {
        return ListOptions.page(labelSelector, limit, "").withFieldSelector(fieldSelector);
    }

    private <T> List<T> pages(Resource resource, String namespace, ListOptions first, Function<ObjectNode, T> part) {
        List<T> all = new ArrayList<>();
        String next = "";
        do {
            ListOptions options = first.withContinueToken(next);
            ObjectNode page = requests.answer(
                    resource.collection(namespace), () -> server.page(resource, namespace, options));
            String kind = page.path("kind").asText().replaceFirst("List$", "");
            for (JsonNode item : page.path("items")) {
                ObjectNode object = JSON.createObjectNode().put("kind", kind);
                object.set("apiVersion", page.path("apiVersion"));
                object.setAll((ObjectNode) item);
                all.add(part.apply(object));
            }
            next = page.at("/metadata/continue").asText();
        } while (!next.isEmpty());
        return all;
    }

    /** Returns what the server has; nothing if it does not know the group. */
    JsonNode discovered(String path) {
        return discovered.computeIfAbsent(path, any -> read(path).orElseGet(JSON::createObjectNode));
    }

    private ObjectNode get(String path) {
        return requests.answer(path, () -> server.get(path));
    }

    /** Returns what is at a path, if there is something. */
    Optional<ObjectNode> read(String path) {
        try {
            return Optional.of(get(path));
        } catch (LiveFailure failure) {
            if (isAbsent(failure)) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    private static List<String> names(JsonNode answer, String list, String field) {
        List<String> names = new ArrayList<>();
        answer.path(list).forEach(entry -> names.add(entry.path(field).asText()));
        return names;
    }

    private static boolean isAbsent(LiveFailure failure) {
        return failure.api()
                .filter(api -> api instanceof ApiFailure.NotFound || api instanceof ApiFailure.NotServed)
                .isPresent();
    }
}
