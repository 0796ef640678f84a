package io.nodeward.core.rules.dedicated;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Which groups are in force beside each other. What is established stays in force; what is declared anew comes into force
 * unless it contradicts that. Of two that are declared anew, the one with the bytewise first name comes first, also while it
 * waits for its pods.
 *
 * @param groups in force
 * @param byName all that are declared
 */
public record Resolution(Groups groups, SortedMap<String, Resolved> byName) {
    /** @param features what is done to pods: those that exist get the tolerations that they lack before their Nodes get the taint */
    public static Resolution of(Collection<DeclaredGroup> declared, ClusterView view, PodFeatures features) {
        List<DeclaredGroup> sorted = declared.stream().sorted(Comparator.comparing(DeclaredGroup::name)).toList();
        Resolver resolver = new Resolver(sorted, view, features);
        sorted.stream().filter(DeclaredGroup::enforces).forEach(resolver::enforce);
        resolver.tryOutAll(sorted.stream().filter(group -> !group.enforces()).toList());
        return resolver.resolution();
    }

    /**
     * Returns the groups as they are after the releases that go on now: without the Nodes that they give up.
     *
     * @param enforced the groups that Nodes have now
     * @param gone names of groups that do not exist any more; those that are not releasing give up their Nodes at once
     */
    public Groups afterReleases(Groups enforced, Predicate<String> gone) {
        Groups after = enforced;
        for (Group group : enforced.all()) {
            Optional<Resolved> resolved = find(group.name());
            if (resolved.filter(Resolved::isReleasing).isPresent() || gone.test(group.name())) {
                Groups without = after.without(group.name());
                after = resolved.flatMap(Resolved::next).map(without::with).orElse(without);
            }
        }
        return after;
    }

    /** Returns whether any group gives up Nodes one after the other. */
    public boolean isReleasing() {
        return releasing().findAny().isPresent();
    }

    /** Returns the groups that give up Nodes one after the other, each as it is in force. */
    Stream<Group> releasing() {
        return byName.values().stream().filter(Resolved::isReleasing).flatMap(group -> group.inForce().stream());
    }

    /**
     * Returns the same for these groups, if they amount to the same: nothing of them has changed, or the status of some has come to
     * say what is established. A group that was refused may have been so for what the status of another said before.
     */
    Optional<Resolution> recorded(List<DeclaredGroup> now) {
        if (now.equals(byName.values().stream().map(Resolved::declared).toList())) {
            return Optional.of(this);
        }
        SortedMap<String, Resolved> all = new TreeMap<>();
        now.forEach(group -> find(group.name()).filter(Resolved::accepted).filter(known -> Stream.of(known.declared(),
                known.declared().with(known.declared().desired(), known.established())).anyMatch(group::equals))
                .ifPresent(known -> all.put(
                        group.name(), new Resolved(group, known.inForce(), known.conflicts(), true))));
        return Optional.of(new Resolution(groups, all))
                .filter(same -> now.size() == all.size() && byName.keySet().equals(all.keySet()));
    }

    /**
     * Returns whether a group waits until its pods tolerate its taint: each pod may end that. No pod ends that a group contradicts
     * another.
     */
    boolean awaitsPods(PodFeatures features) {
        return byName.values().stream().filter(group -> group.accepted() || group.awaitsPods()).map(Resolved::declared)
                .anyMatch(group -> group.enforces() && (features.any() || group.desired().shared())
                        && !group.applied().equals(Optional.of(group.desired())));
    }

    /** Returns the group of this name. */
    public Optional<Resolved> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    private static final class Resolver {
        private final Contradictions contradictions;
        private final SortedMap<String, Resolved> byName = new TreeMap<>();
        private final List<Group> waiting = new ArrayList<>();
        /** Why groups that enforce nothing any more still have their Nodes. */
        private final Map<String, Conflict> releases = new HashMap<>();
        private Groups groups;

        Resolver(List<DeclaredGroup> declared, ClusterView view, PodFeatures features) {
            contradictions = new Contradictions(declared, view, features);
            groups = new Groups(declared.stream()
                    .filter(DeclaredGroup::enforces)
                    .flatMap(group -> group.held().stream())
                    .toList());
            declared.stream().filter(group -> !group.enforces())
                    .flatMap(group -> group.held().filter(Group::isEnforced).stream()).forEach(this::release);
        }

        private void release(Group held) {
            contradictions.releases(held, Optional.empty(), groups).ifPresent(conflict -> {
                releases.put(held.name(), conflict);
                groups = groups.with(held);
            });
        }

        /** A group may make room for others that were decided before it: they are decided again when its status changes. */
        void enforce(DeclaredGroup declared) {
            Group wanted = new Group(declared.name(), declared.desired());
            List<Conflict> conflicts = conflicts(declared, wanted);
            if (conflicts.isEmpty()) {
                groups = groups.with(wanted);
            }
            Resolved resolved = new Resolved(declared, groups.find(declared.name()), conflicts, conflicts.isEmpty());
            if (resolved.awaitsPods()) {
                waiting.add(wanted);
            }
            put(resolved);
        }

        /** What is established already is not tried again. */
        private List<Conflict> conflicts(DeclaredGroup declared, Group wanted) {
            if (declared.applied().filter(declared.desired()::declaresAs).isPresent()) {
                return Contradictions.fault(wanted).stream().toList();
            }
            List<Conflict> conflicts = new ArrayList<>(contradictions.of(wanted, groups));
            waiting.stream().flatMap(other -> contradictions.betweenTried(wanted, other).stream()).findFirst()
                    .filter(first -> conflicts.isEmpty()).ifPresent(conflicts::add);
            return conflicts.isEmpty()
                    ? contradictions.losesAllNodes(wanted, groups)
                            .or(() -> contradictions.ofPods(wanted, groups, declared.refusesDaemonSets()))
                            .or(() -> declared.held()
                                    .flatMap(held -> contradictions.releases(held, Optional.of(wanted), groups)))
                            .stream().toList()
                    : conflicts;
        }

        /** Beside each other too: of two that contradict, only one could be enforced. */
        void tryOutAll(List<DeclaredGroup> declared) {
            List<Group> tried = declared.stream().map(group -> new Group(group.name(), group.desired())).toList();
            for (int i = 0; i < tried.size(); i++) {
                put(tryOut(declared.get(i), tried.get(i), tried));
            }
        }

        private Resolved tryOut(DeclaredGroup declared, Group wanted, List<Group> tried) {
            Conflict release = releases.get(declared.name());
            if (release != null) {
                return new Resolved(declared, declared.held(), List.of(release), false);
            }
            List<Conflict> conflicts = new ArrayList<>(contradictions.of(wanted, groups));
            Optional<Group> warned = wanted.isWarned() && conflicts.isEmpty() ? Optional.of(wanted) : Optional.empty();
            Stream.concat(waiting.stream(), tried.stream())
                    .forEach(other -> conflicts.addAll(contradictions.betweenTried(wanted, other)));
            return new Resolved(declared, warned, conflicts, conflicts.isEmpty());
        }

        private void put(Resolved resolved) {
            byName.put(resolved.declared().name(), resolved);
        }

        Resolution resolution() {
            List<Group> all = byName.values().stream().flatMap(each -> each.inForce().stream()).toList();
            for (Resolved each : List.copyOf(byName.values())) {
                if (!each.accepted()) {
                    each.conflicts().forEach(conflict -> tellOther(each.declared(), conflict));
                } else if (each.established().isPresent()) {
                    contradictions.betweenEstablished(each.inForce().orElseThrow(), groups)
                            .forEach(conflict -> tell(each.declared().name(), conflict));
                }
            }
            return new Resolution(new Groups(all), byName);
        }

        private void tell(String name, Conflict conflict) {
            byName.computeIfPresent(name, (same, resolved) -> resolved.with(conflict));
        }

        /** One that is only tried has found the same by itself. */
        private void tellOther(DeclaredGroup refused, Conflict conflict) {
            if (groups.find(conflict.other()).isEmpty()) {
                return;
            }
            tell(conflict.other(), new Conflict(conflict.reason(), refused.name(), "DedicatedNodes " + refused.name()
                    + " contradicts this one, which is established: " + conflict.message()));
        }
    }
}
