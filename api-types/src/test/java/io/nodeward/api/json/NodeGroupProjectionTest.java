package io.nodeward.api.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.machine.MachinePool.InfrastructureRef;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.ObjectKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NodeGroupProjectionTest {
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
    private static final String METADATA = "'metadata':{'namespace':'fleet','name':'g','uid':'u','resourceVersion':'7',"
            + "'annotations':{'a':'1'}";

    @Test
    void template_and_conditions_are_read_from_both_versions() throws IOException {
        String spec = "'spec':{'clusterName':'c','replicas':0,'template':{'metadata':{'labels':{'l':'1'},"
                + "'annotations':{'t':'2'}},'spec':{'version':'v1',"
                + "'infrastructureRef':{'apiGroup':'i.x','kind':'K','name':'n'},'taints':[{'key':'k','effect':'NoSchedule',"
                + "'propagation':'Always'}]}}}";
        String conditions = "'conditions':[{'type':'Ready','status':'True'},{'type':'nodeward.io/X','status':'True'}]";

        for (String status : new String[]{conditions, "'v1beta2':{" + conditions + "}"}) {
            NodeGroup group = read("{" + METADATA + "}," + spec + ",'status':{" + status + "}}");

            assertThat(group.key()).isEqualTo(new ObjectKey("fleet", "g"));
            assertThat(group.cluster()).isEqualTo(new ObjectKey("fleet", "c"));
            assertThat(group.metadata().annotations()).containsOnly(Map.entry("a", "1"));
            assertThat(group.template().labels()).containsOnly(Map.entry("l", "1"));
            assertThat(group.template().annotations()).containsOnly(Map.entry("t", "2"));
            assertThat(group.template().taints())
                    .containsExactly(new MachineTaint("k", "", "NoSchedule", MachineTaint.ALWAYS));
            assertThat(group.infrastructure()).isEqualTo(new InfrastructureRef("i.x", "K", "n"));
            assertThat(group.conditions()).extracting(Condition::type).containsExactly("nodeward.io/X");
            assertThat(group.appliers(CapacityAnnotations.TAINTS)).isEmpty();
        }
    }

    @Test
    void who_applies_an_annotation_for_the_autoscaler_is_known() throws IOException {
        NodeGroup group = read("{" + METADATA + ",'managedFields':["
                + manager("capi-topology", "Apply", CapacityAnnotations.TAINTS, "a")
                + "," + manager("kubectl-edit", "Update", CapacityAnnotations.TAINTS, CapacityAnnotations.LABELS)
                + "," + manager("nodeward", "Apply", CapacityAnnotations.TAINTS, CapacityAnnotations.TAINTS_TRACKING)
                + ",{'manager':'odd','operation':'Apply','fieldsV1':{'f:metadata':{'f:labels':{'f:"
                + CapacityAnnotations.LABELS + "':{}}},'f:metadata2':1}},{'manager':'none','operation':'Apply'}]}}");

        assertThat(group.appliers()).isEqualTo(Map.of(
                CapacityAnnotations.TAINTS, Set.of("capi-topology", "nodeward"),
                CapacityAnnotations.TAINTS_TRACKING, Set.of("nodeward")));
    }

    @Test
    void what_is_applied_from_a_manifest_on_the_clients_side_counts_as_applied() throws IOException {
        String manifest = "{\\\"kind\\\":\\\"MachineDeployment\\\",\\\"metadata\\\":{\\\"annotations\\\":{\\\""
                + CapacityAnnotations.TAINTS
                + "\\\":\\\"u:NoExecute\\\",\\\"other\\\":\\\"1\\\"},\\\"name\\\":\\\"g\\\"}}";
        NodeGroup group = read("{'metadata':{'name':'g','annotations':{'a':'1','" + LAST_APPLIED + "':'" + manifest
                + "'}}}");

        assertThat(group.appliers())
                .isEqualTo(Map.of(CapacityAnnotations.TAINTS, Set.of(NodeGroup.CLIENT_SIDE_APPLY)));
        assertThat(group.metadata().annotations()).as("long, and of no more use").containsOnly(Map.entry("a", "1"));
        for (String odd : new String[]{"", "{", "[1]", "{\\\"metadata\\\":{\\\"annotations\\\":[1]}}"}) {
            assertThat(
                    read("{'metadata':{'name':'g','annotations':{'" + LAST_APPLIED + "':'" + odd + "'}}}").appliers())
                    .isEmpty();
        }
    }

    @Test
    void of_a_manifest_only_the_annotations_count() throws IOException {
        String metadata = "{\\\"metadata\\\":{\\\"x\\\":[" + "1,".repeat(100_001) + "1],\\\"annotations\\\":{\\\""
                + CapacityAnnotations.TAINTS + "\\\":null}}";

        for (String rest : new String[]{"}", ",\\\"spec\\\":{", ",\\\"spec\\\":[" + "1,".repeat(100_001) + "1]}"}) {
            assertThat(
                    read("{'metadata':{'annotations':{'" + LAST_APPLIED + "':'" + metadata + rest + "'}}}").appliers())
                    .isEqualTo(Map.of(CapacityAnnotations.TAINTS, Set.of(NodeGroup.CLIENT_SIDE_APPLY)));
        }
    }

    @Test
    void malformed_parts_are_skipped() throws IOException {
        NodeGroup group = read("{'metadata':{'name':'g','managedFields':[1,{'manager':[],'operation':'Apply',"
                + "'fieldsV1':{'f:metadata':{'f:annotations':[1]}}}]},'spec':{'template':1},'status':[]}");

        assertThat(group.key().name()).isEqualTo("g");
        assertThat(group.appliers()).isEmpty();
    }

    @Test
    void another_resource_version_or_condition_declares_nothing_else() throws IOException {
        NodeGroup group = read("{" + METADATA + "},'status':{'conditions':[{'type':'nodeward.io/X'}]}}");

        assertThat(group.declaration()).isEqualTo(read("{" + METADATA + "}}").withResourceVersion("8").declaration());
        assertThat(group.declaration()).isNotEqualTo(read("{'metadata':{'name':'g'}}").declaration());
        assertThat(group.sameState(group.withResourceVersion("8"))).isTrue();
    }

    @Test
    void a_write_leaves_what_is_not_metadata() throws IOException {
        NodeGroup before = read("{" + METADATA + "},'spec':{'clusterName':'c'}}");
        NodeGroup after = before.withMetadataOf(
                read("{'metadata':{'name':'g','namespace':'fleet','resourceVersion':'9'}}"));

        assertThat(after.clusterName()).isEqualTo("c");
        assertThat(after.metadata().resourceVersion()).isEqualTo("9");
        assertThat(after.metadata().annotations()).isEmpty();
    }

    @Test
    void what_is_applied_holds_nothing_that_a_reader_of_yaml_refuses_or_folds() throws IOException {
        String text = "\\\"\t\u0001\u007f\u0085\u009f\u00e4\u2028\u2029\ufeff\ufffe\ud83d\ude00";

        String body = new String(Trees.writtenForApply(
                Tree.of(Map.of("metadata", Map.of("name", "g", "annotations", Map.of("a", text))))),
                StandardCharsets.UTF_8);

        assertThat(body).contains("'a':'".replace('\'', '"') + "\\\\\\\"\\u0009\\u0001\\u007f\\u0085\\u009f\u00e4"
                + "\\u2028\\u2029\\ufeff\\ufffe\ud83d\ude00\"");
        assertThat(read(body.replace('\'', '?')).metadata().annotations()).containsEntry("a", text);
    }

    private static String manager(String name, String operation, String... annotations) {
        StringBuilder fields = new StringBuilder("'.':{}");
        for (String annotation : annotations) {
            fields.append(",'f:").append(annotation).append("':{}");
        }
        return "{'manager':'" + name + "','operation':'" + operation + "','fieldsType':'FieldsV1','fieldsV1':{"
                + "'f:metadata':{'f:annotations':{" + fields + "}},'f:spec':{'f:replicas':{}}}}";
    }

    private static NodeGroup read(String json) throws IOException {
        return Projection.NODE_GROUP.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
