package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.json.Replies;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Patch;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What server-side apply makes of an object, and what it refuses; who owns what is in {@link OwnershipTopic}. */
abstract class ApplyTopic extends OwnershipTopic {
    private static final String NOBODY = "00000000-0000-0000-0000-000000000000";

    @Test
    void an_absent_object_is_created() throws IOException {
        closing(() -> api().delete(NODES, key()));
        Metadata created = apply(api, "one", labels("{'l':'1'}"));
        assertThat(created.uid()).isNotEmpty();
        assertThat(labels(api).path("l").asText()).isEqualTo("1");
        assertThat(owned(api, "one", "Apply", "").path("fieldsV1"))
                .isEqualTo(json(bytes(quoted("{'f:metadata':{'f:labels':{'f:l':{}}}}"))));
    }

    @Test
    void the_status_of_an_absent_object_is_not_found() {
        assertThatThrownBy(() -> applyStatus(api, "one", conditions("A", "One")))
                .isInstanceOf(ApiFailure.NotFound.class);
        assertThatThrownBy(() -> api.get(NODES, key())).isInstanceOf(ApiFailure.NotFound.class);
    }

    @Test
    void what_is_applied_no_longer_goes_and_nothing_else() throws IOException {
        bareNode(api);
        merge(api, "other", "{'metadata':{'annotations':{'n':'1'}}}");
        apply(api, "one", "{'metadata':{'labels':{'l':'1','m':'1'},'annotations':{'o':'1'}}}");
        apply(api, "two", labels("{'p':'1'}"));
        apply(api, "one", labels("{'l':'2'}"));
        assertThat(labels(api).fieldNames()).toIterable().containsExactlyInAnyOrder("contract-run", "l", "p");
        assertThat(labels(api).path("l").asText()).isEqualTo("2");
        assertThat(read(api).path("metadata").path("annotations").toString()).isEqualTo(quoted("{'n':'1'}"));
    }

    @Test
    void conditions_are_merged_by_type_and_those_of_others_stay() throws IOException {
        bareNode(api);
        api.patchStatus(NODES, key(), Patch.merge(bytes(quoted(conditions("Foreign", "F"))), "other"));
        applyStatus(api, "one", conditions("A", "One", "B", "One"));
        applyStatus(api, "two", conditions("C", "Two"));
        assertThat(conditions(api)).containsExactly("Foreign F", "A One", "B One", "C Two");
        applyStatus(api, "one", conditions("B", "Again"));
        assertThat(conditions(api)).containsExactly("Foreign F", "B Again", "C Two");
        applyStatus(api, "one", NOTHING);
        applyStatus(api, "two", NOTHING);
        assertThat(conditions(api)).containsExactly("Foreign F");
    }

    @Test
    void conditions_take_the_order_they_are_applied_in() throws IOException {
        bareNode(api);
        applyStatus(api, "one", conditions("A", "1", "B", "1"));
        applyStatus(api, "two", conditions("C", "2"));
        applyStatus(api, "one", conditions("D", "1", "B", "1", "A", "1"));
        assertThat(conditions(api)).containsExactly("D 1", "B 1", "C 2", "A 1");
    }

    @Test
    void taints_are_one_value() throws IOException {
        bareNode(api);
        apply(api, "one", taint("one"));
        assertThat(owned(api, "one", "Apply", "").path("fieldsV1").toString())
                .isEqualTo(quoted("{'f:spec':{'f:taints':{}}}"));
        assertConflict(() -> apply(api, "two", taint("two")),
                "Apply failed with 1 conflict: conflict with 'one': .spec.taints");
        force(api, "two", taint("two"));
        assertThat(taints(api)).containsExactly("two");
        apply(api, "one", NOTHING);
        assertThat(taints(api)).containsExactly("two");
        apply(api, "two", NOTHING);
        assertThat(taints(api)).isEmpty();
    }

    @Test
    void finalizers_of_several_managers_are_joined() throws IOException {
        bareNode(api);
        apply(api, "one", "{'metadata':{'finalizers':['contract.test/one']}}");
        apply(api, "two", "{'metadata':{'finalizers':['contract.test/two']}}");
        assertThat(read(api).path("metadata").path("finalizers").toString())
                .isEqualTo(quoted("['contract.test/one','contract.test/two']"));
        apply(api, "one", NOTHING);
        assertThat(read(api).path("metadata").path("finalizers").toString()).isEqualTo(quoted("['contract.test/two']"));
        apply(api, "two", NOTHING);
        assertThat(read(api).path("metadata").has("finalizers")).isFalse();
    }

    @Test
    void the_data_of_a_secret_is_merged_by_key() throws IOException {
        Metadata secret = created(api, SECRETS, "default", secretJson(name("a")));
        Patch one = Patch.apply(bytes(body("v1", "Secret", "{'data':{'one':'MQ=='}}")), "one", false);
        api.patch(SECRETS, secret.key(), one);
        Patch two = Patch.apply(bytes(body("v1", "Secret", "{'data':{'two':'Mg=='}}")), "two", false);
        api.patch(SECRETS, secret.key(), two);
        Patch nothing = Patch.apply(bytes(body("v1", "Secret", NOTHING)), "one", false);
        api.patch(SECRETS, secret.key(), nothing);
        assertThat(json(api.get(SECRETS, secret.key())).path("data"))
                .isEqualTo(json(bytes(quoted("{'value':'aGVsbG8=','two':'Mg=='}"))));
    }

    @Test
    void an_equal_apply_is_no_new_version() throws IOException {
        bareNode(api);
        Metadata first = apply(api, "one", taint("one"));
        applyStatus(api, "one", conditions("A", "One"));
        JsonNode before = read(api);
        assertThat(first.resourceVersion()).isNotEqualTo(before.at("/metadata/resourceVersion").asText());
        apply(api, "one", taint("one"));
        applyStatus(api, "one", conditions("A", "One"));
        force(api, "one", taint("one"));
        assertThat(read(api)).isEqualTo(before);
    }

    @Test
    void the_status_is_applied_apart_from_the_rest() throws IOException {
        bareNode(api);
        apply(api, "one", taint("one").replaceFirst("\\{", "{'status':{'conditions':[{'type':'A','status':'True'}]},"));
        assertThat(conditions(api)).isEmpty();
        applyStatus(api, "two", conditions("B", "Two").replaceFirst("\\{", "{'spec':{'unschedulable':true},"));
        assertThat(conditions(api)).containsExactly("B Two");
        assertThat(read(api).path("spec").has("unschedulable")).isFalse();
        assertThat(owned(api, "one", "Apply", "").path("fieldsV1").has("f:status")).isFalse();
        assertThat(owned(api, "two", "Apply", "status").path("fieldsV1").has("f:spec")).isFalse();
        apply(api, "two", NOTHING);
        assertThat(conditions(api)).as("what was applied through the status stays").containsExactly("B Two");
    }

    @Test
    void a_resource_version_is_a_precondition() throws IOException {
        Metadata stale = bareNode(api);
        String with = "{'metadata':{'resourceVersion':'%s','labels':{'l':'%s'}}}";
        Metadata now = apply(api, "one", with.formatted(stale.resourceVersion(), "1"));
        assertThatThrownBy(() -> apply(api, "one", with.formatted(stale.resourceVersion(), "2")))
                .isInstanceOfSatisfying(ApiFailure.Conflict.class,
                        failure -> assertThat(failure).hasMessageContaining("the object has been modified"));
        assertThat(labels(api).path("l").asText()).isEqualTo("1");
        apply(api, "one", with.formatted(now.resourceVersion(), "3"));
        assertThat(labels(api).path("l").asText()).isEqualTo("3");
    }

    @Test
    void a_uid_keeps_an_object_that_is_gone_from_coming_back() {
        assertConflict(() -> apply(api, "one", "{'metadata':{'uid':'%s'}}".formatted(NOBODY)),
                "Operation cannot be fulfilled on nodes '" + name("a")
                        + "': uid mismatch: the provided object specified "
                        + "uid " + NOBODY + ", and no existing object was found");
        assertThatThrownBy(() -> api.get(NODES, key())).isInstanceOf(ApiFailure.NotFound.class);
    }

    /** No conflict: 422, which the same request meets for ever. */
    @Test
    void the_uid_of_another_object_is_rejected() throws IOException {
        Metadata node = bareNode(api);
        String with = "{'metadata':{'uid':'%s','labels':{'l':'1'}}}";
        assertRejected(() -> apply(api, "one", with.formatted(NOBODY)), 422,
                "metadata.uid: Invalid value: '" + NOBODY + "': field is immutable");
        assertRejected(() -> api.patchStatus(NODES, key(),
                patch("one", "{'metadata':{'uid':'%s'}}".formatted(NOBODY), true)), 422, "field is immutable");
        assertThat(labels(api).has("l")).isFalse();
        apply(api, "one", with.formatted(node.uid()));
        assertThat(labels(api).path("l").asText()).isEqualTo("1");
    }

    @Test
    void a_body_that_is_not_of_the_object_is_rejected() throws IOException {
        bareNode(api);
        assertRejected(() -> apply(api, "one", "{'metadata':{'name':'b'}}"), 400,
                "the name of the object (b) does not");
        assertRejected(() -> api.patch(NODES, key(), Patch.apply(bytes(body("v1", "Pod", "{}")), "one", false)), 400,
                "invalid object type: /v1, Kind=Pod");
        assertRejected(() -> api.patch(NODES, key(), Patch.apply(bytes("{}"), "one", false)), 400,
                "invalid object type: /, Kind=");
        assertThatThrownBy(() -> api.patch(NODES, key(), Patch.apply(bytes("{'"), "one", false)))
                .isInstanceOfSatisfying(ApiFailure.Rejected.class, failure -> {
                    assertThat(failure.status().code()).isEqualTo(400);
                    assertThat(failure.status().message()).containsAnyOf("error decoding YAML", "error decoding patch"); // from 1.37 on
                });
        assertRejected(() -> apply(api, "one", "{'metadata':{'managedFields':[{'manager':'one'}]}}"), 400,
                "metadata.managedFields must be nil");
    }

    @Test
    void an_apply_without_a_manager_is_rejected() throws IOException {
        bareNode(api);
        assertRejected(() -> apply(api, "", NOTHING), 422, "fieldManager: Required value: is required for apply patch");
    }

    /** A server says 500 to this, as if it were its own fault: trying again does not help. */
    @Test
    void a_key_twice_in_a_list_fails() throws IOException {
        bareNode(api);
        assertThatThrownBy(() -> applyStatus(api, "one", conditions("A", "1", "A", "2")))
                .isInstanceOfSatisfying(ApiFailure.Unreachable.class,
                        failure -> assertThat(failure.status().code()).isEqualTo(500))
                .hasMessageContaining(quoted(".status.conditions: duplicate entries for key [type='A']"));
    }

    @Test
    void another_content_type_for_applying_is_rejected() throws IOException {
        bareNode(api);
        for (String type : List.of("application/apply-patch+json", "application/apply-patch", "application/yaml")) {
            Patch patch = new Patch(type, patch("one", NOTHING, false).body(), "one", false);
            assertRejected(() -> api.patch(NODES, key(), patch), 415, "");
        }
    }

    @Test
    void the_reply_is_metadata_alone() throws IOException {
        Metadata before = bareNode(api);
        byte[] reply = api.patch(NODES, key(), patch("one", taint("one"), false));
        assertThat(json(reply).path("kind").asText()).isEqualTo("PartialObjectMetadata");
        assertThat(json(reply).has("spec")).isFalse();
        Metadata after = Replies.metadata(reply);
        assertThat(after.key()).isEqualTo(ObjectKey.clusterScoped(name("a")));
        assertThat(after.resourceVersion()).isNotEqualTo(before.resourceVersion());
    }
}
