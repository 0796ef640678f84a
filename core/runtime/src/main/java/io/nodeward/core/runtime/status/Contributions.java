package io.nodeward.core.runtime.status;

import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Finding;
import io.nodeward.api.meta.Reason;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the members of one owner contribute to its status: all that is not as it should be. */
final class Contributions {
    /** In a message. */
    private static final int NAMED = 3;

    private final OwnerPolicy<?> policy;
    private final Debounce condition;
    private final SortedMap<String, Note> blocked = new TreeMap<>();
    private final SortedMap<String, Wait> awaited = new TreeMap<>();
    private final SortedMap<String, List<Finding>> findings = new TreeMap<>();

    /**
     * What blocks a member.
     *
     * @param name of the member
     * @param atOnce whether it is for an Event before it has lasted
     */
    record Note(String name, Blocked by, boolean atOnce) {}

    private record Wait(Awaited what, Instant since) {}

    /** What an Event reported, for as long as its reason stands: one Node more or less is no news. */
    private final Map<String, String> said = new TreeMap<>();

    /** Members that were looked at; null when all have been once. Until then it is not known that nothing is wrong. */
    private @Nullable Set<String> seen;

    /** @param every how often a condition changes its words */
    Contributions(OwnerPolicy<?> policy, Duration every) {
        this.policy = policy;
        this.seen = policy.onlyLasting() ? null : new HashSet<>();
        this.condition = new Debounce(policy.onlyLasting() ? Duration.ZERO : every);
    }

    /** What the owner's condition says. */
    Debounce condition() {
        return condition;
    }

    /** Each returns whether there may be something else to say. */
    synchronized boolean block(String member, Note note) {
        return see(member) | !note.equals(blocked.put(member, note));
    }

    synchronized boolean isBlocked(String member, Blocked by) {
        Note note = blocked.get(member);
        return note != null && note.by.equals(by);
    }

    synchronized boolean free(String member) {
        boolean freed = blocked.remove(member) != null;
        return see(member) | freed;
    }

    synchronized boolean find(String member, List<Finding> planned) {
        List<Finding> before = planned.isEmpty() ? findings.remove(member) : findings.put(member, planned);
        return !planned.equals(before == null ? List.of() : before);
    }

    synchronized boolean look(String member) {
        return see(member);
    }

    synchronized boolean await(String member, Optional<Awaited> what, Instant now) {
        return what.isPresent()
                ? awaited.putIfAbsent(member, new Wait(what.get(), now)) == null
                : awaited.remove(member) != null;
    }

    synchronized boolean forget(String member) {
        return free(member) | find(member, List.of()) | awaited.remove(member) != null;
    }

    private boolean see(String member) {
        return seen != null && seen.add(member);
    }

    /** Whether each of these was looked at once. Others are forgotten then: some may have left while nobody looked. */
    synchronized boolean areKnown(Set<String> members) {
        if (policy.onlyLasting()) {
            return true;
        }
        if (seen != null && !seen.containsAll(members)) {
            return false;
        }
        seen = null;
        blocked.keySet().retainAll(members);
        awaited.keySet().retainAll(members);
        findings.keySet().retainAll(members);
        return true;
    }

    /**
     * Messages by reason, for Events: of each reason the first.
     *
     * @param lasting whether what is wrong has lasted
     */
    synchronized Map<String, String> messages(boolean lasting) {
        Map<String, String> messages = new TreeMap<>();
        Map<String, String> ofMembers = new TreeMap<>();
        findings.values().stream().flatMap(List::stream).sorted(Comparator.comparing(Finding::message))
                .forEach(finding -> (finding.ofMember() ? ofMembers : messages)
                        .putIfAbsent(finding.reason(), finding.message()));
        byReason(lasting).forEach((reason, notes) -> ofMembers.putIfAbsent(reason, event(notes)));
        if (policy.onlyLasting()) {
            said.clear(); // messages name members, and change with them
        }
        said.keySet().retainAll(ofMembers.keySet());
        ofMembers.forEach(said::putIfAbsent);
        messages.putAll(said);
        return messages;
    }

    private SortedMap<String, List<Note>> byReason(boolean lasting) {
        return blocked.values().stream().filter(note -> note.atOnce || lasting).collect(Collectors.groupingBy(
                note -> note.by.reason(), () -> new TreeMap<>(Reason.MOST_SEVERE_FIRST), Collectors.toList()));
    }

    private String event(List<Note> notes) {
        return policy.onlyLasting() ? message(notes, notes.size()) : notes.getFirst().by.message();
    }

    /** @param members that are blocked, by this reason or another */
    private String message(List<Note> notes, int members) {
        List<String> names = notes.stream().limit(NAMED).map(Note::name).toList();
        return policy.text().map(text -> text.of(names, names.size() < members, notes.getFirst().by.message()))
                .orElseGet(() -> Listed.of(notes.stream().map(note -> note.by.message()).toList()));
    }

    /** The worst of it, for a condition. */
    synchronized Optional<Blocked> worst() {
        return byReason(true).entrySet().stream().findFirst()
                .map(gravest -> new Blocked(gravest.getKey(), message(gravest.getValue(), blocked.size())))
                .or(this::leftOut);
    }

    private Optional<Blocked> leftOut() {
        List<Finding> left = findings.values().stream().flatMap(List::stream).filter(Finding::leftOut).distinct()
                .sorted(Comparator.comparing(Finding::reason, Reason.MOST_SEVERE_FIRST).thenComparing(Finding::message))
                .toList();
        return left.stream().findFirst().map(first -> new Blocked(first.reason(),
                Listed.of(left.stream().map(Finding::message).toList())));
    }

    /** What has been awaited of members since {@code before}, or longer, and since when. */
    synchronized Optional<Blocked> awaited(Instant before) {
        List<String> late = awaited.entrySet().stream().filter(entry -> !entry.getValue().since.isAfter(before))
                .map(entry -> entry.getKey() + " since " + entry.getValue().since).toList();
        return late.isEmpty()
                ? Optional.empty()
                : awaited.values().stream().findFirst().map(wait -> wait.what.of(Listed.of(late)));
    }

    /** How long until one more member has been waited for since before then; empty if none is left that could. */
    synchronized Optional<Duration> untilNext(Instant before) {
        return awaited.values().stream().map(Wait::since).filter(since -> since.isAfter(before))
                .min(Comparator.naturalOrder()).map(since -> Duration.between(before, since));
    }

    /** Whether one of them may be about what is awaited. */
    synchronized boolean isAwaitedIn(List<Condition> conditions) {
        return conditions.stream().anyMatch(shown -> awaited.values().stream()
                .anyMatch(wait -> wait.what.reason().text().equals(shown.reason())));
    }
}
