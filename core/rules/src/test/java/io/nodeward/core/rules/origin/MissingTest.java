package io.nodeward.core.rules.origin;

import static io.nodeward.core.rules.origin.Case.LATER;
import static io.nodeward.core.rules.origin.Case.always;
import static io.nodeward.core.rules.origin.Case.once;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.origin.DeclaringObject.Obstacle;
import io.nodeward.core.rules.origin.Missing.Reason;
import io.nodeward.core.rules.origin.NodeScope.Gates;
import io.nodeward.core.rules.taint.Initialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MissingTest {
    private static final Case EMPTY = new Case();

    @Test
    void nothing_is_missing_where_all_that_is_declared_is_there() {
        assertThat(new Case().bears("gpu", "", "NoSchedule").tracks("gpu:NoSchedule")
                .level(Source.MACHINE, always("gpu", "NoSchedule"))
                .level(Source.MACHINE_SET, always("gpu", "NoSchedule")).origins().missing()).isEmpty();
        assertThat(EMPTY.origins().missing()).isEmpty();
    }

    @Test
    void the_next_write_brings_what_is_declared_for_a_node_that_is_looked_after() {
        Missing missing = new Case().tracks("").level(Source.MACHINE, always("gpu", "NoSchedule")).missing();
        assertThat(missing.reason()).isEqualTo(Reason.DUE);
        assertThat(missing.below()).isEmpty();
    }

    @Test
    void a_node_that_nobody_has_written_to_is_told_of() {
        assertThat(new Case().level(Source.MACHINE, always("gpu", "NoSchedule")).missing().reason())
                .isEqualTo(Reason.NOT_PROPAGATED);
        assertThat(new Case().level(Source.MACHINE_POOL, always("gpu", "NoSchedule")).missing().reason())
                .isEqualTo(Reason.POOL_GATE);
    }

    @Test
    void with_the_gate_off_nothing_comes() {
        Case off = new Case().tracks("").level(Source.MACHINE, always("gpu", "NoSchedule"))
                .gates(new Gates(false, Initialization.WHEN_UNTRACKED));
        assertThat(off.missing().reason()).isEqualTo(Reason.GATE_OFF);
    }

    @Test
    void initialization_is_over_once_the_node_is_tracked_in_that_way() {
        Missing over = new Case().tracks("")
                .annotationsBy("nodeward-machine", LATER, ClusterApi.TAINTS_FROM_MACHINE)
                .level(Source.MACHINE, once("boot", "NoExecute")).missing();
        assertThat(over.reason()).isEqualTo(Reason.INITIALIZATION_OVER);
        assertThat(over.because()).contains("initialized by nodeward-machine");

        Map<String, String> annotated = Map.of("taint.nodeward.io/boot", "boot:NoExecute:OnInitialization");
        Case byAnnotation = new Case().tracks("").level(Case.level(Source.MACHINE, List.of(), annotated));
        assertThat(byAnnotation.missing().reason()).isEqualTo(Reason.DUE);
        assertThat(byAnnotation.annotated(TaintAnnotations.TRACKING, "").missing().reason())
                .isEqualTo(Reason.INITIALIZATION_OVER);
    }

    @Test
    void initialization_may_be_over_for_a_node_that_has_lost_the_taint_of_new_nodes() {
        Missing over = new Case().level(Source.MACHINE, once("boot", "NoExecute"))
                .gates(new Gates(true, Initialization.WHEN_UNINITIALIZED)).missing();
        assertThat(over.reason()).isEqualTo(Reason.INITIALIZATION_OVER);
        assertThat(over.because()).contains(ClusterApi.UNINITIALIZED_TAINT);
    }

    @Test
    void what_no_node_takes_is_told_with_the_fault() {
        Missing missing = new Case().tracks("").level(Source.MACHINE, always("Foo.com/x", "NoSchedule")).missing();
        assertThat(missing.reason()).isEqualTo(Reason.UNUSABLE);
        assertThat(missing.because()).startsWith("key: no Node accepts it");
        assertThat(new Case().tracks("").level(Source.MACHINE, always(ClusterApi.UNINITIALIZED_TAINT, "NoSchedule"))
                .missing().reason()).isEqualTo(Reason.RESERVED);
        assertThat(new Case().tracks("")
                .level(Source.MACHINE, new MachineTaint("x", "", "NoSchedule", "Sometimes")).missing().because())
                .isEqualTo("unknown propagation \"Sometimes\"");
    }

    @Test
    void the_object_where_it_has_stopped_is_told() {
        Missing missing = new Case().tracks("")
                .level(Source.MACHINE)
                .level(Source.MACHINE_SET)
                .level(Source.MACHINE_DEPLOYMENT, always("gpu", "NoSchedule"))
                .level(Source.CLUSTER, always("gpu", "NoSchedule")).missing();
        assertThat(missing.path().getFirst().source()).isEqualTo(Source.MACHINE_DEPLOYMENT);
        assertThat(missing.below()).get().extracting(DeclaringObject::source).isEqualTo(Source.MACHINE_SET);
        assertThat(missing.reason()).isEqualTo(Reason.NOT_PROPAGATED);
    }

    @Test
    void what_is_paused_or_blocked_says_so() {
        DeclaringObject paused = new DeclaringObject(Source.MACHINE, "Machine", new ObjectKey("fleet", "m"),
                List.of(always("gpu", "NoSchedule")), Map.of(), List.of(),
                Optional.of(new Obstacle(Reason.PAUSED, "it is paused")), Optional.empty());
        Missing missing = new Case().tracks("").level(paused).missing();
        assertThat(missing.reason()).isEqualTo(Reason.PAUSED);
        assertThat(missing.because()).isEqualTo("it is paused");
    }

    @Test
    void a_list_of_the_cluster_replaces_that_of_its_class_and_annotations_do_not() {
        Case replaced = new Case().tracks("").bears("own", "", "NoSchedule")
                .level(Source.MACHINE).level(Source.MACHINE_DEPLOYMENT)
                .level(Source.CLUSTER, always("own", "NoSchedule"))
                .level(Source.CLUSTER_CLASS, always("gpu", "NoSchedule"));
        assertThat(replaced.missing().reason()).isEqualTo(Reason.REPLACED);
        assertThat(replaced.missing().below()).get().extracting(DeclaringObject::source)
                .isEqualTo(Source.MACHINE_DEPLOYMENT);

        Case annotated = new Case().tracks("").bears("own", "", "NoSchedule")
                .level(Source.MACHINE).level(Source.CLUSTER, always("own", "NoSchedule"))
                .level(Case.level(Source.CLUSTER_CLASS, List.of(), Map.of("taint.nodeward.io/g", "gpu:NoSchedule")));
        assertThat(annotated.missing().reason()).isEqualTo(Reason.NOT_PROPAGATED);
    }

    @Test
    void a_class_that_no_list_of_its_cluster_replaces_has_not_been_carried() {
        assertThat(new Case().tracks("").level(Source.MACHINE, always("own", "NoSchedule"))
                .bears("own", "", "NoSchedule")
                .level(Source.CLUSTER).level(Source.CLUSTER_CLASS, always("gpu", "NoSchedule")).missing().reason())
                .isEqualTo(Reason.NOT_PROPAGATED);
    }

    @Test
    void a_list_of_a_pool_does_not_come_to_its_machines_by_itself() {
        assertThat(new Case().tracks("").level(Source.MACHINE)
                .level(Source.MACHINE_POOL, always("gpu", "NoSchedule")).missing().reason())
                .isEqualTo(Reason.POOL_GATE);
    }
}
