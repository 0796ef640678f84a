package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.json.ListPage;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Resource;
import io.nodeward.core.spi.Response;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

abstract class ExpiryTopic extends ServedTopic {
    private static final int ROUNDS = 4;
    private static final int OBJECTS = 20;

    @Test
    void whoever_lists_again_after_an_expiry_has_lost_no_change() throws Exception {
        ContractServer.Forgotten forgotten = server().forgotten();
        String kind = kind(api, forgotten.resource());
        Follower follower = new Follower(api, forgotten.resource(), label());
        for (int r = 0; r < ROUNDS; r++) {
            String round = "r" + r + "-";
            follower.follow(versions -> true); // it is watching from somewhere before the round
            Waiting writer = Waiting.in(() -> write(forgotten.resource(), kind, round));
            follower.follow(versions -> versions.keySet().stream().anyMatch(key -> key.name().contains(round)));
            follower.oversleep(forgotten.resourceVersion());
            follower.follow(versions -> versions.containsKey(ObjectKey.clusterScoped(name(round + "end"))));
            writer.result();
            assertThat(follower.versions()).isEqualTo(stored(api, forgotten.resource()));
        }
        assertThat(follower.expiries()).isGreaterThanOrEqualTo(ROUNDS);
    }

    /** Creates some, changes each, deletes most; the end is there when all else is. */
    private Object write(Resource resource, String kind, String round) throws IOException {
        for (int i = 0; i < OBJECTS; i++) {
            created(api, resource, "", object(resource, kind, name(round + i)));
            api.patch(resource, ObjectKey.clusterScoped(name(round + i)),
                    merge("{\"metadata\":{\"annotations\":{\"contract\":\"changed\"}}}"));
            if (i >= 3) {
                api.delete(resource, ObjectKey.clusterScoped(name(round + (i - 3))));
            }
        }
        return created(api, resource, "", object(resource, kind, name(round + "end")));
    }

    private Map<ObjectKey, String> stored(ApiServer api, Resource resource) throws IOException {
        Map<ObjectKey, String> versions = new HashMap<>();
        try (Response answer = api.list(resource, "", ListOptions.page(label(), 0, ""))) {
            ListPage.read(answer.body(), Projection.METADATA,
                    object -> versions.put(object.metadata().key(), object.metadata().resourceVersion()));
        }
        return versions;
    }

    private byte[] object(Resource resource, String kind, String name) {
        return bytes("""
                {"apiVersion":"%s","kind":"%s","metadata":{"name":"%s","labels":{"%s":"%s"}}}
                """.formatted(resource.apiVersion(), kind, name, label().split("=")[0], label().split("=")[1]));
    }

    private static String kind(ApiServer api, Resource resource) throws IOException {
        String path = resource.collection("");
        for (JsonNode served : json(api.get(path.substring(0, path.lastIndexOf('/')))).path("resources")) {
            if (served.path("name").asText().equals(resource.plural())) {
                return served.path("kind").asText();
            }
        }
        throw new AssertionError("the server does not serve " + resource);
    }
}
