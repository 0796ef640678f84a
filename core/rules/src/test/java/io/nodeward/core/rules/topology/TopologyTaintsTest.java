package io.nodeward.core.rules.topology;

import static io.nodeward.core.rules.Fleet.always;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.ClusterClass;
import io.nodeward.api.machine.ClusterTopology;
import io.nodeward.api.machine.ClusterTopology.ControlPlaneRef;
import io.nodeward.api.machine.ClusterTopology.Workers;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TopologyTaintsTest {
    private static final MachineTaint OF_CLASS = always("class", "", "NoSchedule");
    private static final MachineTaint OF_CLUSTER = always("cluster", "", "NoSchedule");
    private static final MachineTaint BOTH_CLASS = always("both", "class", "NoSchedule");
    private static final MachineTaint BOTH_CLUSTER = always("both", "cluster", "NoSchedule");
    private static final List<MachineTaint> NONE = List.of();

    /** The three places of a topology that declare taints. */
    enum Place {
        CONTROL_PLANE(TopologyTaints::controlPlane) {
            @Override
            TopologyTaints of(List<MachineTaint> ofClass, List<MachineTaint> ofCluster) {
                return TopologyTaints.of(cluster(ofCluster, List.of(), List.of()),
                        clusterClass(ofClass, Map.of(), Map.of()));
            }
        },
        MACHINE_DEPLOYMENT(taints -> taints.machineDeployments().get("x")) {
            @Override
            TopologyTaints of(List<MachineTaint> ofClass, List<MachineTaint> ofCluster) {
                return TopologyTaints.of(cluster(NONE, List.of(new Workers("x", "k", ofCluster)), List.of()),
                        clusterClass(NONE, Map.of("k", ofClass), Map.of()));
            }
        },
        MACHINE_POOL(taints -> taints.machinePools().get("x")) {
            @Override
            TopologyTaints of(List<MachineTaint> ofClass, List<MachineTaint> ofCluster) {
                return TopologyTaints.of(cluster(NONE, List.of(), List.of(new Workers("x", "k", ofCluster))),
                        clusterClass(NONE, Map.of(), Map.of("k", ofClass)));
            }
        };

        final Function<TopologyTaints, MergedTaints> read;

        Place(Function<TopologyTaints, MergedTaints> read) {
            this.read = read;
        }

        abstract TopologyTaints of(List<MachineTaint> ofClass, List<MachineTaint> ofCluster);
    }

    @ParameterizedTest
    @EnumSource
    void set_in_both(Place place) {
        TopologyTaints both = place.of(List.of(OF_CLASS, BOTH_CLASS), List.of(BOTH_CLUSTER, OF_CLUSTER));
        assertThat(wanted(place, both, TopologyMode.FULL)).containsExactly(OF_CLASS, BOTH_CLUSTER, OF_CLUSTER);
        assertThat(wanted(place, both, TopologyMode.COMPLETE)).containsExactly(OF_CLASS);
    }

    @ParameterizedTest
    @EnumSource
    void set_in_one_of_them(Place place) {
        TopologyTaints ofClass = place.of(List.of(OF_CLASS), NONE);
        assertThat(wanted(place, ofClass, TopologyMode.FULL)).containsExactly(OF_CLASS);
        assertThat(wanted(place, ofClass, TopologyMode.COMPLETE)).isEmpty();
        TopologyTaints ofCluster = place.of(NONE, List.of(OF_CLUSTER));
        assertThat(wanted(place, ofCluster, TopologyMode.FULL)).containsExactly(OF_CLUSTER);
        assertThat(wanted(place, ofCluster, TopologyMode.COMPLETE)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void set_in_neither_is_nothing_to_write(Place place) {
        for (TopologyMode mode : TopologyMode.values()) {
            assertThat(wanted(place, place.of(NONE, NONE), mode)).isEmpty();
        }
    }

    @Test
    void many_groups_may_be_of_one_class_and_each_has_its_own_taints() {
        TopologyTaints taints = TopologyTaints.of(
                cluster(NONE, List.of(new Workers("b", "k", List.of(BOTH_CLUSTER)), new Workers("a", "k", NONE)),
                        List.of(new Workers("a", "k", NONE))),
                clusterClass(List.of(OF_CLASS), Map.of("k", List.of(BOTH_CLASS)), Map.of("k", List.of(OF_CLASS))));

        assertThat(taints.machineDeployments()).containsOnlyKeys("a", "b");
        assertThat(taints.machineDeployments().get("a").taints()).containsExactly(BOTH_CLASS);
        assertThat(taints.machineDeployments().get("b").taints()).containsExactly(BOTH_CLUSTER);
        assertThat(taints.machinePools().get("a").taints()).containsExactly(OF_CLASS);
        assertThat(taints.controlPlane().taints()).containsExactly(OF_CLASS);
        assertThat(taints.unresolved()).isEmpty();
    }

    /** Writing an empty list for it would open its Nodes because of a slip in a name. */
    @Test
    void workers_of_an_unknown_class_are_named_and_left_alone() {
        TopologyTaints taints = TopologyTaints.of(
                cluster(NONE, List.of(new Workers("a", "slip", List.of(OF_CLUSTER)), new Workers("b", "k", NONE)),
                        List.of(new Workers("a", "k", NONE))),
                clusterClass(NONE, Map.of("k", List.of(OF_CLASS)), Map.of()));

        assertThat(taints.machineDeployments()).containsOnlyKeys("b");
        assertThat(taints.machinePools()).isEmpty();
        assertThat(taints.unresolved()).extracting(TopologyTaints.Unresolved::toString)
                .containsExactly("machineDeployments a (class slip)", "machinePools a (class k)");
        assertThat(taints.unresolved(TopologyTaints.MACHINE_POOLS, "a")).map(TopologyTaints.Unresolved::className)
                .contains("k");
        assertThat(taints.unresolved(TopologyTaints.MACHINE_POOLS, "b")).isEmpty();
    }

    @Test
    void each_mode_is_written_as_a_step_of_its_own() {
        assertThat(TopologyMode.FULL.step()).isEqualTo(PropagationStep.TOPOLOGY);
        assertThat(TopologyMode.COMPLETE.step()).isEqualTo(PropagationStep.COMPLETED_TOPOLOGY);
    }

    @Test
    void beside_cluster_api_all_that_is_declared_may_be_about_to_come_from_it() {
        MergedTaints merged = Place.CONTROL_PLANE.read.apply(Place.CONTROL_PLANE.of(List.of(OF_CLASS), NONE));

        assertThat(TopologyMode.COMPLETE.wanted(merged)).isEmpty();
        assertThat(TopologyMode.COMPLETE.expected(merged)).containsExactly(OF_CLASS.id());
        assertThat(TopologyMode.FULL.expected(merged)).isEmpty();
    }

    private static List<MachineTaint> wanted(Place place, TopologyTaints taints, TopologyMode mode) {
        return mode.wanted(place.read.apply(taints));
    }

    private static ClusterTopology cluster(
            List<MachineTaint> controlPlane, List<Workers> machineDeployments, List<Workers> machinePools) {
        return new ClusterTopology(metadata(), "fleet", "k", ControlPlaneRef.NONE, controlPlane, machineDeployments,
                machinePools);
    }

    private static ClusterClass clusterClass(
            List<MachineTaint> controlPlane,
            Map<String, List<MachineTaint>> machineDeployments,
            Map<String, List<MachineTaint>> machinePools) {
        return new ClusterClass(metadata(), controlPlane, machineDeployments, machinePools);
    }

    private static Metadata metadata() {
        return new Metadata(new ObjectKey("fleet", "x"), "u", "1", Map.of(), Map.of(), List.of(), false);
    }
}
