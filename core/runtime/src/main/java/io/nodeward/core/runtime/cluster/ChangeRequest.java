package io.nodeward.core.runtime.cluster;

import io.nodeward.api.admission.JsonPatch;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Bodies;
import io.nodeward.api.json.TestedPatch;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectChange.Preconditions;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.DeleteOptions;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.Resource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The one request that a change is, which holds on what the change does. */
record ChangeRequest(ObjectChange change, String fieldManager) {
    /** Returns the answer; empty of a deletion. */
    Optional<byte[]> send(ApiServer server, boolean again) {
        Resource resource = change.objectKind().resource();
        ObjectKey key = change.key();
        return switch (change.verb()) {
            case Verb.None none -> throw new IllegalArgumentException("nothing to write to " + change.object());
            case Verb.PatchNode patch -> Optional.of(server.patch(resource, key, tested(patch, again)
                    .map(body -> Patch.json(body, fieldManager))
                    .orElseGet(() -> Patch.merge(Bodies.mergePatch(patch.change()), fieldManager))));
            case Verb.Create(Tree content) -> Optional.of(
                    server.create(resource, key.namespace(), Trees.written(object(content)), fieldManager));
            case Verb.Apply(Tree content, boolean force) -> Optional.of(server.patch(resource, key,
                    Patch.apply(Trees.writtenForApply(object(content)), fieldManager, force)));
            case Verb.ApplyStatus(Tree status) -> Optional.of(server.patchStatus(resource, key, Patch.apply(
                    Trees.writtenForApply(object(Tree.of(Map.of("status", status)))), fieldManager, true)));
            case Verb.MergePatch(Tree patch) -> Optional.of(server.patch(resource, key,
                    Patch.merge(Trees.written(held(patch)), fieldManager)));
            case Verb.JsonPatch(JsonPatch patch) -> Optional.of(server.patch(resource, key,
                    Patch.json(Trees.written(tested(patch).tree()), fieldManager)));
            case Verb.Delete(boolean asksBudgets) -> {
                Preconditions held = change.preconditions();
                if (asksBudgets) {
                    server.create(resource, key, "eviction", Trees.written(eviction(key)), fieldManager);
                } else {
                    server.delete(resource, key, new DeleteOptions(held.uid(), held.resourceVersion(), ""));
                }
                yield Optional.empty();
            }
        };
    }

    private Tree eviction(ObjectKey pod) {
        return Tree.of(Map.of("apiVersion", "policy/v1", "kind", "Eviction",
                "metadata", Map.of("namespace", pod.namespace(), "name", pod.name()),
                "deleteOptions", Map.of("preconditions", new Tree.Fields(preconditions()))));
    }

    /** What was refused may be a test that says no for another reason than we think: a resourceVersion is certain. */
    static Optional<byte[]> tested(Verb.PatchNode patch, boolean again) {
        return again ? Optional.empty() : TestedPatch.of(patch.before(), patch.change(), patch.plannedFrom());
    }

    private Tree object(Tree content) {
        Map<String, Tree> fields = fields(held(content));
        Map<String, Tree> metadata = fields(fields.get("metadata"));
        metadata.put("name", new Tree.Text(change.key().name()));
        putText(metadata, "namespace", change.key().namespace());
        fields.put("apiVersion", new Tree.Text(change.objectKind().resource().apiVersion()));
        fields.put("kind", new Tree.Text(change.kind()));
        fields.put("metadata", new Tree.Fields(metadata));
        return new Tree.Fields(fields);
    }

    private Tree held(Tree content) {
        Map<String, Tree> fields = fields(content);
        Map<String, Tree> metadata = fields(content.at("metadata"));
        metadata.putAll(preconditions());
        fields.put("metadata", new Tree.Fields(metadata));
        return new Tree.Fields(fields);
    }

    private JsonPatch tested(JsonPatch patch) {
        JsonPatch tested = JsonPatch.EMPTY;
        for (Map.Entry<String, Tree> value : preconditions().entrySet()) {
            tested = tested.test(List.of("metadata", value.getKey()), value.getValue());
        }
        return new JsonPatch(Stream.concat(tested.operations().stream(), patch.operations().stream()).toList());
    }

    /** By their names in metadata. */
    private Map<String, Tree> preconditions() {
        Map<String, Tree> fields = new TreeMap<>();
        putText(fields, "uid", change.preconditions().uid());
        putText(fields, "resourceVersion", change.preconditions().resourceVersion());
        return fields;
    }

    private static Map<String, Tree> fields(@Nullable Tree tree) {
        return tree instanceof Tree.Fields(Map<String, Tree> fields) ? new TreeMap<>(fields) : new TreeMap<>();
    }

    private static void putText(Map<String, Tree> fields, String field, String text) {
        if (!text.isEmpty()) {
            fields.put(field, new Tree.Text(text));
        }
    }
}
