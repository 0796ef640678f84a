package io.nodeward.core.rules.node;

import static io.nodeward.core.rules.Fleet.UNINITIALIZED;
import static io.nodeward.core.rules.Fleet.always;
import static io.nodeward.core.rules.Fleet.once;
import static io.nodeward.core.rules.node.ProtocolState.NONE;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.Fleet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A server with one Node, its owner, others who edit the Node, and a controller that reads, plans with the planner
 * under test and writes. The server refuses a change if what is under test is not there any more, as {@link
 * io.nodeward.api.json.TestedPatch} says; changes that hold on a resourceVersion are refused in these cases too, and in
 * more.
 */
final class ProtocolModel {
    /** All resourceVersions in this model: none is compared. */
    private static final String VERSION = "42";

    private static final Taint BOOT = new Taint("boot", "", "NoSchedule",
            "{\"key\":\"boot\",\"effect\":\"NoSchedule\",\"timeAdded\":\"2026-01-02T03:04:05Z\"}");
    private static final Taint FOREIGN =
            new Taint("x", "1", "NoExecute",
                    "{\"effect\":\"NoExecute\",\"value\":\"1\",\"key\":\"x\",\"later\":{\"n\":1}}");
    private static final List<String> KEYS = List.of("a", "o");
    private static final Map<String, String> ROLE = Map.of("node-role.kubernetes.io/worker", "");
    private static final Map<String, String> POOL = Map.of("node.cluster.x-k8s.io/pool", "2");

    /** What the owner may come to declare: both taints in every propagation, both values, and labels that change. */
    private static final List<Declared> OWNERS = List.of(
            new Declared(ROLE),
            new Declared(ROLE, always("a", "1", "NoSchedule")),
            new Declared(ROLE, always("a", "2", "NoSchedule"), once("o", "", "NoSchedule")),
            new Declared(Map.of(), once("a", "1", "NoSchedule")),
            new Declared(POOL, always("o", "", "NoSchedule"), once("a", "2", "NoSchedule")));

    private final BiFunction<Owner, Node, NodeChange> planner;
    private final Function<Node, List<Object>> tested;
    private final List<Node> nodes = new ArrayList<>();
    private final Map<Node, Integer> nodeNumbers = new HashMap<>();
    private final List<Plan> plans = new ArrayList<>();
    private final Map<Plan, Integer> planNumbers = new HashMap<>();
    private final Map<Long, Integer> planned = new HashMap<>();
    private final Map<Long, Integer> written = new HashMap<>();
    private final Map<Long, String> settled = new HashMap<>();

    ProtocolModel(BiFunction<Owner, Node, NodeChange> planner) {
        this(planner, ProtocolModel::tested);
    }

    /** @param tested what a change holds on; the uid is not needed here, where plans have no memory */
    ProtocolModel(BiFunction<Owner, Node, NodeChange> planner, Function<Node, List<Object>> tested) {
        this.planner = planner;
        this.tested = tested;
        // Number 0 says "none" in a state.
        nodes.add(Fleet.fresh());
        plans.add(
                new Plan(NONE, new NodeChange("", "", Optional.empty(), new TreeMap<>(), new TreeMap<>()), List.of()));
    }

    static List<Object> tested(Node node) {
        List<Object> tested = new ArrayList<>(List.of(node.taints()));
        NodeChange.PLANNED_FROM.forEach(key -> tested.add(String.valueOf(node.metadata().annotations().get(key))));
        return tested;
    }

    List<ProtocolState> starts() {
        int node = number(Fleet.fresh(UNINITIALIZED, BOOT));
        List<ProtocolState> starts = new ArrayList<>();
        for (int owner = 0; owner < OWNERS.size(); owner++) {
            starts.add(new ProtocolState(node, owner, NONE, NONE, false, 0, false));
        }
        return starts;
    }

    /** What others may do next; each is one step of the depth that is explored. */
    List<ProtocolState> events(ProtocolState s) {
        List<ProtocolState> next = new ArrayList<>();
        for (int owner = 0; owner < OWNERS.size(); owner++) {
            if (owner != s.owner()) {
                next.add(s.ownerDeclares(owner));
            }
        }
        next.add(s.crashes());
        next.add(s.serverChanges(number(Fleet.fresh(UNINITIALIZED, BOOT))).registers().foreignIs(false));
        Node node = nodes.get(s.server());
        if (node.metadata().annotations().containsKey(ClusterApi.TAINTS_FROM_MACHINE)) {
            Map<String, String> lost = new TreeMap<>(node.metadata().annotations());
            lost.remove(ClusterApi.TAINTS_FROM_MACHINE);
            next.add(s.serverChanges(number(node(node.metadata().labels(), lost, node.taints()))).registers());
        }
        next.add(edited(s, FOREIGN, !s.foreign()).foreignIs(!s.foreign()));
        next.add(edited(s, Taint.of("a", "theirs", "NoSchedule"), true));
        next.add(edited(s, Taint.of("a", "", "NoSchedule"), false));
        next.add(edited(s, Taint.of("o", "", "NoSchedule"), false));
        return next;
    }

    /**
     * What the controller may do next, at any time and any number of times; planning from an old copy is one of them.
     */
    List<ProtocolState> steps(ProtocolState s) {
        List<ProtocolState> next = new ArrayList<>(3);
        next.add(s.reads());
        if (s.plan() != NONE) {
            next.add(writes(s));
        } else if (s.cache() != NONE) {
            next.add(s.plans(plan(s.owner(), s.cache())));
        }
        return next;
    }

    /** What is wrong after the controller's write that led from one state to the other; null if nothing is. */
    String wrongWrite(ProtocolState before, ProtocolState after) {
        if (before.plan() == NONE || after.plan() != NONE || before.server() == after.server()) {
            return null;
        }
        Declared declared = OWNERS.get(plans.get(before.plan()).owner);
        Node was = nodes.get(before.server());
        Node is = nodes.get(after.server());
        if (!is.taints().contains(BOOT) || is.taints().contains(FOREIGN) != before.foreign()) {
            return "a foreign taint is lost or came back";
        }
        boolean dropped = was.taints().contains(UNINITIALIZED) && !is.taints().contains(UNINITIALIZED);
        for (int bit = 0; bit < KEYS.size(); bit++) {
            boolean ours = (before.owned() >> bit & 1) == 1;
            boolean ensured = declared.isAlways(bit) || declared.isOnce(bit) && !before.initialized();
            Taint there = find(was, KEYS.get(bit));
            Taint now = find(is, KEYS.get(bit));
            if (now == null && there != null && !ours) {
                return "a taint that is not ours is removed";
            }
            if (now != null && !now.equals(there) && !ensured) {
                return there == null && declared.isOnce(bit)
                        ? "an OnInitialization taint is set a second time"
                        : "a taint is set that must not be";
            }
            if (now == null && ensured && dropped) {
                return "the initialization taint is gone before the declared taints are there";
            }
        }
        return dropped && !is.metadata().labels().equals(declared.labels)
                ? "the initialization taint is gone before the labels are there"
                : null;
    }

    /**
     * What is wrong if from now on nobody but the controller does anything; null if it converges to what is declared.
     */
    String wrongWhenQuiet(ProtocolState s) {
        int told = s.owned() << 2 | (s.initialized() ? 2 : 0) | (s.foreign() ? 1 : 0);
        long key = (long) s.server() << 16 | s.owner() << 8 | told;
        return settled.computeIfAbsent(key, k -> settle(s)).isEmpty() ? null : settled.get(key);
    }

    String describe(ProtocolState s) {
        String copy = s.cache() == s.server() ? "is current" : text(nodes.get(s.cache()));
        return "owner declares " + OWNERS.get(s.owner()).taints + "; Node " + text(nodes.get(s.server()))
                + (s.cache() == NONE ? "" : "; copy " + copy)
                + (s.plan() == NONE ? "" : "; about to write, " + (holds(s) ? "current" : "outdated"));
    }

    private String settle(ProtocolState s) {
        Declared declared = OWNERS.get(s.owner());
        ProtocolState now = s.crashes();
        for (int write = 0; write < 4; write++) {
            now = now.reads().plans(plan(now.owner(), now.server()));
            if (now.plan() == NONE) {
                return wrongAtRest(s, declared, nodes.get(now.server()));
            }
            ProtocolState after = writes(now);
            String wrong = wrongWrite(now, after);
            if (wrong != null) {
                return wrong;
            }
            now = after;
        }
        return "the controller writes without end";
    }

    private static String wrongAtRest(ProtocolState s, Declared declared, Node node) {
        for (int bit = 0; bit < KEYS.size(); bit++) {
            Taint taint = find(node, KEYS.get(bit));
            boolean ours = (s.owned() >> bit & 1) == 1;
            if (declared.isAlways(bit) && !declared.has(taint)) {
                return "a declared Always taint is missing at rest";
            }
            if (declared.isOnce(bit) && !s.initialized() && !declared.has(taint)) {
                return "an OnInitialization taint was never set";
            }
            if (ours && taint != null && !declared.isAlways(bit) && !declared.isOnce(bit)) {
                return "an owned taint stays although it is no longer declared";
            }
        }
        if (node.taints().contains(UNINITIALIZED)) {
            return "the initialization taint stays";
        }
        if (!declared.tracking.equals(node.metadata().annotations().get(ClusterApi.TAINTS_FROM_MACHINE))) {
            return "the tracking annotation is wrong at rest";
        }
        return node.metadata().labels().equals(declared.labels) ? "" : "labels are wrong at rest";
    }

    private ProtocolState writes(ProtocolState s) {
        Plan plan = plans.get(s.plan());
        if (!holds(s)) {
            return s.plans(NONE);
        }
        int after = written.computeIfAbsent((long) s.server() << 32 | s.plan(),
                key -> number(plan.change.applyTo(nodes.get(s.server()), VERSION)));
        return s.serverChanges(after).plans(NONE).written(OWNERS.get(plan.owner).alwaysBits());
    }

    /** A JSON patch cannot remove what is not there either. */
    private boolean holds(ProtocolState s) {
        Plan plan = plans.get(s.plan());
        Node node = nodes.get(s.server());
        boolean removes = plan.change.labels().entrySet().stream().filter(label -> label.getValue().isEmpty())
                .allMatch(label -> node.metadata().labels().containsKey(label.getKey()));
        return removes && tested.apply(node).equals(plan.tested);
    }

    private int plan(int owner, int node) {
        return planned.computeIfAbsent((long) owner << 32 | node, key -> {
            NodeChange change = planner.apply(OWNERS.get(owner).owner, nodes.get(node));
            return change.isEmpty() ? NONE : planNumber(
                    new Plan(owner, change, tested.apply(nodes.get(node))));
        });
    }

    private ProtocolState edited(ProtocolState s, Taint taint, boolean there) {
        Node node = nodes.get(s.server());
        List<Taint> taints = new ArrayList<>(node.taints());
        taints.removeIf(t -> t.id().equals(taint.id()));
        if (there) {
            taints.add(taint);
        }
        return s.serverChanges(number(node(node.metadata().labels(), node.metadata().annotations(), taints)));
    }

    private int number(Node node) {
        return nodeNumbers.computeIfAbsent(node, n -> {
            nodes.add(n);
            return nodes.size() - 1;
        });
    }

    private int planNumber(Plan plan) {
        return planNumbers.computeIfAbsent(plan, p -> {
            plans.add(p);
            return plans.size() - 1;
        });
    }

    private static Node node(Map<String, String> labels, Map<String, String> annotations, List<Taint> taints) {
        return Fleet.node(labels, annotations, taints.toArray(Taint[]::new));
    }

    private static Taint find(Node node, String key) {
        return node.taints().stream().filter(t -> t.key().equals(key)).findFirst().orElse(null);
    }

    private static String text(Node node) {
        return node.taints().stream().map(t -> t.key() + "=" + t.value()).toList()
                + " annotations " + new TreeMap<>(node.metadata().annotations());
    }

    private record Plan(int owner, NodeChange change, List<Object> tested) {}

    private static final class Declared {
        private final Map<String, String> labels;
        private final List<MachineTaint> taints;
        private final String tracking;
        private final Owner owner;

        Declared(Map<String, String> labels, MachineTaint... taints) {
            this.labels = labels;
            this.taints = List.of(taints);
            this.tracking = String.join(",", this.taints.stream()
                    .filter(t -> t.propagation().equals(MachineTaint.ALWAYS))
                    .map(t -> t.key() + ":" + t.effect())
                    .toList());
            this.owner = Owner.of(Fleet.machine(labels, Map.of(), this.taints));
        }

        boolean isAlways(int bit) {
            return is(bit, MachineTaint.ALWAYS);
        }

        boolean isOnce(int bit) {
            return is(bit, MachineTaint.ON_INITIALIZATION);
        }

        int alwaysBits() {
            return (isAlways(0) ? 1 : 0) | (isAlways(1) ? 2 : 0);
        }

        boolean has(Taint taint) {
            return taint != null
                    && taints.stream().anyMatch(t -> t.key().equals(taint.key()) && t.value().equals(taint.value()));
        }

        private boolean is(int bit, String propagation) {
            return taints.stream().anyMatch(t -> t.key().equals(KEYS.get(bit)) && t.propagation().equals(propagation));
        }
    }
}
