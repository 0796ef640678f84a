package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.json.Replies;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Patch;
import java.io.IOException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What the sentences about server-side apply are made of: one Node, and managers that apply to it. */
abstract class Applying extends ServedTopic {
    /** What a manager applies who wants nothing (any more). */
    static final String NOTHING = "{}";

    /** A Node of this test, without what the server put into it by itself. */
    Metadata bareNode(ApiServer api) throws IOException {
        Metadata node = node(api, "a");
        Patch bare = Patch.merge(bytes("{\"spec\":{\"taints\":null}}"), WRITER);
        return Replies.metadata(api.patch(NODES, node.key(), bare));
    }

    /** @param parts of the Node besides its name, as JSON with single quotes */
    Metadata apply(ApiServer api, String manager, String parts) throws IOException {
        return Replies.metadata(api.patch(NODES, key(), patch(manager, parts, false)));
    }

    Metadata force(ApiServer api, String manager, String parts) throws IOException {
        return Replies.metadata(api.patch(NODES, key(), patch(manager, parts, true)));
    }

    Metadata applyStatus(ApiServer api, String manager, String parts) throws IOException {
        return Replies.metadata(api.patchStatus(NODES, key(), patch(manager, parts, false)));
    }

    Metadata merge(ApiServer api, String manager, String patch) throws IOException {
        return Replies.metadata(api.patch(NODES, key(), Patch.merge(bytes(quoted(patch)), manager)));
    }

    ObjectKey key() {
        return ObjectKey.clusterScoped(name("a"));
    }

    Patch patch(String manager, String parts, boolean force) throws IOException {
        return Patch.apply(bytes(body("v1", "Node", parts)), manager, force);
    }

    String body(String apiVersion, String kind, String parts) throws IOException {
        ObjectNode object = (ObjectNode) json(bytes(quoted(parts)));
        object.put("apiVersion", apiVersion).put("kind", kind);
        ObjectNode metadata = object.withObject("metadata");
        if (!metadata.has("name")) {
            metadata.put("name", name("a"));
        }
        return object.toString();
    }

    static String labels(String labels) {
        return "{'metadata':{'labels':%s}}".formatted(labels);
    }

    static String taint(String key) {
        return "{'spec':{'taints':[{'key':'contract.test/%s','effect':'PreferNoSchedule'}]}}".formatted(key);
    }

    /** @param conditions pairs of type and reason */
    static String conditions(String... conditions) {
        StringBuilder list = new StringBuilder();
        for (int i = 0; i < conditions.length; i += 2) {
            list.append(list.isEmpty() ? "" : ",").append(
                    "{'type':'%s','status':'False','reason':'%s'}".formatted(conditions[i], conditions[i + 1]));
        }
        return "{'status':{'conditions':[%s]}}".formatted(list);
    }

    JsonNode read(ApiServer api) throws IOException {
        return json(api.get(NODES, key()));
    }

    JsonNode labels(ApiServer api) throws IOException {
        return read(api).path("metadata").path("labels");
    }

    List<String> taints(ApiServer api) throws IOException {
        return read(api).path("spec").path("taints").findValuesAsText("key").stream()
                .map(key -> key.replace("contract.test/", ""))
                .toList();
    }

    /** Type and reason, in the order of the list. */
    List<String> conditions(ApiServer api) throws IOException {
        return read(api).path("status").path("conditions").valueStream()
                .map(condition -> condition.path("type").asText() + " " + condition.path("reason").asText())
                .toList();
    }

    /** What a manager is said to own, or nothing. */
    JsonNode owned(ApiServer api, String manager, String operation, String subresource) throws IOException {
        return read(api).path("metadata").path("managedFields").valueStream()
                .filter(e -> e.path("manager").asText().equals(manager))
                .filter(e -> e.path("operation").asText().equals(operation))
                .filter(e -> e.path("subresource").asText().equals(subresource))
                .findFirst()
                .orElse(json(bytes("null")));
    }

    /** @param why as the server says it, after the request */
    static void assertConflict(ThrowingCallable call, String why) {
        assertThatThrownBy(call).isInstanceOfSatisfying(ApiFailure.Conflict.class, failure -> {
            assertThat(failure.status().reason()).isEqualTo("Conflict");
            assertThat(failure.status().message()).isEqualTo(quoted(why));
        });
    }

    static void assertRejected(ThrowingCallable call, int code, String why) {
        assertThatThrownBy(call).isInstanceOfSatisfying(ApiFailure.Rejected.class, failure -> {
            assertThat(failure.status().code()).isEqualTo(code);
            assertThat(failure.status().message()).contains(quoted(why));
        });
    }

    static String quoted(String json) {
        return json.replace('\'', '"');
    }
}
