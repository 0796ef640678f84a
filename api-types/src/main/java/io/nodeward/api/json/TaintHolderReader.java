package io.nodeward.api.json;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintOwner;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.node.TaintId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads an object of any kind that has its declared taints in one place, and the owners of that list. */
final class TaintHolderReader {
    private static final String KEYS = "k:";
    private static final String FIELD = "f:";

    private final List<String> place;
    /** The list in {@code metadata.managedFields}, in each version in which the object may have been written. */
    private final List<List<String>> owned;

    private TaintHolderReader(TaintPlace place, List<TaintPlace> alsoOwned) {
        this.place = place.path();
        this.owned = Stream.concat(Stream.of(place), alsoOwned.stream())
                .map(any -> any.path().stream().map(FIELD::concat).toList()).toList();
    }

    /** @param alsoOwned where other versions of the kind have the list */
    static Projection.Reader<TaintHolder> of(TaintPlace place, TaintPlace... alsoOwned) {
        TaintHolderReader reader = new TaintHolderReader(place, List.of(alsoOwned));
        return new ShapeReader<>(reader::holder, Stream.concat(
                reader.owned.stream().map(path -> "metadata.managedFields.fieldsV1." + String.join(".", path)),
                Stream.of(place + Parts.TAINT, "spec.clusterName", "status.replicas",
                        "status.conditions" + Parts.CONDITION, "status.v1beta2.conditions" + Parts.CONDITION,
                        "metadata.managedFields.manager",
                        "metadata.managedFields.operation", "metadata.managedFields.subresource"))
                .toArray(String[]::new));
    }

    private TaintHolder holder(Metadata metadata, Tree object) {
        Tree status = object.at("status");
        return new TaintHolder(metadata, Parts.text(object.at("spec"), "clusterName"),
                Parts.taints(object.at(place.subList(0, place.size() - 1))), owners(object.at("metadata")),
                Parts.ownConditions(status),
                Math.clamp(status.at("replicas").integer().orElse(0), 0, Integer.MAX_VALUE));
    }

    private List<TaintOwner> owners(Tree metadata) {
        List<TaintOwner> owners = new ArrayList<>(4);
        for (Tree entry : metadata.at("managedFields").elements()) {
            boolean applied = Parts.scalar(entry.at("operation")).equals("Apply");
            TaintOwner owner = owner(entry, applied);
            if (Parts.scalar(entry.at("subresource")).isEmpty() && (applied || owner.hasShare())) {
                owners.add(owner);
            }
        }
        return owners;
    }

    private TaintOwner owner(Tree entry, boolean applied) {
        boolean isListOwned = false;
        Map<TaintId, Set<String>> items = new HashMap<>(4);
        for (List<String> path : owned) {
            Map<String, Tree> fields = fields(entry.at("fieldsV1").at(path));
            isListOwned |= fields.containsKey(TaintOwner.ITEM)
                    || fields.isEmpty() && !entry.at("fieldsV1").at(path).equals(Tree.ABSENT);
            fields.forEach((step, value) -> {
                if (step.startsWith(KEYS)) {
                    items.put(id(step.substring(KEYS.length())), names(value));
                }
            });
        }
        return new TaintOwner(Parts.text(entry, "manager"), applied, isListOwned, items);
    }

    private static Map<String, Tree> fields(Tree tree) {
        return tree instanceof Tree.Fields(Map<String, Tree> fields) ? fields : Map.of();
    }

    private static Set<String> names(Tree item) {
        Set<String> names = fields(item).keySet().stream()
                .map(step -> MetadataReader.POOL.intern(step.startsWith(FIELD) ? step.substring(FIELD.length()) : step))
                .collect(Collectors.toSet());
        return names.isEmpty() ? Set.of(TaintOwner.ITEM) : names;
    }

    /** Returns empty texts, which no item has, for keys that no API server writes: they must not end the watch of a whole kind. */
    private static TaintId id(String keys) {
        try {
            Tree id = Trees.read(keys);
            return new TaintId(Parts.text(id, "key"), Parts.text(id, "effect"));
        } catch (IllegalArgumentException e) {
            return new TaintId("", "");
        }
    }
}
