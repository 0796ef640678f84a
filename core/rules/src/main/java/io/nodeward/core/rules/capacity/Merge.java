package io.nodeward.core.rules.capacity;

import io.nodeward.api.meta.Reason;
import io.nodeward.core.rules.validation.Warning;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Brings what is declared into an annotation that users write too. What is declared comes first, in its order and with
 * a user's entry in its place where there is one, then users' other entries, then what cannot be read.
 */
final class Merge {
    private final Syntax syntax;
    private final String annotation;
    private final @Nullable String text;
    private final @Nullable String tracking;
    private final List<Warning> warnings;
    private final Owned owned;
    private final List<Entry> before = new ArrayList<>();
    private final Map<String, Entry> users = new LinkedHashMap<>();
    private final Map<String, Entry> managed = new LinkedHashMap<>();
    private final List<String> unreadable = new ArrayList<>(0);
    private final Map<String, Entry> after = new LinkedHashMap<>();
    private final boolean adopts;
    private boolean adopted;

    /**
     * Reads what is there.
     *
     * @param annotations of the node group
     * @param annotation the one that the autoscaler reads
     * @param trackedBy the one that says what of it is ours
     * @param adopts whether a user's entry that says what is declared becomes ours
     * @param warnings takes what is wrong with the two
     */
    Merge(
            Syntax syntax,
            Map<String, String> annotations,
            String annotation,
            String trackedBy,
            boolean adopts,
            List<Warning> warnings) {
        this.syntax = syntax;
        this.annotation = annotation;
        this.text = annotations.get(annotation);
        this.tracking = annotations.get(trackedBy);
        this.adopts = adopts;
        this.warnings = warnings;
        this.owned = Owned.read(syntax, trackedBy, tracking == null ? "" : tracking, warnings);
        for (String piece : (text == null ? "" : text).split(",", -1)) {
            syntax.read(piece).ifPresentOrElse(this::take, () -> skip(piece));
        }
    }

    private void take(Entry entry) {
        before.add(entry);
        if (owned.has(entry)) {
            managed.put(entry.id(), entry);
            return;
        }
        // A Node has one of them: the later, as an autoscaler of 1.36 or later reads it.
        Entry earlier = users.put(entry.id(), entry);
        if (earlier != null && !earlier.value().equals(entry.value())) {
            warn(Reason.DUPLICATE_CAPACITY, earlier, "is outdone by \"" + entry.text() + '"');
        }
        if (!syntax.isWritable(entry)) {
            warn(Reason.UNREADABLE_CAPACITY, entry, "says nothing that a Node can have; it is kept as it is");
        }
    }

    private void skip(String piece) {
        if (piece.isEmpty()) {
            return;
        }
        unreadable.add(piece);
        String hint = syntax.read(piece.strip()).isPresent() ? ": there is a blank too many" : "";
        warnings.add(new Warning(Reason.UNREADABLE_CAPACITY, "annotation " + annotation + ": \"" + piece
                + "\" is skipped by the autoscaler, as it is not " + syntax.form() + hint + "; it is kept as it is"));
    }

    /**
     * Decides.
     *
     * @param wanted what is declared, by id and in its order
     * @param read what the autoscaler may read elsewhere, by id: a user's entry wins over it as well
     * @param stays ids of what is not wanted but must not be removed where it is ours
     */
    CapacityPlan plan(Map<String, Entry> wanted, Map<String, Entry> read, Predicate<String> stays) {
        wanted.values().forEach(this::want);
        read.values().stream().filter(entry -> !wanted.containsKey(entry.id())).forEach(this::compare);
        managed.forEach((id, entry) -> {
            if (stays.test(id) && !users.containsKey(id)) {
                after.putIfAbsent(id, entry);
            }
        });
        users.forEach(after::putIfAbsent);
        // Where nothing of ours is or is to be, users' text is none of our business, whatever it says.
        boolean concerned = !wanted.isEmpty() || !managed.isEmpty();
        boolean rewritten = concerned && !canonical(before).equals(canonical(after.values()));
        // Tracked, but neither there nor declared: should a user write it one day, it would be taken for ours.
        boolean forgotten = owned.ids().stream()
                .anyMatch(id -> !isManaged(id) && !wanted.containsKey(id) && !stays.test(id));
        boolean due = rewritten || forgotten || adopted;
        return new CapacityPlan(
                rewritten ? joined() : Optional.ofNullable(text),
                due ? tracked() : Optional.ofNullable(tracking),
                rewritten,
                due,
                warnings);
    }

    /** Whether an entry of ours is there in the end. */
    private boolean isManaged(String id) {
        return after.containsKey(id) && !users.containsKey(id);
    }

    /** Decides that nothing of ours is to be left. */
    CapacityPlan withdraw() {
        CapacityPlan users = plan(Map.of(), Map.of(), id -> false);
        return new CapacityPlan(
                users.text(), Optional.empty(), users.changesText(), tracking != null, users.warnings());
    }

    private void want(Entry wanted) {
        adopt(wanted);
        Entry there = users.get(wanted.id());
        if (there == null) {
            Entry own = managed.get(wanted.id());
            after.put(wanted.id(), own != null && own.value().equals(wanted.value()) ? own : wanted);
            return;
        }
        after.put(wanted.id(), there);
        compare(wanted);
    }

    private void adopt(Entry wanted) {
        Entry there = users.get(wanted.id());
        if (adopts && there != null && there.value().equals(wanted.value())) {
            managed.put(wanted.id(), there);
            users.remove(wanted.id());
            adopted = true;
        }
    }

    private void compare(Entry declared) {
        Entry there = users.get(declared.id());
        if (there != null && !there.value().equals(declared.value())) {
            warn(Reason.CAPACITY_OVERRIDE, there, "is used in place of what is declared: \"" + declared.text() + '"');
        }
    }

    private Set<String> canonical(Collection<Entry> entries) {
        return entries.stream().map(syntax::canonical).collect(Collectors.toSet());
    }

    private Optional<String> joined() {
        List<String> pieces = new ArrayList<>(after.size() + unreadable.size());
        after.values().forEach(entry -> pieces.add(entry.text()));
        pieces.addAll(unreadable);
        return pieces.isEmpty() ? Optional.empty() : Optional.of(String.join(",", pieces));
    }

    private Optional<String> tracked() {
        // Keys, values and effects of ours are ASCII: the order of Strings is the order of their bytes.
        TreeSet<String> entries = new TreeSet<>();
        after.forEach((id, entry) -> {
            if (isManaged(id)) {
                entries.add(syntax.canonical(entry));
            }
        });
        return entries.isEmpty() ? Optional.empty() : Optional.of(String.join(",", entries));
    }

    private void warn(Reason reason, Entry entry, String what) {
        warnings.add(new Warning(reason, "annotation " + annotation + ": \"" + entry.text() + "\" " + what));
    }
}
