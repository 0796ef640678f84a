package io.nodeward.core.rules.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineageTest {
    private static final OwnerRef SET = owner("cluster.x-k8s.io/v1beta2", "MachineSet", true);

    private static OwnerRef owner(String apiVersion, String kind, boolean controller) {
        return new OwnerRef(apiVersion, kind, "o", "u", controller);
    }

    @ParameterizedTest
    @CsvSource({"cluster.x-k8s.io/v1beta2, MachineDeployment", "cluster.x-k8s.io/v1beta1, MachineSet",
            "cluster.x-k8s.io/v1, MachinePool", "controlplane.cluster.x-k8s.io/v1beta2, KubeadmControlPlane",
            "controlplane.example.com/v1, Any"})
    void an_object_is_made_by_its_controller(String apiVersion, String kind) {
        OwnerRef maker = owner(apiVersion, kind, true);
        OwnerRef other = owner("v1", "ConfigMap", false);
        assertThat(Lineage.maker(List.of(other, maker))).contains(maker);
        assertThat(Lineage.maker(List.of(owner(apiVersion, kind, false)))).as("one that only keeps it").isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"cluster.x-k8s.io/v1beta2, Cluster", "machine.openshift.io/v1beta1, MachineSet",
            "cluster.x-k8s.io, MachineSet", "addons.cluster.x-k8s.io/v1, MachineSet", "v1, MachinePool"})
    void a_controller_of_another_kind_declares_nothing(String apiVersion, String kind) {
        assertThat(Lineage.maker(List.of(owner(apiVersion, kind, true)))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"cluster.x-k8s.io/v1beta2, MachinePool, true", "cluster.x-k8s.io/v1beta1, MachinePool, true",
            "cluster.x-k8s.io/v1beta2, MachinePool, false", "v1, MachinePool, true",
            "infrastructure.cluster.x-k8s.io/v1beta2, MachinePool, true", "cluster.x-k8s.io/v1beta2, MachineSet, true"})
    void a_machine_is_one_of_the_pool_that_made_it(String apiVersion, String kind, boolean controller) {
        OwnerRef owner = owner(apiVersion, kind, controller);
        Optional<String> maker =
                Lineage.maker(List.of(owner)).filter(made -> made.kind().equals("MachinePool")).map(OwnerRef::name);
        assertThat(KnownFleet.machine("m", "", "", owner).pool().map(ObjectKey::name)).isEqualTo(maker);
    }

    @Test
    void nothing_that_has_no_owner_was_made() {
        assertThat(Lineage.maker(List.of())).isEmpty();
    }

    @Test
    void a_kind_is_of_one_group_in_all_versions() {
        assertThat(Lineage.group(SET)).isEqualTo("cluster.x-k8s.io");
        assertThat(Lineage.group(owner("v1", "Node", true))).isEmpty();
        assertThat(Lineage.group(owner("/v1", "Node", true))).isEmpty();
    }

    @Test
    void an_object_made_anew_under_the_same_name_is_another() {
        assertThat(Lineage.isTo(SET, "u")).isTrue();
        assertThat(Lineage.isTo(SET, "v")).isFalse();
        assertThat(Lineage.isTo(SET, "")).as("written by hand").isTrue();
        assertThat(Lineage.isTo(new OwnerRef("cluster.x-k8s.io/v1beta2", "MachineSet", "o", "", true), "v")).isTrue();
    }
}
