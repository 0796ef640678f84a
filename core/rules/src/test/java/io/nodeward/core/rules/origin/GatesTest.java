package io.nodeward.core.rules.origin;

import static io.nodeward.core.rules.origin.Case.always;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.origin.DeclaringObject.Obstacle;
import io.nodeward.core.rules.origin.Missing.Reason;
import io.nodeward.core.rules.origin.NodeScope.Gates;
import io.nodeward.core.rules.taint.Initialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the controller's gates that are off by default make of a declared taint that is not there. */
class GatesTest {
    private static final Gates NOT_SAID = Gates.DEFAULT;
    private static final Gates TOPOLOGIES = gates(true, Optional.empty(), true);
    private static final Gates POOLS = gates(true, Optional.of(true), false);
    private static final Gates NO_POOLS = gates(true, Optional.of(false), false);
    private static final Gates BOTH = gates(true, Optional.of(true), true);
    private static final Gates BOTH_WITHOUT_TAINTS = gates(false, Optional.of(true), true);

    private static Gates gates(boolean propagates, Optional<Boolean> pools, boolean topologies) {
        return new Gates(propagates, Initialization.WHEN_UNTRACKED, pools, Optional.of(topologies));
    }

    private static DeclaringObject stopped(Source source, Reason reason, MachineTaint... declared) {
        return new DeclaringObject(source, source.text(), new ObjectKey("fleet", "x"), List.of(declared), Map.of(),
                List.of(),
                Optional.of(new Obstacle(reason, source.text() + " stands still")), Optional.empty());
    }

    /** A class's taint beside a list of its Cluster, for a group of Machines. */
    private static Case replaced(Source group) {
        return new Case().tracks("").bears("own", "", "NoSchedule").level(Source.MACHINE).level(group)
                .level(Source.CLUSTER, always("own", "NoSchedule"))
                .level(Source.CLUSTER_CLASS, always("gpu", "NoSchedule"));
    }

    private static Missing classBelow(DeclaringObject cluster, Gates gates) {
        return new Case().tracks("").bears("own", "", "NoSchedule").level(Source.MACHINE)
                .level(Source.MACHINE_DEPLOYMENT).level(cluster)
                .level(Source.CLUSTER_CLASS, always("gpu", "NoSchedule")).gates(gates).missing();
    }

    @Test
    void what_the_list_of_a_cluster_replaces_is_due_where_the_controller_merges() {
        for (Source group : List.of(Source.MACHINE_DEPLOYMENT, Source.CONTROL_PLANE)) {
            Missing merged = replaced(group).gates(TOPOLOGIES).missing();
            assertThat(merged.reason()).isEqualTo(Reason.DUE);
            assertThat(merged.below()).get().extracting(DeclaringObject::source).isEqualTo(group);
            assertThat(merged.because())
                    .isEqualTo("the controller's next write brings it to " + group.text() + " fleet/x");
        }
        for (Gates others : List.of(NOT_SAID, POOLS)) {
            assertThat(replaced(Source.MACHINE_DEPLOYMENT).gates(others).missing().reason())
                    .isEqualTo(Reason.REPLACED);
        }
        assertThat(replaced(Source.MACHINE_DEPLOYMENT).gates(BOTH_WITHOUT_TAINTS).missing().reason())
                .isEqualTo(Reason.GATE_OFF);
    }

    @Test
    void nothing_is_due_at_an_object_that_is_paused() {
        Missing paused = new Case().tracks("").bears("own", "", "NoSchedule").level(Source.MACHINE)
                .level(stopped(Source.MACHINE_DEPLOYMENT, Reason.PAUSED))
                .level(Source.CLUSTER, always("own", "NoSchedule"))
                .level(Source.CLUSTER_CLASS, always("gpu", "NoSchedule")).gates(TOPOLOGIES).missing();
        assertThat(paused.reason()).isEqualTo(Reason.PAUSED);
        assertThat(paused.because()).isEqualTo("MachineDeployment stands still");
    }

    @Test
    void what_a_class_declares_stands_still_with_the_cluster_that_it_is_carried_for() {
        DeclaringObject paused = stopped(Source.CLUSTER, Reason.PAUSED, always("own", "NoSchedule"));
        assertThat(classBelow(paused, TOPOLOGIES).because()).isEqualTo("Cluster stands still");
        assertThat(classBelow(paused, NOT_SAID).reason()).as("and stays so once the pause is over")
                .isEqualTo(Reason.REPLACED);
        assertThat(classBelow(stopped(Source.CLUSTER, Reason.PAUSED), NOT_SAID).because())
                .isEqualTo("Cluster stands still");

        DeclaringObject blocked = stopped(Source.CLUSTER, Reason.BLOCKED, always("own", "NoSchedule"));
        assertThat(classBelow(blocked, TOPOLOGIES).reason()).isEqualTo(Reason.BLOCKED);
        assertThat(classBelow(blocked, NOT_SAID).reason()).as("it is the manager that does not carry it")
                .isEqualTo(Reason.REPLACED);
    }

    @Test
    void what_nothing_replaces_the_manager_or_the_controller_has_to_carry() {
        Case ofClass = new Case().tracks("").level(Source.MACHINE).level(Source.MACHINE_DEPLOYMENT)
                .level(Source.CLUSTER).level(Source.CLUSTER_CLASS, always("gpu", "NoSchedule"));
        assertThat(ofClass.gates(NOT_SAID).missing().because()).doesNotContain("--topology-mode");
        assertThat(ofClass.gates(TOPOLOGIES).missing().reason()).isEqualTo(Reason.NOT_PROPAGATED);
        assertThat(ofClass.missing().because()).isEqualTo("MachineDeployment fleet/x does not declare it: neither"
                + " Cluster API's manager has carried it down, nor the controller, which does so with"
                + " --topology-mode=full");
        Case ofProvider = new Case().tracks("").level(Source.MACHINE)
                .level(Source.CONTROL_PLANE, always("gpu", "NoSchedule")).gates(TOPOLOGIES);
        assertThat(ofProvider.missing().because()).doesNotContain("--topology-mode");
    }

    @Test
    void topologies_reach_pools_with_both_gates() {
        assertThat(replaced(Source.MACHINE_POOL).gates(BOTH).missing().reason()).isEqualTo(Reason.DUE);
        assertThat(replaced(Source.MACHINE_POOL).gates(TOPOLOGIES).missing().reason()).isEqualTo(Reason.POOL_GATE);
        assertThat(replaced(Source.MACHINE_POOL).gates(POOLS).missing().reason()).isEqualTo(Reason.REPLACED);
        Case ofCluster = new Case().tracks("").level(Source.MACHINE_POOL)
                .level(Source.CLUSTER, always("own", "NoSchedule"));
        assertThat(ofCluster.gates(BOTH).missing().reason()).as("nobody else carries it there").isEqualTo(Reason.DUE);
        assertThat(ofCluster.gates(NOT_SAID).missing().reason()).isEqualTo(Reason.NOT_PROPAGATED);
    }

    @Test
    void a_node_of_a_pool_is_as_one_of_a_machine_where_the_gate_is_on() {
        Case untracked = new Case().level(Source.MACHINE_POOL, always("gpu", "NoSchedule"));
        assertThat(untracked.gates(POOLS).missing().reason()).isEqualTo(Reason.NOT_PROPAGATED);
        assertThat(untracked.gates(NOT_SAID).missing().reason()).isEqualTo(Reason.POOL_GATE);
        Case tracked = new Case().tracks("").level(Source.MACHINE_POOL, always("gpu", "NoSchedule"));
        assertThat(tracked.gates(POOLS).missing().reason()).isEqualTo(Reason.DUE);
        assertThat(tracked.gates(NOT_SAID).missing().reason()).isEqualTo(Reason.DUE);
    }

    @Test
    void no_node_of_a_pool_gets_anything_where_the_gate_is_off() {
        Missing off = new Case().tracks("").level(Source.MACHINE_POOL, always("gpu", "NoSchedule")).gates(NO_POOLS)
                .missing();
        assertThat(off.reason()).isEqualTo(Reason.POOL_GATE);
        assertThat(off.because()).isEqualTo("the gate MachinePoolTaintPropagation is off");
        assertThat(new Case().tracks("").level(Source.MACHINE, always("gpu", "NoSchedule")).gates(NO_POOLS).missing()
                .reason()).as("of a Machine").isEqualTo(Reason.DUE);
    }

    @Test
    void the_list_of_a_pool_comes_to_its_machines_where_the_gate_is_on() {
        Case machines = new Case().tracks("").level(Source.MACHINE)
                .level(Source.MACHINE_POOL, always("gpu", "NoSchedule"));
        assertThat(machines.gates(POOLS).missing().reason()).isEqualTo(Reason.DUE);
        assertThat(machines.missing().because()).isEqualTo("the controller's next write brings it to Machine fleet/x");
        assertThat(machines.gates(NO_POOLS).missing().reason()).isEqualTo(Reason.POOL_GATE);
        assertThat(machines.gates(TOPOLOGIES).missing().reason()).isEqualTo(Reason.POOL_GATE);
        assertThat(machines.gates(BOTH_WITHOUT_TAINTS).missing().reason()).isEqualTo(Reason.GATE_OFF);
    }

    @Test
    void what_stops_the_list_of_a_pool_stops_what_the_gate_lets_through_and_no_annotation() {
        DeclaringObject pool = new DeclaringObject(Source.MACHINE_POOL, "MachinePool", new ObjectKey("fleet", "x"),
                List.of(always("gpu", "NoSchedule")), Map.of(), List.of(), Optional.empty(),
                Optional.of(new Obstacle(Reason.PAUSED, "the list stands still")));
        Case machines = new Case().tracks("").level(Source.MACHINE).level(pool);
        assertThat(machines.gates(POOLS).missing().because()).isEqualTo("the list stands still");
        assertThat(machines.gates(NOT_SAID).missing().reason()).isEqualTo(Reason.POOL_GATE);
        DeclaringObject annotated = new DeclaringObject(Source.MACHINE_POOL, "MachinePool", pool.key(), List.of(),
                Map.of("taint.nodeward.io/gpu", "gpu:NoSchedule"), List.of(), Optional.empty(), pool.ofList());
        assertThat(new Case().tracks("").level(Source.MACHINE).level(annotated).gates(POOLS).missing().reason())
                .isEqualTo(Reason.NOT_PROPAGATED);
    }

    @Test
    void annotations_are_the_managers_to_carry_whatever_the_gates() {
        Map<String, String> annotated = Map.of("taint.nodeward.io/gpu", "gpu:NoSchedule");
        assertThat(new Case().tracks("").level(Source.MACHINE)
                .level(Case.level(Source.MACHINE_POOL, List.of(), annotated)).gates(BOTH).missing().because())
                .isEqualTo("Machine fleet/x does not declare it: Cluster API's manager has not carried it down");
        assertThat(new Case().tracks("").bears("own", "", "NoSchedule").level(Source.MACHINE_POOL)
                .level(Source.CLUSTER, always("own", "NoSchedule"))
                .level(Case.level(Source.CLUSTER_CLASS, List.of(), annotated)).gates(BOTH).missing().reason())
                .isEqualTo(Reason.NOT_PROPAGATED);
    }

    @Test
    void what_a_class_declares_beside_a_list_of_its_cluster_comes_from_the_class_once_it_has_arrived() {
        TaintOrigin origin = new Case().bears("gpu", "", "NoSchedule").tracks("gpu:NoSchedule")
                .level(Source.MACHINE, always("gpu", "NoSchedule"))
                .level(Source.MACHINE_DEPLOYMENT, always("gpu", "NoSchedule"), always("own", "NoSchedule"))
                .level(Source.CLUSTER, always("own", "NoSchedule"))
                .level(Source.CLUSTER_CLASS, always("gpu", "NoSchedule")).gates(TOPOLOGIES).only();
        assertThat(origin.path()).extracting(DeclaringObject::source)
                .containsExactly(Source.MACHINE, Source.MACHINE_DEPLOYMENT, Source.CLUSTER_CLASS);
        assertThat(origin.certain()).isTrue();
    }
}
