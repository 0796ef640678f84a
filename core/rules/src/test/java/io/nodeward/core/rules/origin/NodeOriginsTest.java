package io.nodeward.core.rules.origin;

import static io.nodeward.core.rules.origin.Case.CREATED;
import static io.nodeward.core.rules.origin.Case.LATER;
import static io.nodeward.core.rules.origin.Case.always;
import static io.nodeward.core.rules.origin.Case.once;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.origin.TaintOrigin.Status;
import io.nodeward.core.rules.origin.TaintOrigin.Tracking;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeOriginsTest {
    @Test
    void a_declared_taint_comes_from_the_topmost_object_that_declares_it() {
        TaintOrigin origin = new Case().bears("gpu", "", "NoSchedule").tracks("gpu:NoSchedule")
                .listBy("nodeward-machine", LATER, ClusterApi.TAINTS_FROM_MACHINE)
                .level(Source.MACHINE, always("gpu", "NoSchedule"))
                .level(Source.MACHINE_SET, always("gpu", "NoSchedule"))
                .level(Source.MACHINE_DEPLOYMENT, always("gpu", "NoSchedule"))
                .level(Source.CLUSTER).level(Source.CLUSTER_CLASS).only();

        assertThat(origin.source()).isEqualTo(Source.MACHINE_DEPLOYMENT);
        assertThat(origin.by()).isEqualTo("MachineDeployment fleet/x");
        assertThat(origin.path()).extracting(DeclaringObject::source)
                .containsExactly(Source.MACHINE, Source.MACHINE_SET, Source.MACHINE_DEPLOYMENT);
        assertThat(origin.status()).isEqualTo(Status.ALWAYS);
        assertThat(origin.certain()).isTrue();
        assertThat(origin.tracked()).containsExactly(
                new Tracking(ClusterApi.TAINTS_FROM_MACHINE, "nodeward-machine"));
        assertThat(origin.since()).contains(new Since(LATER, false));
    }

    @Test
    void of_a_cluster_and_its_class_the_cluster_counts_where_both_declare_it() {
        Case both = new Case().bears("gpu", "", "NoSchedule").tracks("gpu:NoSchedule")
                .level(Source.MACHINE, always("gpu", "NoSchedule"))
                .level(Source.CLUSTER, always("gpu", "NoSchedule"))
                .level(Source.CLUSTER_CLASS, always("gpu", "NoSchedule"));
        assertThat(both.only().source()).isEqualTo(Source.CLUSTER);

        Case classAlone = new Case().bears("gpu", "", "NoSchedule").tracks("gpu:NoSchedule")
                .level(Source.MACHINE, always("gpu", "NoSchedule"))
                .level(Source.CLUSTER)
                .level(Source.CLUSTER_CLASS, always("gpu", "NoSchedule"));
        assertThat(classAlone.only().source()).isEqualTo(Source.CLUSTER_CLASS);
    }

    @Test
    void of_several_taints_each_is_told_by_its_own_declaration_and_who_wrote_it() {
        DeclaringObject machine = new DeclaringObject(Source.MACHINE, "Machine", new ObjectKey("fleet", "m"),
                List.of(always("a", "NoSchedule"), always("b", "NoSchedule")), Map.of(),
                List.of(new ManagedFieldsEntry("kubectl-edit", Optional.of(LATER), false,
                        Set.of(new TaintId("b", "NoSchedule")),
                        Set.of(), false),
                        new ManagedFieldsEntry("capi-machineset", Optional.of(CREATED), false,
                                Set.of(new TaintId("a", "NoSchedule")), Set.of(), false)),
                Optional.empty(), Optional.empty());
        NodeOrigins origins = new Case().bears("a", "", "NoSchedule").bears("b", "", "NoSchedule")
                .bears("old", "", "NoSchedule").tracks("a:NoSchedule,b:NoSchedule,old:NoSchedule")
                .level(machine).level(Source.MACHINE_SET, always("b", "NoSchedule")).origins();
        assertThat(origins.taints()).extracting(TaintOrigin::source)
                .containsExactly(Source.MACHINE, Source.MACHINE_SET, Source.MACHINE);
        assertThat(origins.taints()).extracting(TaintOrigin::status)
                .containsExactly(Status.ALWAYS, Status.ALWAYS, Status.NO_MORE);
        assertThat(origins.taints()).extracting(TaintOrigin::because).containsExactly(
                "declared in its list of taints, by capi-machineset",
                "declared in its list of taints; kubectl-edit declared it in Machine fleet/m as well",
                "it was declared there or above");
    }

    @Test
    void who_owns_a_list_as_a_whole_has_written_it_last() {
        DeclaringObject machine = new DeclaringObject(Source.MACHINE, "Machine", new ObjectKey("fleet", "m"),
                List.of(always("a", "NoSchedule")), Map.of(),
                List.of(new ManagedFieldsEntry("whole", Optional.of(CREATED), true, Set.of(), Set.of(), false),
                        new ManagedFieldsEntry("other", Optional.of(LATER), true,
                                Set.of(new TaintId("x", "NoSchedule")),
                                Set.of(),
                                false),
                        new ManagedFieldsEntry("nothing", Optional.of(LATER), false, Set.of(), Set.of(), false)),
                Optional.empty(), Optional.empty());
        assertThat(new Case().bears("a", "", "NoSchedule").tracks("a:NoSchedule").level(machine).only().because())
                .isEqualTo("declared in its list of taints, which whole wrote last");
    }

    @Test
    void what_is_declared_in_a_way_that_nobody_knows_stays_as_it_is() {
        Case held = new Case().bears("a", "", "NoSchedule").bears("b", "", "NoSchedule").tracks("a:NoSchedule")
                .level(Source.MACHINE, new MachineTaint("a", "", "NoSchedule", "Sometimes"),
                        new MachineTaint("b", "", "NoSchedule", "Sometimes"));
        assertThat(held.origins().taints()).extracting(TaintOrigin::status)
                .containsExactly(Status.HELD, Status.HELD);
        assertThat(held.origins().taints()).extracting(TaintOrigin::source)
                .containsExactly(Source.MACHINE, Source.UNKNOWN);
    }

    @Test
    void an_object_above_a_gap_is_not_the_source() {
        TaintOrigin origin = new Case().bears("gpu", "", "NoSchedule").tracks("gpu:NoSchedule")
                .level(Source.MACHINE, always("gpu", "NoSchedule"))
                .level(Source.MACHINE_SET)
                .level(Source.MACHINE_DEPLOYMENT, always("gpu", "NoSchedule")).only();
        assertThat(origin.source()).isEqualTo(Source.MACHINE);
    }

    @Test
    void an_annotation_is_named_and_who_wrote_it() {
        DeclaringObject machine = new DeclaringObject(Source.MACHINE, "Machine", new ObjectKey("fleet", "m"), List.of(),
                Map.of("taint.nodeward.io/gpu", "gpu=a100:NoSchedule"), List.of(new ManagedFieldsEntry("kubectl-edit",
                        Optional.of(LATER), false, Set.of(), Set.of("taint.nodeward.io/gpu"), false)),
                Optional.empty(), Optional.empty());
        TaintOrigin origin = new Case().bears("gpu", "a100", "NoSchedule").tracks("")
                .annotated(TaintAnnotations.TRACKING, "gpu:NoSchedule").level(machine).only();

        assertThat(origin.source()).isEqualTo(Source.MACHINE);
        assertThat(origin.because()).isEqualTo("declared in its annotation taint.nodeward.io/gpu, by kubectl-edit");
        assertThat(origin.tracked()).extracting(Tracking::annotation).containsExactly(TaintAnnotations.TRACKING);
    }

    @Test
    void what_is_tracked_and_no_longer_declared_goes() {
        TaintOrigin origin = new Case().bears("old", "", "NoSchedule").tracks("old:NoSchedule")
                .level(Source.MACHINE).only();
        assertThat(origin.status()).isEqualTo(Status.NO_MORE);
        assertThat(origin.source()).isEqualTo(Source.MACHINE);
    }

    @Test
    void what_is_tracked_stays_while_something_declared_cannot_be_read() {
        TaintOrigin origin = new Case().bears("old", "", "NoSchedule").tracks("old:NoSchedule")
                .level(Case.level(Source.MACHINE, List.of(), Map.of("taint.nodeward.io/x", "no taint"))).only();
        assertThat(origin.status()).isEqualTo(Status.HELD);
    }

    @Test
    void the_machine_is_known_to_the_node_even_if_nobody_shows_it() {
        TaintOrigin origin = new Case().bears("old", "", "NoSchedule").tracks("old:NoSchedule")
                .annotated(ClusterApi.MACHINE_ANNOTATION, "m1").only();
        assertThat(origin.by()).isEqualTo("Machine m1");
        assertThat(origin.status()).isEqualTo(Status.UNSEEN);
    }

    @Test
    void another_value_than_declared_is_told() {
        Case differs = new Case().bears("gpu", "old", "NoSchedule").tracks("gpu:NoSchedule")
                .level(Source.MACHINE, new MachineTaint("gpu", "new", "NoSchedule", MachineTaint.ALWAYS));
        assertThat(differs.only().status()).isEqualTo(Status.OTHER_VALUE);
    }

    @Test
    void a_taint_for_initialization_is_most_likely_from_its_declaration_as_nobody_tracks_it() {
        TaintOrigin origin = new Case().bears("boot", "", "NoExecute").tracks("")
                .level(Source.MACHINE, once("boot", "NoExecute")).only();
        assertThat(origin.status()).isEqualTo(Status.ONCE);
        assertThat(origin.source()).isEqualTo(Source.MACHINE);
        assertThat(origin.certain()).isFalse();
        assertThat(origin.tracked()).isEmpty();
    }

    @Test
    void what_was_there_before_it_was_declared_is_somebody_elses_and_declared() {
        TaintOrigin origin = new Case().bears("gpu", "", "NoSchedule").listBy("kubectl-taint", LATER)
                .level(Source.MACHINE, always("gpu", "NoSchedule")).only();
        assertThat(origin.source()).isEqualTo(Source.HUMAN);
        assertThat(origin.status()).isEqualTo(Status.ALWAYS);
        assertThat(origin.path()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
            "node.cluster.x-k8s.io/uninitialized, NoSchedule, BOOTSTRAP",
            "node.cluster.x-k8s.io/outdated-revision, PreferNoSchedule, CLUSTER_API",
            "node.kubernetes.io/not-ready, NoExecute, NODE_LIFECYCLE",
            "node.kubernetes.io/unreachable, NoSchedule, NODE_LIFECYCLE",
            "node.kubernetes.io/disk-pressure, NoSchedule, NODE_LIFECYCLE",
            "node.cloudprovider.kubernetes.io/uninitialized, NoSchedule, CLOUD_PROVIDER",
            "node.cloudprovider.kubernetes.io/shutdown, NoSchedule, CLOUD_PROVIDER",
            "ToBeDeletedByClusterAutoscaler, NoSchedule, AUTOSCALER",
            "karpenter.sh/disrupted, NoSchedule, AUTOSCALER",
            "node.kubernetes.io/out-of-service, NoExecute, HUMAN",
            "example.com/any, NoSchedule, HUMAN"})
    void keys_tell_whose_they_are(String key, String effect, Source source) {
        TaintOrigin origin = new Case().bears(key, "", effect).listBy("kubectl-taint", LATER)
                .level(Source.MACHINE).only();
        assertThat(origin.source()).isEqualTo(source);
        assertThat(origin.certain()).as("anybody may set any key").isFalse();
        assertThat(origin.status()).isEqualTo(Status.UNMANAGED);
    }

    @ParameterizedTest
    @CsvSource({
            "kubectl-taint, HUMAN", "kubectl, HUMAN", "kubectl-edit, HUMAN", "k9s, HUMAN", "nodeward-taint, HUMAN",
            "openstack-cloud-controller-manager, CLOUD_PROVIDER", "cluster-autoscaler, AUTOSCALER",
            "argocd-controller, CONTROLLER", "my-operator, CONTROLLER",
            "nodeward-machine, UNKNOWN", "manager, UNKNOWN", "kube-controller-manager, UNKNOWN"})
    void who_wrote_the_list_last_may_have_put_it_there_if_it_is_not_one_who_keeps_what_others_put(
            String manager, Source source) {
        TaintOrigin origin = new Case().bears("x", "", "NoSchedule").listBy("kubelet", CREATED)
                .listBy(manager, LATER).only();
        assertThat(origin.source()).isEqualTo(source);
        assertThat(origin.certain()).isFalse();
        assertThat(origin.because()).contains(manager);
    }

    @Test
    void a_configuration_that_registers_it_is_named() {
        Bootstrap config = new Bootstrap("KubeadmConfig fleet/c",
                Optional.of(Map.of(new TaintId("x", "NoSchedule"), "")), Map.of(new TaintId("y", "NoExecute"), ""),
                false);
        NodeOrigins origins = new Case().bears("x", "", "NoSchedule").bears("y", "", "NoExecute")
                .bears("z", "", "NoSchedule").bears("x", "other", "NoExecute").bootstrap(config).origins();
        assertThat(origins.taints()).extracting(TaintOrigin::source)
                .containsExactly(Source.BOOTSTRAP, Source.BOOTSTRAP, Source.UNKNOWN, Source.UNKNOWN);
        assertThat(origins.taints()).extracting(TaintOrigin::because).startsWith(
                "nodeRegistration.taints has it", "the kubelet's --register-with-taints has it");
    }

    @Test
    void kubeadm_gives_control_planes_a_taint_unless_it_is_told_otherwise() {
        String role = "node-role.kubernetes.io/control-plane";
        assertThat(new Case().bears(role, "", "NoSchedule").bootstrap(Bootstrap.unknown(true)).only().by())
                .isEqualTo("kubeadm");
        assertThat(new Case().bears(role, "", "NoSchedule").bootstrap(
                new Bootstrap("c", Optional.of(Map.of()), Map.of(), true)).only().source()).isEqualTo(Source.UNKNOWN);
        assertThat(new Case().bears(role, "", "NoSchedule").only().source()).isEqualTo(Source.UNKNOWN);
    }

    @Test
    void the_cloud_provider_says_what_about() {
        String cloud = "node.cloudprovider.kubernetes.io/";
        assertThat(new Case().bears(cloud + "uninitialized", "true", "NoSchedule").only().by())
                .isEqualTo("kubelet --cloud-provider=external");
        assertThat(new Case().bears(cloud + "uninitialized", "true", "NoSchedule").only().because())
                .isEqualTo("the cloud controller manager has not initialized the Node yet");
        assertThat(new Case().bears(cloud + "shutdown", "", "NoSchedule").only().by())
                .isEqualTo("cloud-controller-manager");
    }

    @Test
    void who_has_cordoned_the_node_is_told() {
        TaintOrigin origin = new Case().bears("node.kubernetes.io/unschedulable", "", "NoSchedule")
                .cordonedBy("kubectl-cordon").only();
        assertThat(origin.because()).isEqualTo("the Node is cordoned, by kubectl-cordon");
    }

    @Test
    void the_time_that_a_taint_bears_is_exact_and_any_other_is_the_latest() {
        Case added = new Case().bears("node.kubernetes.io/not-ready", "", "NoExecute")
                .added("node.kubernetes.io/not-ready", "NoExecute", CREATED).listBy("kubectl", LATER);
        assertThat(added.only().since()).contains(new Since(CREATED, true));
        assertThat(new Case().bears("x", "", "NoSchedule").only().since()).isEmpty();
        Case tracked = new Case().bears("x", "", "NoSchedule").tracks("x:NoSchedule")
                .listBy("kubectl", LATER).annotationsBy("nodeward-machine", CREATED, ClusterApi.TAINTS_FROM_MACHINE);
        assertThat(tracked.only().since()).contains(new Since(CREATED, false));
    }

    @Test
    void without_managed_fields_it_is_told_how_to_get_them() {
        assertThat(new Case().bears("x", "", "NoSchedule").only().because()).contains("--show-managed-fields");
    }
}
