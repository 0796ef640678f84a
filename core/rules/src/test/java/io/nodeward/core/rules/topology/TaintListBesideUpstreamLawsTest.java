package io.nodeward.core.rules.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.Cases;
import io.nodeward.core.rules.topology.TaintListPlan.Write;
import io.nodeward.core.rules.topology.MergedTaints.Source;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * What holds beside Cluster API's managers, which apply their own list by force whenever they get to it: whoever comes
 * first, once both are at rest the list is what is declared, values too. A failure prints the seed that leads to it.
 */
class TaintListBesideUpstreamLawsTest {
    private static final int STEPS = 12;
    private static final int ROUNDS_AT_MOST = 6;

    /** One object, and what is declared for it. */
    private abstract static class World {
        final ListModel model = new ListModel();

        abstract void declare(Random random);

        abstract void upstream();

        abstract TaintListPlan plan();

        abstract List<MachineTaint> declared();

        abstract String ours();

        /** Returns whether anything was written. */
        boolean carry() {
            return switch (plan().write()) {
                case Write.Nothing() -> false;
                case Write.Refused refused -> false;
                case Write.Apply(List<MachineTaint> taints, boolean force) -> {
                    var before = state();
                    model.apply(ours(), taints, force);
                    assertThat(state()).as("a write changes something").isNotEqualTo(before);
                    yield true;
                }
                case Write.Replace(List<MachineTaint> taints) -> {
                    model.update(ours(), taints);
                    yield true;
                }
            };
        }

        Object state() {
            return Map.of("taints", model.taints(), "owners", List.copyOf(model.seen().owners()));
        }

        /** Returns whether the server took it. It does not where something of ours has lost a field to the manager. */
        boolean tryUpstream() {
            try {
                upstream();
                return true;
            } catch (ListModel.RefusedException e) {
                assertThat(e).hasMessageContaining("has no propagation");
                return false;
            }
        }

        void rest() {
            int rounds = 0;
            while (!tryUpstream() | carry()) {
                assertThat(rounds++).as("rounds").isLessThan(ROUNDS_AT_MOST);
            }
        }
    }

    /** A MachineDeployment of a Cluster whose list replaces its ClusterClass's. */
    private static final class Completed extends World {
        private List<MachineTaint> ofClass = List.of();
        private List<MachineTaint> ofCluster = List.of();

        @Override
        void declare(Random random) {
            if (random.nextBoolean()) {
                ofClass = list(random);
            } else {
                ofCluster = list(random);
            }
        }

        @Override
        void upstream() {
            model.apply("capi-topology", ofCluster.isEmpty() ? ofClass : ofCluster, true);
        }

        private MergedTaints merged() {
            return MergedTaints.of(Source.CLUSTER_CLASS, ofClass)
                    .overlaidBy(MergedTaints.of(Source.CLUSTER, ofCluster));
        }

        @Override
        TaintListPlan plan() {
            TopologyMode mode = TopologyMode.COMPLETE;
            return TaintListPlanner.plan(mode.step(), mode.wanted(merged()), mode.expected(merged()), model.seen());
        }

        @Override
        List<MachineTaint> declared() {
            return merged().taints();
        }

        @Override
        String ours() {
            return TopologyMode.COMPLETE.step().manager();
        }
    }

    /** A Machine that was ours, to which Cluster API's manager carries by and by. */
    private static final class HandedOver extends World {
        private List<MachineTaint> template = List.of();

        @Override
        void declare(Random random) {
            template = list(random);
        }

        @Override
        void upstream() {
            model.apply("capi-machineset", template, true);
        }

        @Override
        TaintListPlan plan() {
            return TaintListPlanner.plan(PropagationStep.MACHINES, template, model.seen());
        }

        @Override
        List<MachineTaint> declared() {
            return template;
        }

        @Override
        String ours() {
            return PropagationStep.MACHINES.manager();
        }
    }

    @Test
    void what_cluster_apis_topology_replaces_is_completed_to_what_is_declared() {
        for (long seed = 0; seed < Cases.COUNT; seed++) {
            check(new Completed(), seed, STEPS);
        }
    }

    @Test
    void what_is_handed_over_ends_as_it_is_declared() {
        for (long seed = 0; seed < Cases.COUNT; seed++) {
            // The manager may come at any time, and only once is it the first.
            check(new HandedOver(), seed, 2 + (int) (seed % STEPS));
        }
    }

    private static void check(World world, long seed, int steps) {
        Random random = Cases.random(seed);
        try {
            for (int step = 0; step < steps; step++) {
                switch (random.nextInt(5)) {
                    case 0, 1 -> world.declare(random);
                    case 2 -> {
                        if (step > steps / 3) {
                            world.tryUpstream();
                        }
                    }
                    default -> world.carry();
                }
            }
            world.rest();
            assertThat(world.model.taints()).containsExactlyInAnyOrderElementsOf(world.declared());
            assertThat(world.plan()).as("nothing is left to do, or to say")
                    .isEqualTo(new TaintListPlan(new Write.Nothing(), List.of()));
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + ": " + world.state(), e);
        }
    }

    private static List<MachineTaint> list(Random random) {
        Map<TaintId, MachineTaint> taints = new HashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            MachineTaint taint = new MachineTaint(List.of("a", "b").get(random.nextInt(2)),
                    List.of("", "1", "2").get(random.nextInt(3)), List.of("NoSchedule", "NoExecute").get(
                            random.nextInt(2)),
                    random.nextBoolean() ? MachineTaint.ALWAYS : MachineTaint.ON_INITIALIZATION);
            taints.put(taint.id(), taint);
        }
        return List.copyOf(taints.values());
    }
}
