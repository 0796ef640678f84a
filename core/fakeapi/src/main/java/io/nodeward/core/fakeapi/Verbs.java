package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Get, list, create, update, patch and delete over HTTP. */
final class Verbs {
    /** What a request is about. {@code namespace}, {@code name} and {@code subresource} may be empty. */
    record RequestInfo(Store store, String version, String namespace, String name, String subresource) {
        Kind kind() {
            return store.kind();
        }
    }

    private static final Set<String> RETURNED_WHEN_DELETED = Set.of("pods", "serviceaccounts", "namespaces");

    private final Writer writer;
    private final Patches patches;

    Verbs(Writer writer) {
        this.writer = writer;
        this.patches = new Patches(writer);
    }

    void get(Exchange exchange, RequestInfo info) throws IOException {
        View view = View.accepted(exchange, info.kind(), info.version()).forObject();
        long asked = new ListOptions(exchange, false).version();
        if (asked > 0) {
            info.store().requireReached(asked);
        }
        show(exchange, 200, view, info.store().get(info.namespace(), info.name()));
    }

    void list(Exchange exchange, RequestInfo info) throws IOException {
        View view = View.accepted(exchange, info.kind(), info.version()).forList();
        Page page = Page.of(info.store(), info.namespace(), new ListOptions(exchange, false));
        try (Reply reply = new Reply(exchange, 200)) {
            view.writeList(reply, page.metadata(), page.items());
        }
    }

    void create(Exchange exchange, RequestInfo info) throws IOException {
        View view = View.accepted(exchange, info.kind(), info.version()).forObject();
        ObjectNode given = object(exchange, info, true);
        requireKind(info, given);
        requireStrictly(exchange, info, given);
        show(exchange, 201, view,
                writer.create(info.store(), info.version(), info.namespace(), given, by(exchange, info)));
    }

    void update(Exchange exchange, RequestInfo info) throws IOException {
        View view = View.accepted(exchange, info.kind(), info.version()).forObject();
        ObjectNode given = object(exchange, info, true);
        requireStrictly(exchange, info, given);
        String version = Json.text(given, "metadata", "resourceVersion");
        UnaryOperator<ObjectNode> edit = before -> {
            requireSameUid(info, before, given);
            if (info.kind().custom() && version.isEmpty()) {
                throw Refusal.invalid(info.kind().group(), info.kind().plural(), info.name(),
                        List.of(new Violation(
                                "FieldValueInvalid", "Invalid value: 0: must be specified for an update",
                                "metadata.resourceVersion")));
            }
            return given;
        };
        show(exchange, 200, view, writer.update(
                info.store(), info.version(), info.namespace(), info.name(), edit, by(exchange, info)));
    }

    private static void requireStrictly(Exchange exchange, RequestInfo info, ObjectNode given) {
        Kind kind = info.kind();
        Strictness.require(exchange, kind, given, error -> Refusal.badRequest(
                kind.name() + " in version \"" + info.version() + "\" cannot be handled as a " + kind.name() + ": "
                        + error));
    }

    private static void requireSameUid(RequestInfo info, ObjectNode before, ObjectNode given) {
        String there = Json.text(before, "metadata", "uid");
        String asked = Json.text(given, "metadata", "uid");
        if (!asked.isEmpty() && !asked.equals(there)) {
            throw Refusal.conflict(info.kind(), info.kind().plural(), info.kind().resource(), info.name(),
                    "Precondition failed: UID in precondition: " + asked + ", UID in object meta: " + there);
        }
    }

    void patch(Exchange exchange, RequestInfo info) throws IOException {
        patches.patch(exchange, info);
    }

    void delete(Exchange exchange, RequestInfo info) throws IOException {
        View view = View.accepted(exchange, info.kind(), info.version()).forObject();
        ObjectNode options = deleteOptions(exchange, info);
        Writer.Deletion deletion = writer.delete(
                info.store(), info.version(), info.namespace(), info.name(), options.path("preconditions"),
                isDryRun(exchange, "DeleteOptions") || !options.path("dryRun").isEmpty());
        if (!deletion.gone() || RETURNED_WHEN_DELETED.contains(info.kind().plural())) {
            show(exchange, 200, view, deletion.object());
            return;
        }
        ObjectNode object = deletion.object().read(info.kind(), "");
        ObjectNode status = Json.object();
        status.put("kind", "Status").put("apiVersion", "v1").putObject("metadata");
        ObjectNode details = status.put("status", "Success").putObject("details").put("name", info.name());
        if (!info.kind().group().isEmpty()) {
            details.put("group", info.kind().group());
        }
        details.put("kind", info.kind().plural()).put("uid", Json.text(object, "metadata", "uid"));
        exchange.answer(200, status);
    }

    void deleteAll(Exchange exchange, RequestInfo info) throws IOException {
        View view = View.accepted(exchange, info.kind(), info.version()).forList();
        Page page = Page.of(info.store(), info.namespace(), new ListOptions(exchange, false));
        boolean dryRun =
                isDryRun(exchange, "DeleteOptions") || !deleteOptions(exchange, info).path("dryRun").isEmpty();
        List<Stored> gone = new ArrayList<>(page.items());
        for (Stored stored : gone) {
            writer.delete(info.store(), info.version(), stored.namespace(), stored.name(), Json.object(), dryRun);
        }
        try (Reply reply = new Reply(exchange, 200)) {
            view.writeList(reply, page.metadata(), gone);
        }
    }

    private static ObjectNode deleteOptions(Exchange exchange, RequestInfo info) {
        ObjectNode options = exchange.body().length == 0 ? Json.object() : object(exchange, info, false);
        String policy = exchange.query("propagationPolicy").isEmpty()
                ? Json.text(options, "propagationPolicy")
                : exchange.query("propagationPolicy");
        if (!policy.isEmpty() && !Set.of("Foreground", "Background", "Orphan").contains(policy)) {
            throw Refusal.invalid("meta.k8s.io", "DeleteOptions", "", List.of(Violation.unsupported(
                    "propagationPolicy", policy, "Foreground", "Background", "Orphan", "nil")));
        }
        if (policy.equals("Foreground") || policy.equals("Orphan") || options.path("orphanDependents").asBoolean()) {
            throw Refusal.of(501, "NotImplemented", "propagationPolicy: " + (policy.isEmpty() ? "Orphan" : policy)
                    + " needs a garbage collector, and this server has none; Background is what it can do");
        }
        return options;
    }

    static void show(Exchange exchange, int code, View view, Stored stored) throws IOException {
        exchange.answer(code, Map.of("Content-Type", "application/json"), view.object(stored));
    }

    static String mediaType(Exchange exchange) {
        return exchange.header("Content-Type").split(";")[0].strip();
    }

    private static ObjectNode object(Exchange exchange, RequestInfo info, boolean typed) {
        String type = mediaType(exchange);
        if (!type.isEmpty() && !type.equals("application/json")) {
            throw Refusal.unsupportedMedia("application/json");
        }
        return body(exchange, typed ? info.kind().name() : "DeleteOptions");
    }

    static ObjectNode body(Exchange exchange, String kind) {
        String what = "the object provided is unrecognized (must be of type " + kind
                + "): couldn't get version/kind; json parse error: ";
        try {
            if (Json.MAPPER.readTree(exchange.body()) instanceof ObjectNode object) {
                return object;
            }
            throw Refusal.badRequest(what + "not an object");
        } catch (JsonProcessingException e) {
            throw Refusal.badRequest(what + e.getOriginalMessage());
        } catch (IOException e) {
            throw Refusal.badRequest(what + e.getMessage());
        }
    }

    private static void requireKind(RequestInfo info, ObjectNode given) {
        Kind kind = info.kind();
        String want = kind.apiVersion(info.version());
        String name = given.path("kind").asText(kind.custom() ? "" : kind.name());
        String apiVersion = given.path("apiVersion").asText(kind.custom() ? "" : want);
        if (name.equals(kind.name()) && apiVersion.equals(want)) {
            return;
        }
        if (name.isEmpty() || apiVersion.isEmpty()) {
            throw Refusal
                    .badRequest("the object provided is unrecognized (must be of type " + kind.name() + "): Object '"
                            + (name.isEmpty() ? "Kind" : "apiVersion") + "' is missing in '" + given + "'");
        }
        if (!kind.custom()) {
            throw Refusal.badRequest(
                    name + " in version \"" + apiVersion + "\" cannot be handled as a " + kind.name());
        }
        boolean kindFits = name.equals(kind.name());
        throw Refusal.invalid(kind.group(), name, Json.text(given, "metadata", "name"), List.of(Violation.invalid(
                kindFits ? "apiVersion" : "kind", kindFits ? apiVersion : name,
                "must be " + (kindFits ? want : kind.name()))));
    }

    static Writer.By by(Exchange exchange, RequestInfo info) {
        String manager = exchange.query("fieldManager");
        String options = switch (exchange.request().method()) {
            case "POST" -> "CreateOptions";
            case "PUT" -> "UpdateOptions";
            default -> "PatchOptions";
        };
        Strictness.requireKnown(exchange, options);
        boolean dryRun = isDryRun(exchange, options);
        return new Writer.By(
                manager.isEmpty() ? exchange.request().userAgent().split("/", 2)[0] : manager,
                info.subresource(), dryRun, false);
    }

    private static boolean isDryRun(Exchange exchange, String options) {
        String dryRun = exchange.query("dryRun");
        if (!dryRun.isEmpty() && !dryRun.equals("All")) {
            throw Refusal.invalid("meta.k8s.io", options, "", List.of(new Violation(
                    "FieldValueNotSupported", "Unsupported value: [\"" + dryRun + "\"]: supported values: \"All\"",
                    "dryRun")));
        }
        return dryRun.equals("All");
    }
}
