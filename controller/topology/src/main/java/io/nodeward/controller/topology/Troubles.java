package io.nodeward.controller.topology;

import io.nodeward.core.rules.topology.Concerned;
import io.nodeward.core.runtime.status.Blocked;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is wrong with objects, by those that declare taints for them. Safe for many threads. */
final class Troubles {
    private static final int NAMED = 3;

    private final Map<Task, Trouble> byTask = new HashMap<>();
    private final Map<Declarer, SortedMap<Task, Trouble>> byDeclarer = new HashMap<>();

    /** @param name of the object it is about, with its kind */
    record Trouble(Declarer declarer, String name, Blocked by) {}

    /** Returns of whom there is something else to say than before. */
    synchronized Set<Declarer> put(Task task, Trouble trouble) {
        Trouble before = byTask.put(task, trouble);
        if (trouble.equals(before)) {
            return Set.of();
        }
        leave(task, before);
        byDeclarer.computeIfAbsent(trouble.declarer, d -> new TreeMap<>()).put(task, trouble);
        return Stream.of(before, trouble).filter(Objects::nonNull).map(Trouble::declarer).collect(Collectors.toSet());
    }

    /** Returns of whom there is something else to say than before. */
    synchronized Set<Declarer> remove(Task task) {
        Trouble before = byTask.remove(task);
        leave(task, before);
        return before == null ? Set.of() : Set.of(before.declarer);
    }

    private void leave(Task task, @Nullable Trouble before) {
        if (before != null) {
            byDeclarer.computeIfPresent(before.declarer, (declarer, all) -> {
                all.remove(task);
                return all.isEmpty() ? null : all;
            });
        }
    }

    /** The declarer is gone. */
    synchronized void forget(Declarer declarer) {
        SortedMap<Task, Trouble> all = byDeclarer.remove(declarer);
        if (all != null) {
            byTask.keySet().removeAll(all.keySet());
        }
    }

    /** By reason: the first three objects that it concerns, and what is wrong with the first of them. */
    synchronized SortedMap<String, String> messages(Declarer declarer) {
        SortedMap<String, String> messages = new TreeMap<>();
        byReason(declarer).forEach((reason, all) -> messages.put(reason, message(all, all.size())));
        return messages;
    }

    /** Likewise of the first reason alone, where those that other reasons concern are others. */
    synchronized Optional<Blocked> worst(Declarer declarer) {
        SortedMap<String, List<Trouble>> byReason = byReason(declarer);
        int concerned = byReason.values().stream().mapToInt(List::size).sum();
        return byReason.entrySet().stream().findFirst()
                .map(first -> new Blocked(first.getKey(), message(first.getValue(), concerned)));
    }

    private SortedMap<String, List<Trouble>> byReason(Declarer declarer) {
        return byDeclarer.getOrDefault(declarer, new TreeMap<>()).values().stream().collect(
                Collectors.groupingBy(trouble -> trouble.by.reason(), TreeMap::new, Collectors.toList()));
    }

    private static String message(List<Trouble> all, int concerned) {
        List<String> names = all.stream().limit(NAMED).map(Trouble::name).toList();
        return new Concerned(names, names.size() < concerned).message(all.getFirst().by.message());
    }
}
