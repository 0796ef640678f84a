package io.nodeward.core.fakeapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** managedFields of writes that are no apply. */
public class ManagedFieldsTest extends ServerTest {
    private static final String APPLY = "application/apply-patch+yaml";
    private static final String NODE = Client.NODES + "/a";

    @BeforeEach
    void create() {
        client.post(Client.NODES + "?fieldManager=creator",
                """
                        {'metadata':{'name':'a','labels':{'l':'1'},'ownerReferences':[{'apiVersion':'v1','kind':'K','name':'n',
                         'uid':'u'}]},'spec':{'podCIDR':'10.0.0.0/24','podCIDRs':['10.0.0.0/24'],'taints':[{'key':'t','effect':'NoSchedule'}]},
                         'status':{'conditions':[{'type':'Ready','status':'True'}]}}""");
    }

    @Test
    void a_creation_owns_all_but_the_status() {
        assertThat(fields("creator")).isEqualTo(json("""
                {'f:metadata':{'f:labels':{'.':{},'f:l':{}},'f:ownerReferences':{'.':{},'k:{~uid~:~u~}':{}}},
                 'f:spec':{'f:podCIDR':{},'f:podCIDRs':{'.':{},'v:~10.0.0.0/24~':{}},'f:taints':{}}}"""));
    }

    @Test
    void a_status_owns_its_items_and_their_fields() {
        client.merge(NODE + "/status?fieldManager=kubelet", """
                {'status':{'conditions':[{'type':'Ready','status':'False'},{'type':'Disk','status':'True'}],
                 'capacity':{'cpu':'1'},'images':[{'names':['i']}],'nodeInfo':{'osImage':'o'}}}""");
        // A typed server says what else it holds to be there: what can be allocated, and times that nobody gave.
        String allocatable = isOurs() ? "" : "'f:allocatable':{'.':{},'f:cpu':{}},";
        String times = isOurs() ? "" : "'f:lastHeartbeatTime':{},'f:lastTransitionTime':{},";
        assertThat(fields("kubelet")).isEqualTo(json("{'f:status':{" + allocatable + "'f:capacity':{'.':{},'f:cpu':{}},"
                + "'f:conditions':{'k:{~type~:~Disk~}':{'.':{}," + times + "'f:status':{},'f:type':{}},"
                + "'k:{~type~:~Ready~}':{'f:status':{}}},'f:images':{},'f:nodeInfo':{'f:osImage':{}}}}"));
        assertThat(entry("kubelet").path("subresource").asText()).isEqualTo("status");
    }

    @Test
    void a_custom_kind_owns_its_structs_too() {
        client.post(Client.MACHINES + "?fieldManager=creator", "{'apiVersion':'cluster.x-k8s.io/v1beta2',"
                + "'kind':'Machine','metadata':{'name':'m'},'spec':" + SPEC + "}");
        assertThat(client.get(Client.MACHINES + "/m").json().at("/metadata/managedFields/0/fieldsV1"))
                .isEqualTo(json("{'f:spec':{'.':{},'f:bootstrap':{'.':{},'f:dataSecretName':{}},"
                        + "'f:clusterName':{},'f:infrastructureRef':{'.':{},'f:apiGroup':{},'f:kind':{},'f:name':{}}}}"));
    }

    @Test
    void what_a_write_changed_is_its_own_and_nobody_elses() {
        client.merge(NODE + "?fieldManager=other", "{'metadata':{'labels':{'l':'2','m':'1'}}}");
        assertThat(fields("other")).isEqualTo(json("{'f:metadata':{'f:labels':{'f:l':{},'f:m':{}}}}"));
        assertThat(fields("creator").at("/f:metadata/f:labels").toString()).isEqualTo("{}");
        client.merge(NODE + "?fieldManager=third", "{'metadata':{'labels':{'m':null}}}");
        assertThat(fields("other")).isEqualTo(json("{'f:metadata':{'f:labels':{'f:l':{}}}}"));
        assertThat(fields("third")).as("it only took away").isNull();
    }

    @Test
    void a_write_that_changes_nothing_owns_nothing() {
        String before = client.get(NODE).at("/metadata/resourceVersion");
        client.merge(NODE + "?fieldManager=other", "{'metadata':{'labels':{'l':'1'}}}");
        assertThat(client.get(NODE).at("/metadata/resourceVersion")).isEqualTo(before);
        assertThat(fields("other")).isNull();
    }

    @Test
    void items_with_the_same_key_are_owned_as_one() {
        client.merge(NODE + "/status?fieldManager=kubelet", """
                {'status':{'addresses':[{'type':'InternalIP','address':'1'},{'type':'InternalIP','address':'2'}]}}""");
        assertThat(fields("kubelet")).isEqualTo(
                json("{'f:status':{'f:addresses':{'.':{},'k:{~type~:~InternalIP~}':{}}}}"));
        client.merge(NODE + "/status?fieldManager=other", """
                {'status':{'addresses':[{'type':'InternalIP','address':'1'},{'type':'InternalIP','address':'3'}]}}""");
        assertThat(fields("other")).isEqualTo(json("{'f:status':{'f:addresses':{'k:{~type~:~InternalIP~}':{}}}}"));
        client.merge(NODE + "/status?fieldManager=third", """
                {'status':{'addresses':[{'type':'InternalIP','address':'1'}]}}""");
        assertThat(fields("third")).isEqualTo(json(
                "{'f:status':{'f:addresses':{'k:{~type~:~InternalIP~}':{'.':{},'f:address':{},'f:type':{}}}}}"));
    }

    @Test
    void the_eleventh_writer_makes_the_oldest_two_one() {
        IntStream.range(0, 10).forEach(i -> client.merge(
                NODE + "?fieldManager=w" + i, "{'metadata':{'annotations':{'a" + i + "':'1'}}}"));
        List<String> managers = client.get(NODE).json().at("/metadata/managedFields").findValuesAsText("manager");
        assertThat(managers).hasSize(10).contains("ancient-changes", "w9").doesNotContain("creator");
        assertThat(fields("ancient-changes").at("/f:metadata").has("f:labels")).isTrue();
    }

    @Test
    void a_client_can_end_the_tracking_and_an_apply_begins_it_again() {
        client.patch(NODE, Client.JSON_PATCH, "[{'op':'replace','path':'/metadata/managedFields','value':[{}]}]");
        assertThat(client.get(NODE).json().path("metadata").has("managedFields")).isFalse();
        client.merge(NODE, "{'metadata':{'labels':{'l':'2'}}}");
        assertThat(client.get(NODE).json().path("metadata").has("managedFields")).isFalse();
        client.patch(NODE + "?fieldManager=one", APPLY,
                "{'apiVersion':'v1','kind':'Node','metadata':{'name':'a','labels':{'m':'1'}}}");
        assertThat(fields("before-first-apply").at("/f:metadata/f:labels").has("f:l")).isTrue();
        assertThat(fields("one")).isEqualTo(json("{'f:metadata':{'f:labels':{'f:m':{}}}}"));
    }

    @Test
    void a_client_can_hand_in_other_entries_but_no_nonsense() {
        String put = "[{'op':'replace','path':'/metadata/managedFields','value':[%s]}]";
        client.patch(NODE, Client.JSON_PATCH, put.formatted("{'manager':'x','operation':'Own','apiVersion':'v1'}"));
        assertThat(fields("creator")).isNotNull();
        client.patch(NODE, Client.JSON_PATCH, put.formatted("{'manager':'x','operation':'Apply','apiVersion':'v1',"
                + "'fieldsType':'FieldsV1','fieldsV1':{'f:metadata':{'f:labels':{'f:l':{}}}}}"));
        assertThat(fields("creator")).isNull();
        assertThat(fields("x")).isEqualTo(json("{'f:metadata':{'f:labels':{'f:l':{}}}}"));
        client.patch(NODE + "?fieldManager=x", APPLY, "{'apiVersion':'v1','kind':'Node','metadata':{'name':'a'}}");
        assertThat(client.get(NODE).json().path("metadata").has("labels")).isFalse();
    }

    @Test
    void the_keys_of_an_item_that_a_client_hands_in_are_ordered_by_name() {
        client.post(Client.MACHINES,
                "{'apiVersion':'cluster.x-k8s.io/v1beta2','kind':'Machine','metadata':{'name':'m'},"
                        + "'spec':" + SPEC + "}");
        String item = "'k:{~key~:~a~, ~effect~:~NoSchedule~}':{'.':{},'f:value':{}}".replace("~", "\\\"");
        client.patch(Client.MACHINES + "/m", Client.JSON_PATCH, "[{'op':'replace','path':'/metadata/managedFields',"
                + "'value':[{'manager':'x','operation':'Apply','apiVersion':'cluster.x-k8s.io/v1beta2',"
                + "'fieldsType':'FieldsV1','fieldsV1':{'f:spec':{'f:taints':{" + item + "}}}}]}]");
        assertThat(client.get(Client.MACHINES + "/m").json().at("/metadata/managedFields/0/fieldsV1"))
                .isEqualTo(
                        json("{'f:spec':{'f:taints':{'k:{~effect~:~NoSchedule~,~key~:~a~}':{'.':{},'f:value':{}}}}}"));
    }

    @Test
    void lists_watches_metadata_and_deletions_show_them() throws Exception {
        JsonNode shown = client.get(NODE).json().at("/metadata/managedFields");
        assertThat(shown).hasSize(1);
        assertThat(client.get(Client.NODES).json().at("/items/0/metadata/managedFields")).isEqualTo(shown);
        assertThat(client.accepting(Client.METADATA).get(NODE).json().at("/metadata/managedFields"))
                .isEqualTo(shown);
        if (isOurs()) {
            assertThat(server.list("nodes").getFirst().at("/metadata/managedFields")).isEqualTo(shown);
        }
        Client.Events events =
                client.watch(Client.NODES + "?watch=1&resourceVersion=" + version(client.get(Client.NODES)));
        client.delete(NODE);
        assertThat(events.next().at("/object/metadata/managedFields")).isEqualTo(shown);
    }

    private JsonNode entry(String manager) {
        return client.get(NODE).json().at("/metadata/managedFields").valueStream()
                .filter(e -> e.path("manager").asText().equals(manager))
                .findFirst()
                .orElse(Client.json("{}"));
    }

    private JsonNode fields(String manager) {
        return entry(manager).get("fieldsV1");
    }

    private static JsonNode json(String text) {
        return Client.json(text.replace("~", "\\\""));
    }
}
