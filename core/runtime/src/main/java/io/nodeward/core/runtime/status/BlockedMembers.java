package io.nodeward.core.runtime.status;

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

/** What blocks members, by the owners that report it. Safe for many threads. */
final class BlockedMembers<K extends Comparable<K>> {
    /** In a message. */
    private static final int NAMED = 3;

    private final LastingStatus.Text text;
    private final Map<K, Member<K>> byKey = new HashMap<>();
    private final Map<K, SortedMap<K, Member<K>>> byOwner = new HashMap<>();

    /** @param name as messages have it */
    record Member<K>(K owner, String name, Blocked by) {}

    BlockedMembers(LastingStatus.Text text) {
        this.text = text;
    }

    /** Returns the owners that may have something else to report than before. */
    synchronized Set<K> put(K key, Member<K> member) {
        Member<K> before = byKey.put(key, member);
        if (member.equals(before)) {
            return Set.of();
        }
        leave(key, before);
        byOwner.computeIfAbsent(member.owner, owner -> new TreeMap<>()).put(key, member);
        return Stream.of(before, member).filter(Objects::nonNull).map(Member::owner).collect(Collectors.toSet());
    }

    /** Likewise. */
    synchronized Set<K> remove(K key) {
        Member<K> before = byKey.remove(key);
        leave(key, before);
        return before == null ? Set.of() : Set.of(before.owner);
    }

    private void leave(K key, @Nullable Member<K> before) {
        if (before != null) {
            byOwner.computeIfPresent(before.owner, (owner, all) -> {
                all.remove(key);
                return all.isEmpty() ? null : all;
            });
        }
    }

    /** The owner is gone. */
    synchronized void forgetOwner(K owner) {
        SortedMap<K, Member<K>> all = byOwner.remove(owner);
        if (all != null) {
            byKey.keySet().removeAll(all.keySet());
        }
    }

    /** By reason: the first members that it blocks, and what blocks the first of them. */
    synchronized SortedMap<String, String> messages(K owner) {
        SortedMap<String, String> messages = new TreeMap<>();
        byReason(owner).forEach((reason, all) -> messages.put(reason, message(all, all.size())));
        return messages;
    }

    /** Likewise of the first reason alone; those that other reasons block are others. */
    synchronized Optional<Blocked> worst(K owner) {
        SortedMap<String, List<Member<K>>> byReason = byReason(owner);
        int members = byReason.values().stream().mapToInt(List::size).sum();
        return byReason.entrySet().stream().findFirst()
                .map(first -> new Blocked(first.getKey(), message(first.getValue(), members)));
    }

    private SortedMap<String, List<Member<K>>> byReason(K owner) {
        return byOwner.getOrDefault(owner, new TreeMap<>()).values().stream().collect(
                Collectors.groupingBy(member -> member.by.reason(), TreeMap::new, Collectors.toList()));
    }

    private String message(List<Member<K>> all, int members) {
        List<String> names = all.stream().limit(NAMED).map(Member::name).toList();
        return text.of(names, names.size() < members, all.getFirst().by.message());
    }
}
