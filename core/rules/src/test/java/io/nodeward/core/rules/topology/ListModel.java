package io.nodeward.core.rules.topology;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintOwner;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.TaintId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What an API server does with a list of taints that is a map by key and effect: who owns what, what is in conflict, and
 * what it refuses to store.
 */
public final class ListModel {
    private static final String LIST = "list";
    /** There as long as the item is, whoever owns them. */
    private static final Set<String> NAMING = Set.of(TaintOwner.ITEM, "key", "effect");

    /** A write the server does not take. */
    public static final class RefusedException extends RuntimeException {
        RefusedException(String message) {
            super(message);
        }
    }

    private record Writer(String manager, boolean applied) {}

    private record Field(TaintId id, String name) {}

    private static final TaintId NO_ID = new TaintId("", "");
    private static final Field WHOLE_LIST = new Field(NO_ID, LIST);

    private Map<TaintId, Map<String, String>> items = new LinkedHashMap<>();
    private Map<Writer, Set<Field>> owned = new HashMap<>();

    public List<MachineTaint> taints() {
        return items.entrySet().stream().map(item -> new MachineTaint(item.getKey().key(),
                item.getValue().getOrDefault("value", ""), item.getKey().effect(),
                item.getValue().getOrDefault("propagation", ""))).toList();
    }

    public TaintHolder seen() {
        List<TaintOwner> owners = new ArrayList<>();
        owned.forEach((writer, fields) -> {
            Map<TaintId, Set<String>> byItem = new HashMap<>();
            fields.stream().filter(field -> !field.equals(WHOLE_LIST))
                    .forEach(field -> byItem.computeIfAbsent(field.id, id -> new HashSet<>()).add(field.name));
            if (writer.applied || !fields.isEmpty()) {
                owners.add(new TaintOwner(writer.manager, writer.applied, fields.contains(WHOLE_LIST), byItem));
            }
        });
        Metadata metadata =
                new Metadata(new ObjectKey("fleet", "m"), "u", "1", Map.of(), Map.of(), List.of(), false);
        return new TaintHolder(metadata, "c", taints(), owners, List.of(), 0);
    }

    /**
     * What a manager put there itself, or has set anything of if nobody is said to have put it there. Where objects are
     * made from the one above, of what that carries too only those who apply count.
     */
    Map<TaintId, MachineTaint> itemsOf(String manager, PropagationStep step) {
        Map<TaintId, MachineTaint> own = new HashMap<>();
        for (MachineTaint taint : taints()) {
            Field item = new Field(taint.id(), TaintOwner.ITEM);
            boolean carried = owned.getOrDefault(new Writer(step.manager(), true), Set.of()).contains(item);
            Set<String> managers = managers(item::equals, step.makes() && carried);
            if (managers.isEmpty() ? managers(field -> field.id.equals(taint.id()), false).contains(manager)
                    : managers.contains(manager)) {
                own.put(taint.id(), taint);
            }
        }
        return own;
    }

    private Set<String> managers(Predicate<Field> of, boolean applied) {
        Set<String> managers = new HashSet<>();
        owned.forEach((writer, fields) -> {
            if ((writer.applied || !applied) && fields.stream().anyMatch(of)) {
                managers.add(writer.manager);
            }
        });
        return managers;
    }

    /** Server-side apply. */
    public void apply(String manager, List<MachineTaint> taints, boolean force) {
        Writer writer = new Writer(manager, true);
        Set<Field> now = new HashSet<>();
        Map<TaintId, Map<String, String>> merged = copy();
        Set<Field> changed = new HashSet<>();
        for (MachineTaint taint : taints) {
            Map<String, String> item = merged.computeIfAbsent(taint.id(), id -> new TreeMap<>());
            texts(taint).forEach((name, text) -> {
                now.add(new Field(taint.id(), name));
                if (!text.equals(item.put(name, text))) {
                    changed.add(new Field(taint.id(), name));
                }
            });
        }
        Map<Writer, Set<Field>> after = new HashMap<>();
        owned.forEach((other, fields) -> {
            if (!other.equals(writer)) {
                Set<Field> left = new HashSet<>(fields);
                if (left.removeAll(changed) && !force) {
                    throw new RefusedException("conflict with " + other.manager);
                }
                after.put(other, left);
            }
        });
        prune(merged, owned.getOrDefault(writer, Set.of()), now, after);
        after.put(writer, now);
        store(merged, after);
    }

    /** Any other write of the whole list; null takes it away. */
    public void update(String manager, List<MachineTaint> taints) {
        Writer writer = new Writer(manager, false);
        Map<TaintId, Map<String, String>> next = new LinkedHashMap<>();
        taints.forEach(taint -> next.put(taint.id(), new TreeMap<>(texts(taint))));
        Set<Field> changed = new HashSet<>();
        next.forEach((id, item) -> item.forEach((name, text) -> {
            if (!text.equals(items.getOrDefault(id, Map.of()).get(name))) {
                changed.add(new Field(id, name));
            }
        }));
        if (items.isEmpty() && !next.isEmpty()) {
            changed.add(WHOLE_LIST);
        }
        Map<Writer, Set<Field>> after = new HashMap<>();
        owned.forEach((other, fields) -> {
            Set<Field> left = new HashSet<>(fields);
            left.removeAll(changed);
            left.removeIf(field -> field.equals(WHOLE_LIST)
                    ? next.isEmpty()
                    : !next.getOrDefault(field.id, Map.of()).containsKey(field.name));
            after.put(other, left);
        });
        after.computeIfAbsent(writer, w -> new HashSet<>()).addAll(changed);
        store(next, after);
    }

    private static void prune(
            Map<TaintId, Map<String, String>> merged,
            Set<Field> before,
            Set<Field> now,
            Map<Writer, Set<Field>> others) {
        for (Field field : before) {
            boolean kept = now.contains(field) || others.values().stream().anyMatch(set -> set.contains(field));
            Map<String, String> item = merged.get(field.id);
            if (!kept && item != null && !NAMING.contains(field.name)) {
                item.remove(field.name);
            }
        }
        merged.entrySet().removeIf(item -> {
            boolean any = now.stream().anyMatch(field -> field.id.equals(item.getKey()))
                    || others.values().stream().flatMap(Set::stream).anyMatch(
                            field -> field.id.equals(item.getKey()));
            return !any;
        });
    }

    private void store(Map<TaintId, Map<String, String>> next, Map<Writer, Set<Field>> owners) {
        next.forEach((id, item) -> {
            if (!item.containsKey("propagation")) {
                throw new RefusedException(id + " has no propagation");
            }
        });
        if (next.isEmpty() && owners.values().stream().anyMatch(fields -> fields.contains(WHOLE_LIST))) {
            throw new RefusedException("the list must not be empty");
        }
        if (next.size() > 64) {
            throw new RefusedException("more than 64");
        }
        items = next;
        owned = owners;
    }

    private Map<TaintId, Map<String, String>> copy() {
        Map<TaintId, Map<String, String>> copy = new LinkedHashMap<>();
        items.forEach((id, item) -> copy.put(id, new TreeMap<>(item)));
        return copy;
    }

    private static Map<String, String> texts(MachineTaint taint) {
        Map<String, String> texts = new TreeMap<>(Map.of(TaintOwner.ITEM, "", "key", taint.key(), "effect",
                taint.effect(), "propagation", taint.propagation()));
        if (!taint.value().isEmpty()) {
            texts.put("value", taint.value());
        }
        return texts;
    }
}
