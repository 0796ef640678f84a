package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.testkit.ManualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writes of a controller that runs where its Nodes are. */
class HomeNodeChangeTest {
    private static final String TRACKING = "example.com/tracking";
    private static final ObjectKey KEY = ObjectKey.clusterScoped("n");

    private final FakeApiServer server = FakeApiServer.start(Options.defaults());
    private final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ApiServer api = new ConnectionFactory(new Fabric8Backend(), ClusterSettings.DEFAULT, timers,
            registry, "test", WritePause.NEVER, Leadership.UNCONTESTED)
            .management(server.kubeconfig(), Optional.empty());
    private final ChangeWriter writer = new ChangeWriter(api, new WriteMeters(registry));
    private final ObjectCache<Node> nodes = new ObjectCache<>();
    private final List<String> heard = new ArrayList<>();

    @BeforeEach
    void isSeen() {
        server.create("nodes", json("{'metadata':{'name':'n','labels':{'x':'y'},'annotations':{'" + TRACKING
                + "':'[]','a':'b'}}}"));
        see();
        nodes.subscribeToChanges((before, after) -> heard.add(after == null ? "gone" : "changed"));
    }

    @AfterEach
    void stop() {
        api.close();
        timers.close();
        server.close();
    }

    @Test
    void one_patch_makes_the_change_and_the_cache_holds_it_at_once() {
        assertThat(write(held())).isEqualTo(new Applied.Written());

        assertThat(stored().at("/spec/taints/0/key").asText()).isEqualTo("k");
        assertThat(stored().at("/metadata/labels/l").asText()).isEqualTo("v");
        assertThat(stored().at("/metadata/annotations").path(TRACKING).asText()).isEqualTo("[k]");
        assertThat(patches()).singleElement()
                .satisfies(patch -> assertThat(patch.query()).isEqualTo("fieldManager=manager"));
        assertThat(held().metadata().resourceVersion())
                .isEqualTo(stored().at("/metadata/resourceVersion").asText());
        assertThat(held().taints()).extracting(Taint::key).containsExactly("k");
        assertThat(heard).as("own writes").isEmpty();
        assertThat(registry.get("nodeward.node.writes").tag("result", "written").counter().count()).isOne();
    }

    @Test
    void what_others_write_meanwhile_stays_and_is_no_conflict() {
        Node before = held();
        server.mergePatch("nodes", "", "n", json("{'metadata':{'labels':{'theirs':'1'}}}"));
        assertThat(write(before)).isEqualTo(new Applied.Written());
        assertThat(stored().at("/metadata/labels")).isEqualTo(json("{'x':'y','theirs':'1','l':'v'}"));
    }

    @Test
    void a_change_holds_on_the_taints_and_on_the_annotations_that_it_was_planned_from() {
        for (String other : List.of("{'metadata':{'annotations':{'" + TRACKING + "':'[x]'}}}",
                "{'spec':{'taints':[{'key':'x','effect':'NoSchedule'}]}}")) {
            Node before = held();
            server.mergePatch("nodes", "", "n", json(other));
            see();
            JsonNode changed = stored();
            assertThat(write(before)).as(other).isInstanceOf(Applied.Outdated.class);
            assertThat(stored()).isEqualTo(changed);
        }
    }

    private Applied write(Node before) {
        NodeChange change = new NodeChange("n", before.metadata().resourceVersion(),
                Optional.of(List.of(Taint.of("k", "", "NoSchedule"))),
                new TreeMap<>(Map.of("l", Optional.of("v"))), new TreeMap<>(Map.of(TRACKING, Optional.of("[k]"))));
        return writer.apply(ObjectChange.homeNode(nodes, before, change, List.of(TRACKING)), "manager", false);
    }

    private Node held() {
        return nodes.get(KEY).orElseThrow();
    }

    private void see() {
        try {
            nodes.put(Projection.NODE.read(new ObjectMapper().writeValueAsBytes(stored())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Request> patches() {
        return server.requests().stream().filter(request -> request.method().equals("PATCH")).toList();
    }

    private JsonNode stored() {
        return server.get("nodes", "", "n").orElseThrow();
    }

    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
