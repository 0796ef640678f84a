package io.nodeward.core.fakeapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What becomes of objects that are created, updated and deleted. */
public class ObjectsTest extends ServerTest {
    private static final String SECRETS = "/api/v1/namespaces/default/secrets";

    @Test
    void a_created_object_has_uid_time_and_version() {
        Client.Reply reply = node("a");
        assertThat(reply.at("/metadata/uid")).hasSize(36);
        assertThat(reply.at("/metadata/creationTimestamp")).endsWith("Z");
        assertThat(client.get(Client.NODES + "/a").json()).isEqualTo(reply.json());
    }

    @Test
    void versions_grow_over_all_kinds() {
        long first = Long.parseLong(version(node("a")));
        long second = Long.parseLong(version(machine("m")));
        assertThat(second).isGreaterThan(first);
        if (isOurs()) {
            assertThat(server.resourceVersion()).isEqualTo(second);
        }
    }

    @Test
    void a_name_can_be_taken_once() {
        node("a");
        Client.Reply again = client.post(Client.NODES, "{'metadata':{'name':'a'}}");
        assertThat(again.code()).isEqualTo(409);
        assertThat(again.at("/reason")).isEqualTo("AlreadyExists");
        assertThat(again.at("/message")).isEqualTo("nodes \"a\" already exists");
    }

    @Test
    void generated_names_differ() {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < 5; i++) {
            names.add(client.post(SECRETS, "{'metadata':{'generateName':'s-'}}").at("/metadata/name"));
        }
        assertThat(names).hasSize(5).allMatch(name -> name.matches("s-[a-z0-9]{5}"));
    }

    @Test
    void an_object_needs_its_namespace() {
        Client.Reply reply = client.post("/api/v1/namespaces/none/secrets", "{'metadata':{'name':'s'}}");
        assertThat(reply.code()).isEqualTo(404);
        assertThat(reply.at("/message")).isEqualTo("namespaces \"none\" not found");
    }

    @Test
    void the_namespace_of_body_and_path_must_agree() {
        Client.Reply reply = client.post(SECRETS, "{'metadata':{'name':'s','namespace':'kube-system'}}");
        assertThat(reply.code()).isEqualTo(400);
    }

    @Test
    void another_kind_is_refused() {
        assertThat(client.post(Client.NODES, "{'kind':'Pod','apiVersion':'v1','metadata':{'name':'a'}}").code())
                .isEqualTo(400);
        assertThat(client.post(Client.MACHINES, "{'metadata':{'name':'a'}}").code()).isEqualTo(400);
    }

    @Test
    void text_in_a_secret_is_encoded() {
        Client.Reply reply = client.post(SECRETS, "{'metadata':{'name':'s'},'stringData':{'a':'b'}}");
        assertThat(reply.json().path("data")).isEqualTo(Client.json("{'a':'Yg=='}"));
        assertThat(reply.json().has("stringData")).isFalse();
    }

    @Test
    void status_is_not_created_with_a_custom_resource() {
        String body =
                "{'apiVersion':'cluster.x-k8s.io/v1beta2','kind':'Machine','metadata':{'name':'m'},'spec':" + SPEC + ","
                        + "'status':{'phase':'Running'}}";
        assertThat(client.post(Client.MACHINES, body).json().has("status")).isFalse();
        assertThat(client.post(Client.NODES, "{'metadata':{'name':'a'},'status':{'phase':'x'}}").at("/status/phase"))
                .isEqualTo("x");
    }

    @Test
    void a_dry_run_changes_nothing() {
        assertThat(client.post(Client.NODES + "?dryRun=All", "{'metadata':{'name':'a'}}").code()).isEqualTo(201);
        assertThat(client.get(Client.NODES + "/a").code()).isEqualTo(404);
        String before = version(node("b"));
        Client.Reply reply = client.merge(Client.NODES + "/b?dryRun=All", "{'metadata':{'labels':{'x':'y'}}}");
        assertThat(reply.at("/metadata/labels/x")).isEqualTo("y");
        assertThat(version(client.get(Client.NODES + "/b"))).isEqualTo(before);
        client.delete(Client.NODES + "/b?dryRun=All");
        assertThat(client.get(Client.NODES + "/b").code()).isEqualTo(200);
    }

    @Test
    void an_update_replaces_on_the_version_it_names() {
        ObjectNode node = (ObjectNode) node("a").json();
        ((ObjectNode) node.path("metadata")).putObject("labels").put("x", "1");
        assertThat(client.put(Client.NODES + "/a", node).at("/metadata/labels/x")).isEqualTo("1");
        ((ObjectNode) node.path("metadata").path("labels")).put("x", "2");
        Client.Reply stale = client.put(Client.NODES + "/a", node);
        assertThat(stale.code()).isEqualTo(409);
        assertThat(stale.at("/message")).isEqualTo("Operation cannot be fulfilled on nodes \"a\": the object has been "
                + "modified; please apply your changes to the latest version and try again");
    }

    @Test
    void an_update_of_a_custom_resource_must_name_a_version() {
        ObjectNode machine = (ObjectNode) machine("m").json();
        ((ObjectNode) machine.path("metadata")).remove("resourceVersion");
        assertThat(client.put(Client.MACHINES + "/m", machine).code()).isEqualTo(422);
    }

    @Test
    void an_update_of_another_uid_conflicts() {
        ObjectNode node = (ObjectNode) node("a").json();
        ((ObjectNode) node.path("metadata")).put("uid", "other");
        assertThat(client.put(Client.NODES + "/a", node).at("/reason")).isEqualTo("Conflict");
    }

    @Test
    void spec_and_status_are_written_apart() {
        machine("m");
        client.merge(Client.MACHINES + "/m/status", "{'status':{'phase':'Running'},'spec':{'clusterName':'z'}}");
        client.merge(Client.MACHINES + "/m", "{'status':{'phase':'Lost'},'metadata':{'labels':{'a':'b'}}}");
        Client.Reply reply = client.get(Client.MACHINES + "/m");
        assertThat(reply.at("/status/phase")).isEqualTo("Running");
        assertThat(reply.at("/spec/clusterName")).isEqualTo("c");
        assertThat(reply.at("/metadata/labels/a")).isEqualTo("b");
    }

    @Test
    void only_a_change_of_spec_is_a_new_generation() {
        assertThat(machine("m").json().at("/metadata/generation").asInt()).isEqualTo(1);
        client.merge(Client.MACHINES + "/m", "{'metadata':{'labels':{'a':'b'}}}");
        client.merge(Client.MACHINES + "/m/status", "{'status':{'phase':'Running'}}");
        Client.Reply reply = client.merge(Client.MACHINES + "/m", "{'spec':{'version':'v1'}}");
        assertThat(reply.json().at("/metadata/generation").asInt()).isEqualTo(2);
        node("a");
        assertThat(client.merge(Client.NODES + "/a", "{'spec':{'unschedulable':true}}").json().path("metadata")
                .has("generation"))
                .isFalse();
    }

    @Test
    void both_versions_show_the_same_machine() {
        machine("m");
        String old = Client.MACHINES.replace("v1beta2", "v1beta1");
        assertThat(client.get(old + "/m").at("/apiVersion")).isEqualTo("cluster.x-k8s.io/v1beta1");
        client.merge(old + "/m", "{'metadata':{'labels':{'a':'b'}}}");
        assertThat(client.get(Client.MACHINES + "/m").at("/metadata/labels/a")).isEqualTo("b");
        assertThat(client.get(Client.MACHINES + "/m").at("/apiVersion")).isEqualTo("cluster.x-k8s.io/v1beta2");
    }

    @Test
    void a_deletion_says_what_is_gone() {
        String uid = machine("m").at("/metadata/uid");
        Client.Reply reply = client.delete(Client.MACHINES + "/m");
        assertThat(reply.at("/status")).isEqualTo("Success");
        assertThat(reply.json().path("details")).isEqualTo(Client.json(
                "{'name':'m','group':'cluster.x-k8s.io','kind':'machines','uid':'" + uid + "'}"));
        assertThat(client.delete(Client.MACHINES + "/m").code()).isEqualTo(404);
    }

    @Test
    void finalizers_hold_an_object_until_they_are_gone() {
        machine("m");
        client.merge(Client.MACHINES + "/m", "{'metadata':{'finalizers':['a.b/c']}}");
        assertThat(client.delete(Client.MACHINES + "/m").at("/metadata/deletionTimestamp")).isNotEmpty();
        Client.Reply more = client.merge(Client.MACHINES + "/m", "{'metadata':{'finalizers':['a.b/c','d.e/f']}}");
        assertThat(more.code()).isEqualTo(422);
        assertThat(client.get(Client.MACHINES + "/m").code()).isEqualTo(200);
        assertThat(client.merge(Client.MACHINES + "/m", "{'metadata':{'finalizers':null}}").code()).isEqualTo(200);
        assertThat(client.get(Client.MACHINES + "/m").code()).isEqualTo(404);
    }

    @Test
    void a_deletion_holds_on_its_preconditions() {
        Client.Reply node = node("a");
        String uid = node.at("/metadata/uid");
        assertThat(client.delete(Client.NODES + "/a", "{'preconditions':{'uid':'other'}}").code()).isEqualTo(409);
        assertThat(client.delete(Client.NODES + "/a", "{'preconditions':{'resourceVersion':'1'}}").code())
                .isEqualTo(409);
        assertThat(client.delete(Client.NODES + "/a?propagationPolicy=Background",
                "{'preconditions':{'uid':'" + uid + "','resourceVersion':'" + version(node) + "'}}").code())
                .isEqualTo(200);
    }

    @Test
    void a_collection_is_deleted_by_label() {
        node("a", "x", "1");
        node("b", "x", "2");
        assertThat(client.delete(Client.NODES + "?labelSelector=x%3D1").json().path("items")).hasSize(1);
        assertThat(client.get(Client.NODES).json().path("items")).hasSize(1);
    }

    @Test
    void each_manager_has_one_entry() {
        client.post(Client.NODES + "?fieldManager=one", "{'metadata':{'name':'a','annotations':{'a':'b'}}}");
        client.merge(Client.NODES + "/a", "{'metadata':{'labels':{'a':'b'}}}");
        client.merge(Client.NODES + "/a", "{'metadata':{'labels':{'a':'c'}}}");
        Client.Reply reply = client.get(Client.NODES + "/a");
        assertThat(reply.json().at("/metadata/managedFields").findValuesAsText("manager")).containsExactly("one",
                "tests");
    }

    @Test
    void a_secret_changed_by_string_data_is_a_new_version() {
        String secrets = "/api/v1/namespaces/default/secrets";
        Client.Reply first = created(client.post(secrets, "{'metadata':{'name':'s'},'stringData':{'value':'one'}}"));
        Client.Reply second = client.merge(secrets + "/s", "{'stringData':{'value':'two'}}");

        assertThat(second.at("/data/value")).isEqualTo("dHdv");
        assertThat(version(second)).isNotEqualTo(version(first));
    }
}
