package io.nodeward.core.fakeapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused, and by the name of which field. */
public class ValidationTest extends ServerTest {
    private List<String> fields(Client.Reply reply) {
        assertThat(reply.code()).as(reply.json().toString()).isEqualTo(422);
        assertThat(reply.at("/reason")).isEqualTo("Invalid");
        return reply.json().at("/details/causes").findValuesAsText("field");
    }

    /** Of a Node; kube-apiserver looks at its taints twice, and says all twice. */
    private List<String> taintFields(Client.Reply reply) {
        return isOurs() ? fields(reply) : fields(reply).stream().distinct().toList();
    }

    private Client.Reply nodeWith(String taints) {
        return client.post(Client.NODES, "{'metadata':{'name':'a'},'spec':{'taints':" + taints + "}}");
    }

    private Client.Reply machineWith(String taints) {
        return client.post(Client.MACHINES, machineJson("m", SPEC.replace("}}", "},'taints':" + taints + "}")));
    }

    @Test
    void a_refusal_names_object_and_field() {
        Client.Reply reply = nodeWith("[{'key':'k','effect':'Foo'}]");
        assertThat(reply.at("/message"))
                .isEqualTo("Node \"a\" is invalid: metadata.taints[0].effect: Unsupported value: "
                        + "\"Foo\": supported values: \"NoSchedule\", \"PreferNoSchedule\", \"NoExecute\"");
        assertThat(reply.json().at("/details/name").asText()).isEqualTo("a");
        assertThat(reply.json().at("/details/kind").asText()).isEqualTo("Node");
        assertThat(reply.json().at("/details/causes/0/reason").asText()).isEqualTo("FieldValueNotSupported");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "{'key':'a b','effect':'NoSchedule'} | metadata.taints[0].key",
            "{'key':'a/b/c','effect':'NoSchedule'} | metadata.taints[0].key",
            "{'key':'-/x','effect':'NoSchedule'} | metadata.taints[0].key",
            "{'key':'k','value':'-x','effect':'NoSchedule'} | metadata.taints[0].value",
            "{'key':'k'} | metadata.taints[0].effect",
            "{'key':'k','value':'1','effect':'NoExecute'},{'key':'k','value':'2','effect':'NoExecute'} | metadata.taints[1]"
    })
    void bad_taints_of_a_node(String taints, String field) {
        assertThat(taintFields(nodeWith("[" + taints + "]"))).containsExactly(field);
        assertThat(client.get(Client.NODES + "/a").code()).isEqualTo(404);
        node("a");
        assertThat(taintFields(client.merge(Client.NODES + "/a", "{'spec':{'taints':[" + taints + "]}}")))
                .containsExactly(field);
    }

    @Test
    void one_key_may_have_two_effects() {
        created(nodeWith("[{'key':'k','effect':'NoExecute'},{'key':'k','effect':'NoSchedule'}]"));
    }

    @Test
    void a_node_keeps_the_fields_a_taint_has() {
        Client.Reply reply = created(nodeWith(
                "[{'key':'k','value':'','effect':'NoExecute','other':1,'timeAdded':'2026-01-01T00:00:00Z'}]"));
        assertThat(reply.json().at("/spec/taints/0")).isEqualTo(
                Client.json("{'key':'k','effect':'NoExecute','timeAdded':'2026-01-01T00:00:00Z'}"));
        if (isOurs()) { // kube-apiserver adds that the Node is not ready
            assertThat(reply.json().at("/spec/taints")).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            "[] | spec.taints",
            "'x' | spec.taints",
            "[{'key':'k','effect':'Foo','propagation':'Always'}] | spec.taints[0].effect",
            "[{'key':'k','effect':'NoExecute','propagation':'Never'}] | spec.taints[0].propagation",
            "[{'key':'k','effect':'NoExecute'}] | spec.taints[0].propagation",
            "[{'effect':'NoExecute','propagation':'Always'}] | spec.taints[0].key",
            "[{'key':'','effect':'NoExecute','propagation':'Always'}] | spec.taints[0].key",
            "[{'key':'a b','effect':'NoExecute','propagation':'Always'}] | spec.taints[0].key",
            "[{'key':'k','value':'-','effect':'NoExecute','propagation':'Always'}] | spec.taints[0].value",
            "[{'key':'k','effect':'NoExecute','propagation':'Always'},{'key':'k','effect':'NoExecute','propagation':'Always'}]"
                    + " | spec.taints[1]"
    })
    void bad_taints_of_a_machine(String taints, String field) {
        Client.Reply reply = machineWith(taints);
        assertThat(fields(reply)).containsExactly(field);
        assertThat(reply.at("/message")).startsWith("Machine.cluster.x-k8s.io \"m\" is invalid: " + field + ": ");
    }

    @Test
    void a_machine_has_64_taints_at_most() {
        String many = IntStream.rangeClosed(1, 65)
                .mapToObj(i -> "{'key':'k" + i + "','effect':'NoExecute','propagation':'Always'}")
                .collect(Collectors.joining(",", "[", "]"));
        assertThat(machineWith(many).at("/details/causes/0/message"))
                .isEqualTo("Too many: 65: must have at most 64 items");
        created(machineWith(many.replaceAll(",\\{'key':'k65'[^}]*}", "")));
    }

    @Test
    void labels_and_annotations_have_qualified_keys() {
        assertThat(fields(client.post(Client.NODES, "{'metadata':{'name':'a','labels':{'a b':'ok','ok':'-'},"
                + "'annotations':{'c d':'anything at all'}}}")))
                .containsExactly("metadata.labels", "metadata.labels", "metadata.annotations");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'labels':{'a':1}}", "{'annotations':['x']}", "{'finalizers':'x'}"})
    void metadata_of_the_wrong_type_is_refused(String metadata) {
        assertThat(client.post(Client.NODES, "{'metadata':" + metadata + "}").code()).isEqualTo(400);
        node("a");
        assertThat(fields(client.merge(Client.NODES + "/a", "{'metadata':" + metadata + "}"))).containsExactly("patch");
    }

    @ParameterizedTest
    @ValueSource(strings = {"A", "a_b", "-a", "a..b"})
    void names_are_subdomains(String name) {
        assertThat(fields(client.post(Client.NODES, "{'metadata':{'name':'" + name + "'}}")))
                .containsExactly("metadata.name");
    }

    @Test
    void a_name_is_needed() {
        assertThat(client.post(Client.NODES, "{}").at("/details/causes/0/message"))
                .isEqualTo("Required value: name or generateName is required");
    }

    @Test
    void an_event_is_in_the_namespace_of_its_object() {
        assertThat(fields(client.post("/api/v1/namespaces/default/events",
                "{'metadata':{'name':'e'},'involvedObject':{'namespace':'other'}}")))
                .containsExactly("involvedObject.namespace");
    }

    @Test
    void a_dry_run_is_all_or_refused() {
        assertThat(fields(client.post(Client.NODES + "?dryRun=Some", "{'metadata':{'name':'a'}}")))
                .containsExactly("dryRun");
    }
}
