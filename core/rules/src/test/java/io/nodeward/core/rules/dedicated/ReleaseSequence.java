package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.group;
import static io.nodeward.core.rules.dedicated.Make.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.dedicated.DedicatedEffect;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One sequence, which checks each step against what may happen. */
final class ReleaseSequence {
    private static final int NODES = 12;
    private static final List<String> NAMES = List.of("g", "h");
    private static final Map<String, Group> ALL = Map.of("g", make("g").ready(), "h", make("h").ready());
    private static final List<Node> TAINTED = IntStream.range(0, NODES).mapToObj(i -> "n" + i)
            .map(name -> Make.after(node(name), make("g").names(name), make("h").names(name))).toList();

    /** How often something happened that an invariant speaks of. */
    private final Map<String, Integer> seen;
    final List<String> log = new ArrayList<>();
    private final Random random;
    private final DedicatedWorld world;
    /** The specs that Nodes have the taint for, by group: each was recorded, and was not given up as the rules demand. */
    private final Map<String, DedicatedNodesSpec> truth = new HashMap<>();
    /** What was desired of each group when it was last folded in. */
    private final Map<String, Optional<DedicatedNodesSpec>> desired = new HashMap<>();
    /** Names of a Node and a group that gave it up. */
    private final Set<String> released = new HashSet<>();
    private final Map<String, Node> nodes = new HashMap<>();
    /** Names of a Node and of a group whose taint it has, with an effect that keeps pods off. */
    private final Set<String> held = new HashSet<>();
    private final NodeSets sets = new NodeSets();
    private final Releases state = new Releases(this::cached, Make::members, List::of);
    /** Names of the Nodes that are to be looked at: an event, or the end of a wait, brings each of them. */
    private final Set<String> woken = new HashSet<>();
    private Optional<Resolution> stale = Optional.empty();
    private Resolution latest = new Resolution(new Groups(List.of()), new TreeMap<>());
    private List<DeclaredGroup> compared = List.of();
    private boolean differs;

    ReleaseSequence(long seed, Map<String, Integer> seen) {
        this.seen = seen;
        random = new Random(seed);
        world = new DedicatedWorld(random);
        TAINTED.forEach(this::put);
        state.start();
        for (String name : NAMES) {
            DedicatedNodesSpec all = spec(name, 0, NODES, EnforcementMode.Enforce);
            write(name, all, Optional.of(all));
            fold(name);
        }
        state.takeDiffering(); // each Node has what it has to have
    }

    private Optional<CustomResource<DedicatedNodes>> cached(ObjectKey group) {
        return Optional.ofNullable(world.groups.get(group));
    }

    private Optional<DedicatedNodes> cached(String name) {
        return cached(ObjectKey.clusterScoped(name)).map(CustomResource::spec);
    }

    /** Brings the Nodes of groups that differ. */
    private void wake() {
        state.takeDiffering().forEach(
                group -> nodes.values().stream().filter(group::selects).forEach(node -> woken.add(node.key().name())));
    }

    private static Make make(String name) {
        return group(name).taint("example.com/" + name, "x", DedicatedEffect.NoSchedule);
    }

    private void put(Node node) {
        nodes.put(node.key().name(), node);
        sets.put(node);
        NAMES.forEach(name -> held.remove(node.key().name() + name));
        NAMES.stream().filter(name -> DedicatedNodePlan.isHeld(node, ALL.get(name)))
                .forEach(name -> held.add(node.key().name() + name));
        differs = true;
    }

    /** Computed anew if a group or a Node differs. */
    private Resolution resolution() {
        List<DeclaredGroup> all = state.declared().all();
        if (differs || !all.equals(compared)) {
            latest = Make.resolution(all, new ListedCluster(sets, List.of(), Make.members()));
            compared = all;
            differs = false;
            state.compared(latest);
        }
        return latest;
    }

    void step() {
        String name = NAMES.get(random.nextInt(NAMES.size()));
        int what = random.nextInt(16);
        stale = what < 8 && random.nextInt(4) == 0 ? Optional.of(resolution()) : Optional.empty();
        switch (what) {
            case 0, 1 -> edit(name, random(name));
            case 2 -> Optional.ofNullable(truth.get(name)).filter(back -> cached(name).isPresent())
                    .ifPresent(back -> edit(name, back));
            case 3 -> delete(name);
            case 4 -> write(name, spec(name), Optional.empty());
            case 5, 6, 7 -> fold(name);
            case 8, 9, 10 -> reconcile(name);
            default -> reconcileNodes();
        }
        if (stale.isPresent()) {
            reconcileNodes();
        }
        wake();
    }

    private DedicatedNodesSpec random(String name) {
        return switch (random.nextInt(9)) {
            case 0 -> spec(name, 0, 1, EnforcementMode.Audit);
            case 1 -> spec(name, 0, NODES, EnforcementMode.Audit);
            case 2 -> spec(name, 0, NODES, EnforcementMode.Warn);
            case 3 -> spec(name, NODES - 1, NODES, EnforcementMode.Enforce);
            case 4 -> spec(name, random.nextInt(NODES), NODES, EnforcementMode.Enforce);
            case 5 -> spec(name, 0, 0, EnforcementMode.Enforce);
            case 6 ->
                    make(name).effects(DedicatedEffect.PreferNoSchedule).names(names(random.nextInt(2), NODES)).spec();
            default -> spec(name, 0, NODES, EnforcementMode.Enforce);
        };
    }

    private static DedicatedNodesSpec spec(String name, int from, int to, EnforcementMode mode) {
        return make(name).names(names(from, to)).mode(mode).spec();
    }

    private static String[] names(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "n" + i).toArray(String[]::new);
    }

    private DedicatedNodesSpec spec(String name) {
        return cached(name).map(DedicatedNodes::spec).orElseGet(() -> random(name));
    }

    /** A group that does not exist is created, which drops a status. */
    private void edit(String name, DedicatedNodesSpec spec) {
        write(name, spec, cached(name).flatMap(DedicatedNodes::applied));
    }

    private void write(String name, DedicatedNodesSpec spec, Optional<DedicatedNodesSpec> applied) {
        log.add(name + " is " + text(spec) + " over " + applied.map(this::text));
        world.group(name, spec, applied, false);
    }

    private String text(DedicatedNodesSpec spec) {
        return spec.enforcement() + " " + spec.nodes().names() + " " + spec.taint().effects();
    }

    private void delete(String name) {
        log.add("delete " + name);
        world.groups.remove(ObjectKey.clusterScoped(name));
    }

    /** The listener of the cache, late or twice. */
    private void fold(String name) {
        log.add("fold " + name);
        Optional<DedicatedNodes> now = cached(name);
        state.apply(ObjectKey.clusterScoped(name));
        Declared once = state.declared();
        state.apply(ObjectKey.clusterScoped(name));
        assertThat(state.declared()).as("the second time").isSameAs(once);
        now.flatMap(DedicatedNodes::applied).ifPresent(applied -> truth.put(name, applied));
        desired.put(name, now.map(DedicatedNodes::spec));
        nodes.keySet().stream().filter(node -> selects(desired.get(name), node))
                .filter(node -> released.remove(node + name)).forEach(node -> count("put back"));
        if (now.isEmpty() && resolution().find(name).filter(Resolved::isReleasing).isPresent()) {
            count("deleted while it releases");
        }
    }

    /** What the controller does for a group. */
    private void reconcile(String name) {
        log.add("reconcile " + name);
        Optional<DedicatedNodes> found = cached(name);
        Optional<Resolved> resolved = resolution().find(name);
        if (found.isEmpty()) {
            if (state.findDeleted(name).isPresent() && resolved.filter(Resolved::isReleasing).isEmpty()) {
                end(name, Optional.empty());
                state.forget(name);
            }
            return;
        }
        resolved.filter(known -> known.declared().desired().equals(found.get().spec())).ifPresent(known -> {
            state.decide(known);
            end(name, known.established());
            write(name, found.get().spec(), known.established());
        });
    }

    /** What is in force may shrink by few Nodes, or when all that are many have lost the taint. */
    private void end(String name, Optional<DedicatedNodesSpec> next) {
        DedicatedNodesSpec last = truth.get(name);
        if (last == null || next.equals(Optional.of(last))) {
            return;
        }
        if (areMany(last, next)) {
            assertThat(leaving(last, next)).as("have lost the taint of " + name).noneMatch(node -> has(node, name));
        }
        if (next.isEmpty()) {
            truth.remove(name);
        }
    }

    private List<String> leaving(DedicatedNodesSpec last, Optional<DedicatedNodesSpec> next) {
        return last.nodes().names().stream().filter(node -> !selects(next, node)).toList();
    }

    private boolean areMany(DedicatedNodesSpec last, Optional<DedicatedNodesSpec> next) {
        int count = leaving(last, next).size();
        return count > 10 && count * 10 > last.nodes().names().size();
    }

    private boolean selects(Optional<DedicatedNodesSpec> spec, String node) {
        return spec.filter(known -> known.enforcement() == EnforcementMode.Enforce)
                .filter(known -> known.taint().effects().contains(DedicatedEffect.NoSchedule))
                .filter(known -> known.nodes().names().contains(node)).isPresent();
    }

    private boolean has(String node, String name) {
        return held.contains(node + name);
    }

    private void reconcileNodes() {
        int turn = random.nextInt(2 * NODES);
        boolean all = random.nextInt(4) == 0; // a long time passes
        int from = random.nextInt(NODES);
        int to = random.nextInt(3) == 0 ? from + NODES : from + 3;
        log.add("Nodes from " + from + " to " + to + ", the turn is of " + (all ? "all" : turn)
                + (stale.isPresent() ? ", stale" : ""));
        for (int i = from; i < to; i++) {
            reconcile("n" + i % NODES, all || i % NODES == turn);
        }
    }

    private void reconcile(String node, boolean turn) {
        Optional<Resolution> compared = state.mayGiveUp(nodes.get(node))
                ? stale.or(() -> Optional.of(resolution()))
                : Optional.empty();
        Releases.Release release = state.of(nodes.get(node), compared);
        boolean goes = release.by().isEmpty() || turn;
        woken.remove(node);
        if (!goes) {
            woken.add(node);
        }
        Set<String> before = Set.copyOf(held);
        write(node, release.share(goes));
        for (String name : NAMES) {
            if (before.contains(node + name) && !has(node, name)) {
                loses(node, name, goes && release.by().contains(name));
            } else if (has(node, name) && !before.contains(node + name)) {
                gains(node, name, compared);
            }
            if (stale.isEmpty() && isSettled(node, name)) {
                assertThat(release.by()).as("an edit that is put back ends the release").doesNotContain(name);
                assertThat(has(node, name)).as(node + " has " + name).isTrue();
            }
            if (released.contains(node + name) && selects(Optional.ofNullable(truth.get(name)), node) && compared
                    .flatMap(all -> all.find(name)).filter(Resolved::accepted).isPresent()) {
                count("over before the status says so");
            }
        }
        count(stale.filter(compared.stream().toList()::contains).isPresent() ? "stale" : goes ? "went" : "waited");
    }

    private void write(String node, Releases.Share share) {
        NodeChange change = DedicatedNodePlan.of(nodes.get(node), Stream.concat(
                share.groups().stream().map(group -> new Placed(group, true)),
                share.kept().stream().map(Placed::kept)).toList()).change();
        if (!change.isEmpty()) {
            put(change.applyTo(nodes.get(node), "2"));
        }
    }

    /** Returns whether the Node has the taint for what is declared and in force. */
    private boolean isSettled(String node, String name) {
        return state.declared().enforced().find(name)
                .filter(group -> Optional.of(group.spec()).equals(desired.get(name)))
                .filter(group -> selects(Optional.of(group.spec()), node)).isPresent();
    }

    private void loses(String node, String name, boolean inTurn) {
        DedicatedNodesSpec last = truth.get(name);
        Optional<DedicatedNodesSpec> wanted = desired.getOrDefault(name, Optional.empty());
        if (selects(Optional.ofNullable(last), node)) {
            assertThat(selects(wanted, node)).as(node + " loses " + name + " that declares it").isFalse();
            assertThat(inTurn || !areMany(last, wanted)).as(node + " loses " + name + " in its turn").isTrue();
        }
        count(inTurn ? "lost in turn" : "lost at once");
        if (inTurn) {
            released.add(node + name);
        }
    }

    /** Where an edit is refused, what was in force stays. */
    private void gains(String node, String name, Optional<Resolution> compared) {
        if (released.remove(node + name)) {
            assertThat(compared.flatMap(all -> all.find(name))
                    .filter(known -> !known.accepted() && !known.isReleasing()))
                    .as(node + " gets " + name + " back")
                    .isPresent();
            count("refused");
        }
    }

    /** Each release ends, although nobody looks at a Node that nothing brings, and nothing is remembered that a state from scratch does not know. */
    void settle() {
        stale = Optional.empty();
        for (int round = 0; round < 3; round++) {
            NAMES.forEach(this::fold);
            NAMES.forEach(this::reconcile);
            NAMES.forEach(this::fold);
            wake();
            List.copyOf(woken).forEach(node -> reconcile(node, true));
        }
        NAMES.forEach(this::reconcile);
        NAMES.forEach(this::fold);
        wake();
        List.copyOf(woken).forEach(node -> reconcile(node, true));
        assertThat(resolution().isReleasing()).isFalse();
        Releases scratch = new Releases(this::cached, Make::members, List::of);
        scratch.start();
        world.groups.keySet().forEach(scratch::apply);
        Resolution compared = resolution();
        world.groups.keySet().forEach(key -> scratch.decide(compared.find(key.name()).orElseThrow()));
        assertThat(state.groups).isEqualTo(scratch.groups);
        nodes.values().forEach(node -> assertThat(NAMES.stream().filter(name -> has(node.key().name(), name))
                .toList()).isEqualTo(scratch.declared().enforced().all().stream()
                        .filter(group -> selects(Optional.of(group.spec()), node.key().name())).map(Group::name)
                        .toList()));
    }

    private void count(String what) {
        seen.merge(what, 1, Integer::sum);
    }
}
