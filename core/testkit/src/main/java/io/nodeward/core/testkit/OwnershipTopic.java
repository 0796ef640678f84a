package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.meta.Metadata;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who owns a field, who may change it, and what the object says about that. */
abstract class OwnershipTopic extends Applying {
    @Test
    void a_value_of_another_manager_is_a_conflict_that_names_it_and_changes_nothing() throws IOException {
        bareNode(api);
        apply(api, "one", labels("{'l':'1','m':'1'}"));
        JsonNode before = read(api);
        assertConflict(() -> apply(api, "two", labels("{'l':'2','n':'2'}")),
                "Apply failed with 1 conflict: conflict with 'one': .metadata.labels.l");
        assertThat(read(api)).isEqualTo(before);
    }

    @Test
    void a_conflict_tells_each_field_and_its_manager() throws IOException {
        bareNode(api);
        apply(api, "one", labels("{'l':'1','m':'1'}"));
        merge(api, "two", taint("two"));
        String body =
                body("v1", "Node", taint("three").replaceFirst("\\{", "{'metadata':{'labels':{'l':'3','m':'3'}},"));
        JsonNode status = refused("?fieldManager=three", body);
        assertThat(status.path("message").asText()).isEqualTo(quoted("""
                Apply failed with 3 conflicts: conflicts with 'one':
                - .metadata.labels.l
                - .metadata.labels.m
                conflicts with 'two' using v1:
                - .spec.taints"""));
        assertThat(status.path("details").path("causes")).extracting(JsonNode::toString).containsExactlyInAnyOrder(
                cause("conflict with \\'one\\'", ".metadata.labels.l"),
                cause("conflict with \\'one\\'", ".metadata.labels.m"),
                cause("conflict with \\'two\\' using v1", ".spec.taints"));
    }

    private JsonNode refused(String query, String body) throws IOException {
        Transport transport = transport(server().kubeconfig());
        Map<String, String> headers = Map.of("Accept", "application/json", "Content-Type", Patch.APPLY);
        try (Response answer = transport.exchange(new Request("PATCH", "/api/v1/nodes/" + name("a") + query, headers,
                Optional.of(bytes(body)), Duration.ofSeconds(30), false))) {
            assertThat(answer.status()).isEqualTo(409);
            return json(answer.body().readAllBytes());
        }
    }

    private static String cause(String message, String field) {
        return quoted("{'reason':'FieldManagerConflict','message':'%s','field':'%s'}".formatted(message, field));
    }

    @Test
    void with_force_it_is_taken_over() throws IOException {
        bareNode(api);
        apply(api, "one", labels("{'l':'1','m':'1'}"));
        force(api, "two", labels("{'l':'2'}"));
        apply(api, "one", labels("{'m':'1'}"));
        assertThat(labels(api).path("l").asText()).isEqualTo("2");
        assertConflict(() -> apply(api, "one", labels("{'l':'1'}")),
                "Apply failed with 1 conflict: conflict with 'two': .metadata.labels.l");
    }

    @Test
    void what_a_merge_patch_changed_belongs_to_its_manager() throws IOException {
        bareNode(api);
        apply(api, "one", labels("{'l':'1','m':'1'}"));
        merge(api, "two", labels("{'l':'2','m':'1'}"));
        assertConflict(() -> apply(api, "one", labels("{'l':'1','m':'1'}")),
                "Apply failed with 1 conflict: conflict with 'two' using v1: .metadata.labels.l");
        apply(api, "one", NOTHING);
        assertThat(labels(api).path("l").asText()).isEqualTo("2");
        assertThat(labels(api).has("m")).as("not changed by the patch, so not its own").isFalse();
    }

    @Test
    void what_another_manager_removed_belongs_to_nobody() throws IOException {
        bareNode(api);
        apply(api, "one", labels("{'l':'1','m':'1'}"));
        merge(api, "two", labels("{'l':null}"));
        assertThat(owned(api, "two", "Update", "").isNull()).isTrue();
        apply(api, "three", labels("{'l':'3'}"));
        assertThat(labels(api).path("l").asText()).isEqualTo("3");
    }

    @Test
    void a_manager_that_also_patches_conflicts_with_itself() throws IOException {
        bareNode(api);
        apply(api, "one", labels("{'l':'1'}"));
        merge(api, "one", labels("{'l':'2'}"));
        assertConflict(() -> apply(api, "one", labels("{'l':'1'}")),
                "Apply failed with 1 conflict: conflict with 'one' using v1: .metadata.labels.l");
    }

    @Test
    void the_same_value_is_shared_and_goes_when_all_have_let_go() throws IOException {
        bareNode(api);
        apply(api, "one", labels("{'l':'1'}"));
        Metadata shared = apply(api, "two", labels("{'l':'1'}"));
        assertThat(owned(api, "two", "Apply", "").isNull()).isFalse();
        assertConflict(() -> apply(api, "two", labels("{'l':'2'}")),
                "Apply failed with 1 conflict: conflict with 'one': .metadata.labels.l");
        assertThat(apply(api, "one", NOTHING).resourceVersion()).isNotEqualTo(shared.resourceVersion());
        assertThat(labels(api).path("l").asText()).isEqualTo("1");
        apply(api, "two", NOTHING);
        assertThat(labels(api).has("l")).isFalse();
    }

    @Test
    void a_condition_of_another_manager_is_a_conflict() throws IOException {
        bareNode(api);
        applyStatus(api, "one", conditions("A", "One"));
        assertConflict(() -> applyStatus(api, "two", conditions("A", "Two")),
                "Apply failed with 1 conflict: conflict with 'one' with subresource 'status': "
                        + ".status.conditions[type='A'].reason");
        api.patchStatus(NODES, key(), Patch.merge(bytes(quoted(conditions("A", "Merged"))), "three"));
        assertConflict(() -> applyStatus(api, "one", conditions("A", "One")),
                "Apply failed with 1 conflict: conflict with 'three' with subresource 'status' using v1: "
                        + ".status.conditions[type='A'].reason");
    }

    @Test
    void what_no_object_may_be_is_rejected_and_not_owned() throws IOException {
        bareNode(api);
        JsonNode before = read(api);
        assertRejected(() -> apply(api, "one", labels("{'no label':'1'}")), 422, "metadata.labels: Invalid value");
        assertThat(read(api)).isEqualTo(before);
    }

    @Test
    void managed_fields_tell_manager_operation_subresource_and_fields() throws IOException {
        bareNode(api);
        apply(api, "one", labels("{'l':'1'}"));
        applyStatus(api, "one", conditions("A", "One"));
        merge(api, "two", "{'metadata':{'annotations':{'n':'1'}}}");
        assertFields(owned(api, "one", "Apply", ""), "{'f:metadata':{'f:labels':{'f:l':{}}}}");
        assertFields(owned(api, "one", "Apply", "status"), "{'f:status':{'f:conditions':{'k:{\\'type\\':\\'A\\'}':"
                + "{'.':{},'f:reason':{},'f:status':{},'f:type':{}}}}}");
        assertFields(owned(api, "two", "Update", ""), "{'f:metadata':{'f:annotations':{'.':{},'f:n':{}}}}");
        assertFields(owned(api, WRITER, "Update", ""), "{'f:metadata':{'f:labels':{'.':{},'f:contract-run':{}}}}");
    }

    private static void assertFields(JsonNode entry, String fields) throws IOException {
        assertThat(entry.path("apiVersion").asText()).isEqualTo("v1");
        assertThat(entry.path("fieldsType").asText()).isEqualTo("FieldsV1");
        assertThat(entry.path("time").asText()).isNotEmpty();
        assertThat(entry.path("fieldsV1")).isEqualTo(json(bytes(quoted(fields))));
    }
}
