package io.nodeward.core.rules.origin;

import static io.nodeward.core.rules.origin.Case.CREATED;
import static io.nodeward.core.rules.origin.Case.LATER;
import static io.nodeward.core.rules.origin.Case.always;
import static io.nodeward.core.rules.origin.Case.level;
import static io.nodeward.core.rules.origin.Case.once;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.origin.TaintOrigin.Tracking;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What of an origin follows from what is recorded, and what is only likely. */
class CertaintyTest {
    private static final String UNREACHABLE = "node.kubernetes.io/unreachable";
    private static final TaintId GPU = new TaintId("gpu", "NoSchedule");

    private static Case tracked() {
        return new Case().bears("gpu", "", "NoSchedule").tracks("gpu:NoSchedule");
    }

    private static DeclaringObject machine(MachineTaint declared, ManagedFieldsEntry... writers) {
        return new DeclaringObject(Source.MACHINE, "Machine", new ObjectKey("fleet", "m"), List.of(declared), Map.of(),
                List.of(writers), Optional.empty(), Optional.empty());
    }

    private static ManagedFieldsEntry item(String manager) {
        return new ManagedFieldsEntry(manager, Optional.of(LATER), false, Set.of(GPU), Set.of(), false);
    }

    @Test
    void what_the_lifecycle_controller_has_dated_is_its() {
        Case bare = new Case().bears(UNREACHABLE, "", "NoExecute").listBy("kube-controller-manager", LATER);
        assertThat(bare.only().certain()).isFalse();
        assertThat(bare.added(UNREACHABLE, "NoExecute", LATER).only().certain()).isTrue();
        TaintOrigin cordon = new Case().bears("node.kubernetes.io/unschedulable", "", "NoSchedule")
                .added("node.kubernetes.io/unschedulable", "NoSchedule", LATER).cordonedBy("kubectl-cordon").only();
        assertThat(cordon.certain()).isTrue();
        TaintOrigin removed = new Case().bears("ToBeDeletedByClusterAutoscaler", "1", "NoSchedule")
                .added("ToBeDeletedByClusterAutoscaler", "NoSchedule", LATER).only();
        assertThat(removed.certain()).as("it dates nothing").isFalse();
    }

    @ParameterizedTest
    @CsvSource({UNREACHABLE + ", PreferNoSchedule", "node.kubernetes.io/disk-pressure, NoExecute",
            "node.kubernetes.io/unschedulable, NoExecute"})
    void with_another_effect_than_the_controller_uses_it_is_not_its(String key, String effect) {
        TaintOrigin origin = new Case().bears(key, "", effect).added(key, effect, LATER)
                .listBy("kubectl-taint", LATER).only();
        assertThat(origin.source()).isEqualTo(Source.HUMAN);
        assertThat(origin.certain()).isFalse();
    }

    @Test
    void what_a_node_registered_with_is_certain_as_long_as_only_the_kubelet_wrote_and_at_once() {
        Case registered = new Case().bears("x", "", "NoSchedule").listBy("kubelet", CREATED.plusSeconds(1));
        assertThat(registered.only().source()).isEqualTo(Source.BOOTSTRAP);
        assertThat(registered.only().certain()).isTrue();
        assertThat(registered.only().since()).contains(new Since(CREATED, true));

        TaintOrigin later = new Case().bears("x", "", "NoSchedule").listBy("kubelet", LATER).only();
        assertThat(later.source()).isEqualTo(Source.BOOTSTRAP);
        assertThat(later.certain()).isFalse();
        assertThat(later.since()).contains(new Since(LATER, false));
        assertThat(registered.listBy("kube-controller-manager", CREATED).only().certain()).isFalse();
        TaintOrigin dated = new Case().bears("x", "", "NoSchedule").added("x", "NoSchedule", LATER)
                .listBy("kubelet", CREATED).only();
        assertThat(dated.certain()).as("added since").isFalse();
    }

    @ParameterizedTest
    @CsvSource({
            "node.cluster.x-k8s.io/uninitialized, NoSchedule, the bootstrap provider",
            "node.cloudprovider.kubernetes.io/uninitialized, NoSchedule, kubelet --cloud-provider=external",
            "node.kubernetes.io/not-ready, NoSchedule, node lifecycle controller",
            "node.kubernetes.io/not-ready, NoExecute, kubelet",
            "ToBeDeletedByClusterAutoscaler, NoSchedule, kubelet",
            "karpenter.sh/unregistered, NoExecute, kubelet"})
    void a_node_registers_with_the_taints_of_some_keys_and_not_of_others(String key, String effect, String by) {
        TaintOrigin origin = new Case().bears(key, "", effect).listBy("kubelet", CREATED).only();
        assertThat(origin.by()).isEqualTo(by);
        assertThat(origin.certain()).isTrue();
    }

    @Test
    void a_configuration_says_what_was_to_be() {
        Bootstrap config = new Bootstrap("KubeadmConfig fleet/c", Optional.of(Map.of(GPU, "")),
                Map.of(new TaintId("y", "NoExecute"), ""), false);
        Case registers = new Case().bears("gpu", "", "NoSchedule").bears("y", "", "NoExecute").bootstrap(config);
        assertThat(registers.origins().taints()).extracting(TaintOrigin::certain).containsExactly(false, false);
        registers.listBy("kubelet", CREATED);
        assertThat(registers.origins().taints()).extracting(TaintOrigin::certain).containsExactly(true, true);
        assertThat(registers.origins().taints()).extracting(TaintOrigin::by).containsOnly("KubeadmConfig fleet/c");
    }

    @ParameterizedTest
    @CsvSource({"nodeward-machine, true", "manager, true", "capi-machine, true", "cluster-api-controller-manager, true",
            "kubectl-annotate, false", "my-operator, false", "kubelet, false"})
    void tracking_proves_what_it_says_if_one_who_carries_wrote_it(String manager, boolean certain) {
        Case here = tracked().annotationsBy(manager, LATER, ClusterApi.TAINTS_FROM_MACHINE)
                .level(Source.MACHINE, always("gpu", "NoSchedule"));
        assertThat(here.only().certain()).isEqualTo(certain);
        Case gone = tracked().annotationsBy(manager, LATER, ClusterApi.TAINTS_FROM_MACHINE).level(Source.MACHINE);
        assertThat(gone.only().certain()).isEqualTo(certain);
        assertThat(List.of(here, gone)).allSatisfy(told -> assertThat(told.only().because().endsWith(manager
                + " wrote the annotation cluster.x-k8s.io/taints-from-machine, which tracks it"))
                .isNotEqualTo(certain));
        assertThat(here.only().since()).as("a stranger's word is no time of the taint")
                .isEqualTo(certain ? Optional.of(new Since(LATER, false)) : Optional.empty());
    }

    @Test
    void tracking_that_several_own_is_as_good_as_that_of_the_one_who_carries() {
        TaintOrigin shared = tracked().annotationsBy("nodeward-machine", CREATED, ClusterApi.TAINTS_FROM_MACHINE)
                .annotationsBy("kubectl-annotate", LATER, ClusterApi.TAINTS_FROM_MACHINE)
                .level(Source.MACHINE, always("gpu", "NoSchedule")).only();
        assertThat(shared.certain()).isTrue();
        assertThat(shared.tracked()).containsExactly(
                new Tracking(ClusterApi.TAINTS_FROM_MACHINE, "nodeward-machine and kubectl-annotate"));
    }

    @Test
    void tracking_says_that_a_taint_was_carried_and_not_with_which_value() {
        TaintOrigin origin = new Case().bears("gpu", "by-hand", "NoSchedule").tracks("gpu:NoSchedule")
                .level(Source.MACHINE, always("gpu", "NoSchedule")).only();
        assertThat(origin.certain()).isFalse();
        assertThat(origin.because()).isEqualTo("declared in its list of taints; this value was declared before, or is"
                + " somebody else's");
    }

    @Test
    void tracking_of_one_way_of_declaring_says_nothing_of_the_other() {
        Case annotated = tracked()
                .level(level(Source.MACHINE, List.of(), Map.of("taint.nodeward.io/gpu", "gpu:NoSchedule")));
        assertThat(annotated.only().certain()).isFalse();
        assertThat(annotated.annotated(TaintAnnotations.TRACKING, "gpu:NoSchedule").only().certain()).isTrue();
    }

    @Test
    void what_cannot_be_read_or_seen_is_no_proof() {
        TaintOrigin held = tracked().level(Source.MACHINE, new MachineTaint("gpu", "", "NoSchedule", "Sometimes"))
                .only();
        assertThat(held.certain()).isFalse();
        assertThat(held.because()).endsWith("; it cannot be carried out as it stands");
        TaintOrigin unread = tracked()
                .level(level(Source.MACHINE, List.of(), Map.of("taint.nodeward.io/x", "no taint"))).only();
        assertThat(unread.certain()).isFalse();
        assertThat(unread.because()).endsWith("; not all that is declared there now can be read");
        assertThat(tracked().annotated(ClusterApi.MACHINE_ANNOTATION, "m1").only().certain()).isFalse();
        assertThat(tracked().only().source()).as("of whom is not known").isEqualTo(Source.UNKNOWN);
    }

    @Test
    void what_a_user_declared_further_down_may_be_the_reason() {
        Case byHand = tracked().level(machine(always("gpu", "NoSchedule"), item("kubectl-edit")))
                .level(Source.MACHINE_SET, always("gpu", "NoSchedule"));
        assertThat(byHand.only().source()).isEqualTo(Source.MACHINE_SET);
        assertThat(byHand.only().certain()).isFalse();
        for (ManagedFieldsEntry[] writers : List.of(new ManagedFieldsEntry[]{item("capi-machineset")},
                new ManagedFieldsEntry[]{item("provider")},
                new ManagedFieldsEntry[]{item("kubectl-edit"), item("capi-machineset")})) {
            assertThat(tracked().level(machine(always("gpu", "NoSchedule"), writers))
                    .level(Source.MACHINE_SET, always("gpu", "NoSchedule")).only().certain()).isTrue();
        }
    }

    @Test
    void all_who_own_a_declaration_are_named() {
        assertThat(tracked().level(machine(always("gpu", "NoSchedule"), item("kubectl-edit"), item("argocd"))).only()
                .because()).isEqualTo("declared in its list of taints, by kubectl-edit and argocd");
    }

    @Test
    void a_value_does_not_come_from_where_another_is_declared() {
        TaintOrigin origin = tracked().level(Source.MACHINE, always("gpu", "NoSchedule"))
                .level(Source.MACHINE_SET, always("gpu", "NoSchedule"))
                .level(Source.CLUSTER, new MachineTaint("gpu", "new", "NoSchedule", MachineTaint.ALWAYS))
                .level(Source.CLUSTER_CLASS, always("gpu", "NoSchedule")).only();
        assertThat(origin.source()).isEqualTo(Source.MACHINE_SET);
        TaintOrigin once = new Case().bears("boot", "by-hand", "NoExecute").tracks("").listBy("kubectl-taint", LATER)
                .level(Source.MACHINE, once("boot", "NoExecute")).only();
        assertThat(once.source()).isEqualTo(Source.HUMAN);
    }

    @Test
    void what_may_be_declared_above_by_an_object_that_is_not_known_is_not_certain() {
        Case machine = tracked().level(Source.MACHINE, always("gpu", "NoSchedule")).unread("MachineSet fleet/s");
        assertThat(machine.only().certain()).isFalse();
        assertThat(machine.only().because()).isEqualTo(
                "declared in its list of taints; MachineSet fleet/s may declare it, and is not known here");
        assertThat(machine.level(Source.MACHINE_SET).only().certain()).as("it comes from below the gap").isTrue();
        Case deployment = tracked().level(Source.MACHINE, always("gpu", "NoSchedule")).level(Source.CLUSTER)
                .unread("ClusterClass fleet/c");
        assertThat(deployment.only().certain()).as("the class may").isFalse();
        Case cluster = tracked().level(Source.MACHINE, always("gpu", "NoSchedule"))
                .level(Source.CLUSTER, always("gpu", "NoSchedule")).unread("ClusterClass fleet/c");
        assertThat(cluster.only().certain()).as("the Cluster does, whatever its class").isTrue();
    }

    @Test
    void what_is_no_longer_declared_may_be_of_the_machine_that_the_node_had_before() {
        Case same = tracked().annotated(ClusterApi.MACHINE_ANNOTATION, "x").level(Source.MACHINE);
        assertThat(same.only().certain()).isTrue();
        TaintOrigin other = tracked().annotated(ClusterApi.MACHINE_ANNOTATION, "old").level(Source.MACHINE).only();
        assertThat(other.certain()).isFalse();
        assertThat(other.because()).endsWith("; or the Node still was Machine old's");
    }
}
