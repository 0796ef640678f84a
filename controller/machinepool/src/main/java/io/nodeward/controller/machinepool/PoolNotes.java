package io.nodeward.controller.machinepool;

import io.nodeward.core.rules.validation.Warning;
import io.nodeward.core.runtime.cluster.Blocked;
import io.nodeward.core.runtime.cluster.Listed;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is known of the Nodes of one pool that is not as it should be. */
final class PoolNotes {
    /** Gravest first: which one a condition shows must not depend on which Node comes first. */
    private static final List<String> REASONS =
            List.of("ProviderIDNotUnique", "NodeClaimedTwice", "NodeRejected", "RepairsUndone");

    private final SortedMap<String, Note> blocked = new TreeMap<>();
    private final SortedMap<String, Instant> uninitialized = new TreeMap<>();
    private final SortedMap<String, List<Warning>> warnings = new TreeMap<>();

    /** @param atOnce whether it is for an Event before it has lasted */
    private record Note(Blocked by, boolean atOnce) {}

    /** What was said in an Event, for as long as its reason stands: one Node more or less is no news. */
    private final Map<String, String> said = new TreeMap<>();

    /** Nodes that were looked at; null when all have been once. Until then it is not known that nothing is wrong. */
    private @Nullable Set<String> seen = new HashSet<>();

    /** Each returns whether there may be something else to say. */
    synchronized boolean block(String node, Blocked by, boolean atOnce) {
        Note note = new Note(by, atOnce);
        return see(node) | !note.equals(blocked.put(node, note));
    }

    synchronized boolean isBlocked(String node, Blocked by) {
        Note note = blocked.get(node);
        return note != null && note.by.equals(by);
    }

    synchronized boolean free(String node) {
        boolean freed = blocked.remove(node) != null;
        return see(node) | freed;
    }

    synchronized boolean warn(String node, List<Warning> planned) {
        List<Warning> before = planned.isEmpty() ? warnings.remove(node) : warnings.put(node, planned);
        return !planned.equals(before == null ? List.of() : before);
    }

    synchronized boolean look(String node) {
        return see(node);
    }

    synchronized boolean uninitialized(String node, boolean bears, Instant now) {
        return bears ? uninitialized.putIfAbsent(node, now) == null : uninitialized.remove(node) != null;
    }

    synchronized boolean forget(String node) {
        return free(node) | warn(node, List.of()) | uninitialized.remove(node) != null;
    }

    private boolean see(String node) {
        return seen != null && seen.add(node);
    }

    /** Whether each of these was looked at once. */
    synchronized boolean haveSeen(Set<String> nodes) {
        if (seen != null && seen.containsAll(nodes)) {
            seen = null;
        }
        return seen == null;
    }

    /** Forgets all Nodes but these: some may have left while nobody looked. */
    synchronized void retain(Set<String> nodes) {
        blocked.keySet().retainAll(nodes);
        uninitialized.keySet().retainAll(nodes);
        warnings.keySet().retainAll(nodes);
    }

    /**
     * Messages by reason, for Events: of each reason the first.
     *
     * @param lasting whether what is wrong has lasted
     */
    synchronized Map<String, String> messages(boolean lasting) {
        Map<String, String> messages = new TreeMap<>();
        Map<String, String> ofNodes = new TreeMap<>();
        warnings.values().stream().flatMap(List::stream).sorted(Comparator.comparing(Warning::message))
                .forEach(warning -> (warning.reason().ofNode() ? ofNodes : messages)
                        .putIfAbsent(warning.reason().text(), warning.message()));
        blocked.values().stream().filter(note -> note.atOnce || lasting)
                .forEach(note -> ofNodes.putIfAbsent(note.by.reason(), note.by.message()));
        said.keySet().retainAll(ofNodes.keySet());
        ofNodes.forEach(said::putIfAbsent);
        messages.putAll(said);
        return messages;
    }

    /** The worst of it, for a condition. */
    synchronized Optional<Blocked> worst() {
        Optional<String> gravest = blocked.values().stream().map(note -> note.by.reason())
                .min(Comparator.<String>comparingInt(REASONS::indexOf).thenComparing(Comparator.naturalOrder()));
        if (gravest.isPresent()) {
            return Optional.of(new Blocked(gravest.get(), Listed.of(blocked.values().stream().map(Note::by)
                    .filter(by -> by.reason().equals(gravest.get())).map(Blocked::message).toList())));
        }
        List<Warning> left = warnings.values().stream().flatMap(List::stream)
                .filter(warning -> warning.reason().leftOut()).distinct()
                .sorted(Comparator.comparing(Warning::reason).thenComparing(Warning::message)).toList();
        return left.stream().findFirst().map(first -> new Blocked(first.reason().text(),
                Listed.of(left.stream().map(Warning::message).toList())));
    }

    /** Nodes that have borne the initialization taint since {@code before}, or longer, and since when. */
    synchronized Optional<String> uninitialized(Instant before) {
        List<String> nodes = uninitialized.entrySet().stream().filter(entry -> !entry.getValue().isAfter(before))
                .map(entry -> entry.getKey() + " since " + entry.getValue()).toList();
        return nodes.isEmpty() ? Optional.empty() : Optional.of(Listed.of(nodes));
    }

    /** How long until one more Node has borne it since before then; empty if none is left that could. */
    synchronized Optional<Duration> untilNext(Instant before) {
        return uninitialized.values().stream().filter(since -> since.isAfter(before)).min(Comparator.naturalOrder())
                .map(since -> Duration.between(before, since));
    }
}
