package io.nodeward.core.rules.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeGroupsTest {
    @ParameterizedTest
    @CsvSource(nullValues = "absent", value = {
            "0,10,true", "1,1,true", "absent,3,true", "+1,+3,true", "0,9999999999,true",
            "0,0,false", "3,2,false", "absent,absent,false", "0,absent,false", "1,absent,false", "-1,3,false",
            "0,-3,false", "x,3,false", "0,3.5,false", "0,' 3',false", "0,'',false", "0,٣,false"})
    void the_sizes_make_a_node_group(String min, String max, boolean expected) {
        assertThat(NodeGroups.isNodeGroup(group(ClusterApi.GROUP, min, max), ClusterApi.GROUP)).isEqualTo(expected);
    }

    @Test
    void the_autoscaler_may_use_another_group() {
        Metadata group = group("example.com", "0", "3");

        assertThat(NodeGroups.isNodeGroup(group, "example.com")).isTrue();
        assertThat(NodeGroups.isNodeGroup(group, ClusterApi.GROUP)).isFalse();
    }

    @Test
    void a_machine_set_of_a_deployment_is_none() {
        Metadata owned = group(ClusterApi.GROUP, "0", "3", owner("MachineDeployment", "d"));

        assertThat(NodeGroups.isOwned(owned)).isTrue();
        assertThat(NodeGroups.isNodeGroup(owned, ClusterApi.GROUP)).isFalse();
    }

    @Test
    void any_other_owner_is_of_no_account() {
        Metadata free = group(ClusterApi.GROUP, "0", "3", owner("Cluster", "c"), owner("MachineDeployment", ""));

        assertThat(NodeGroups.isOwned(free)).isFalse();
        assertThat(NodeGroups.isNodeGroup(free, ClusterApi.GROUP)).isTrue();
    }

    private static OwnerRef owner(String kind, String name) {
        return new OwnerRef("cluster.x-k8s.io/v1beta2", kind, name, "uid", true);
    }

    private static Metadata group(String domain, String min, String max, OwnerRef... owners) {
        Map<String, String> annotations = new TreeMap<>();
        if (min != null) {
            annotations.put(domain + "/" + CapacityAnnotations.MIN_SIZE, min);
        }
        if (max != null) {
            annotations.put(domain + "/" + CapacityAnnotations.MAX_SIZE, max);
        }
        return new Metadata(
                new ObjectKey("fleet", "group"), "uid", "1", Map.of(), annotations, List.of(owners), false);
    }
}
