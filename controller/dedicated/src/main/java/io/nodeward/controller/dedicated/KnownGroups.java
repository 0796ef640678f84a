package io.nodeward.controller.dedicated;

import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.core.rules.dedicated.DeclaredGroup;
import io.nodeward.core.rules.dedicated.Group;
import io.nodeward.core.rules.dedicated.Groups;
import io.nodeward.core.runtime.cache.ObjectCache;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The DedicatedNodes of the cache, and those that were deleted: what was in force of one that is deleted, or whose status is
 * lost, is still known, so that its Nodes do not all lose their taint at once. A restart forgets it.
 */
final class KnownGroups {
    private final ObjectCache<CustomResource<DedicatedNodes>> cache;
    /** Objects as they were when something was in force of them, by name. */
    private final Map<String, CustomResource<DedicatedNodes>> lost = new ConcurrentHashMap<>();
    /** Names of groups of which the controller lets nothing be in force: it empties their status itself. */
    private final Set<String> ended = ConcurrentHashMap.newKeySet();

    KnownGroups(ObjectCache<CustomResource<DedicatedNodes>> cache) {
        this.cache = cache;
    }

    /** Takes in a change of the cache. */
    void changed(@Nullable CustomResource<DedicatedNodes> before, @Nullable CustomResource<DedicatedNodes> after) {
        if (after != null && after.spec().applied().isPresent()) {
            lost.remove(after.key().name());
        } else if (before != null && before.spec().applied().isPresent()
                && (after == null || !ended.contains(before.key().name()))) {
            lost.put(before.key().name(), before);
        }
    }

    /**
     * Takes in what the controller decides about a group, before it writes the status: with nothing in force, an empty status is
     * its own work. Returns whether something was known that is forgotten now.
     */
    boolean decided(String name, boolean inForce) {
        if (inForce) {
            ended.remove(name);
            return false;
        }
        ended.add(name);
        return lost.remove(name) != null;
    }

    /** Returns each group with what is in force of it; a group that was deleted declares nothing but {@code Audit}. */
    List<CustomResource<DedicatedNodes>> all() {
        List<CustomResource<DedicatedNodes>> there = cache.all().stream().map(this::withApplied).toList();
        return lost.isEmpty()
                ? there
                : Stream.concat(there.stream(),
                        lost.values().stream().filter(this::isDeleted).map(KnownGroups::deleted))
                        .toList();
    }

    private CustomResource<DedicatedNodes> withApplied(CustomResource<DedicatedNodes> group) {
        CustomResource<DedicatedNodes> before = lost.get(group.key().name());
        return before == null || group.spec().applied().isPresent()
                ? group
                : with(group, group.spec().spec(), before.spec().applied());
    }

    private static CustomResource<DedicatedNodes> deleted(CustomResource<DedicatedNodes> group) {
        return with(group, group.spec().spec().withEnforcement(EnforcementMode.Audit), group.spec().applied());
    }

    private static CustomResource<DedicatedNodes> with(
            CustomResource<DedicatedNodes> group, DedicatedNodesSpec spec, Optional<DedicatedNodesSpec> applied) {
        return new CustomResource<>(group.metadata(), group.generation(), new DedicatedNodes(spec, applied),
                group.conditions(), group.status(), group.created());
    }

    private boolean isDeleted(CustomResource<DedicatedNodes> group) {
        return cache.get(group.key()).isEmpty();
    }

    /** Returns what Nodes get: what the status of each group says is in force. */
    Groups enforced() {
        return new Groups(all().stream()
                .flatMap(group -> applied(group).map(spec -> new Group(group.key().name(), spec)).stream()).toList());
    }

    /** Returns the groups that are to be enforced, and whose status does not say that they have been. */
    Groups unestablished() {
        return new Groups(all().stream().map(DeclaredGroup::of)
                .filter(group -> group.applied().isEmpty() && group.desired().enforcement() == EnforcementMode.Enforce)
                .map(group -> new Group(group.name(), group.desired())).toList());
    }

    /** Returns each group as its spec declares it and, if that is another, as it was last in force. */
    List<Group> declared() {
        return all().stream().flatMap(KnownGroups::declared).toList();
    }

    /** As its spec declares it and, if that is another, as it was last in force. */
    static Stream<Group> declared(CustomResource<DedicatedNodes> group) {
        return Stream.concat(Stream.of(group.spec().spec()), group.spec().applied().stream()).distinct()
                .map(spec -> new Group(group.key().name(), spec));
    }

    /** The spec that Nodes get, if they get one. */
    static Optional<DedicatedNodesSpec> applied(CustomResource<DedicatedNodes> group) {
        return group.spec().applied().filter(spec -> spec.enforcement() == EnforcementMode.Enforce);
    }

    /** Returns whether an edit of a group that is in force may give up some of its Nodes. */
    static boolean mayGiveUpNodes(CustomResource<DedicatedNodes> before, CustomResource<DedicatedNodes> after) {
        DedicatedNodesSpec old = before.spec().spec();
        DedicatedNodesSpec edited = after.spec().spec();
        return after.spec().applied().isPresent() && !(old.nodes().equals(edited.nodes())
                && old.shared() == edited.shared() && old.enforcement() == edited.enforcement());
    }

    /** Returns the group as it was when it was deleted, while anything is known of it. */
    Optional<CustomResource<DedicatedNodes>> findDeleted(String name) {
        return Optional.ofNullable(lost.get(name)).filter(this::isDeleted);
    }

    /** Forgets a group that does not exist; returns whether anything was in force of it. */
    boolean forget(String name) {
        ended.remove(name);
        return lost.remove(name) != null;
    }
}
