package io.nodeward.controller.machinepool;

import io.nodeward.core.rules.validation.Warning;
import io.nodeward.core.runtime.cluster.Blocked;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What is known of the Nodes of one pool that is not as it should be. */
final class PoolNotes {
    /** Nodes named in one message; the rest is counted. */
    private static final int NAMED = 3;

    private final SortedMap<String, Blocked> blocked = new TreeMap<>();
    private final SortedMap<String, Instant> uninitialized = new TreeMap<>();
    private final SortedMap<String, List<Warning>> warnings = new TreeMap<>();

    /** Each returns whether anything is new. */
    synchronized boolean block(String node, Blocked by) {
        return !by.equals(blocked.put(node, by));
    }

    synchronized boolean free(String node, List<Warning> planned) {
        boolean changed = blocked.remove(node) != null;
        List<Warning> before = planned.isEmpty() ? warnings.remove(node) : warnings.put(node, planned);
        return changed || !planned.equals(before == null ? List.of() : before);
    }

    synchronized boolean uninitialized(String node, boolean bears, Instant now) {
        return bears ? uninitialized.putIfAbsent(node, now) == null : uninitialized.remove(node) != null;
    }

    synchronized boolean forget(String node) {
        return free(node, List.of()) | uninitialized.remove(node) != null;
    }

    /** Messages by reason, for Events. */
    synchronized Map<String, String> messages() {
        Map<String, TreeSet<String>> all = new TreeMap<>();
        warnings.values().stream().flatMap(List::stream).forEach(warning -> all
                .computeIfAbsent(warning.reason().text(), reason -> new TreeSet<>()).add(warning.message()));
        Map<String, String> messages = new TreeMap<>();
        all.forEach((reason, texts) -> messages.put(reason, listed(texts.size(), List.copyOf(texts))));
        blocked.values().stream().map(Blocked::reason).distinct().forEach(reason -> messages.put(reason, of(reason)));
        return messages;
    }

    /** The worst of it, for a condition. */
    synchronized Optional<Blocked> worst() {
        if (!blocked.isEmpty()) {
            String reason = blocked.values().iterator().next().reason();
            return Optional.of(new Blocked(reason, of(reason)));
        }
        List<Warning> left = warnings.values().stream().flatMap(List::stream)
                .filter(warning -> warning.reason().leftOut()).distinct().toList();
        return left.stream().findFirst().map(first -> new Blocked(first.reason().text(),
                listed(left.size(), left.stream().map(Warning::message).toList())));
    }

    private String of(String reason) {
        List<String> texts = blocked.values().stream().filter(by -> by.reason().equals(reason)).map(Blocked::message)
                .toList();
        return listed(texts.size(), texts);
    }

    /** Nodes that still bear the initialization taint, and since when that has been seen. */
    synchronized Optional<String> uninitialized() {
        if (uninitialized.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(listed(uninitialized.size(), uninitialized.entrySet().stream()
                .map(entry -> entry.getKey() + " since " + entry.getValue()).toList()));
    }

    private static String listed(int count, List<String> texts) {
        String named = texts.stream().limit(NAMED).collect(Collectors.joining("; "));
        return count > NAMED ? named + "; and " + (count - NAMED) + " more" : named;
    }
}
