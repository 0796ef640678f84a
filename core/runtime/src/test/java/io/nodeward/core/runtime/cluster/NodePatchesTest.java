package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodePatchesTest {
    private final List<Request> calls = new ArrayList<>();
    private final ObjectCache<Node> nodes = new ObjectCache<>();
    private final NodePatches patches = new NodePatches(new ApiServer(new Accepting()), nodes,
            new KeptState<>(Long.MAX_VALUE, () -> {}), WriteMeters.ofNodes(new SimpleMeterRegistry()));

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void what_was_planned_for_a_node_is_not_sent_to_another_of_its_name(boolean again) {
        nodes.put(node("another", "2"));

        assertThat(send(again)).isInstanceOf(Applied.Outdated.class);
        assertThat(calls).isEmpty();
    }

    @Test
    void a_newer_version_of_the_node_is_written_as_the_patch_tests_what_it_was_planned_from() {
        nodes.put(node("one", "2"));

        assertThat(send(false)).isEqualTo(new Applied.Written());
        assertThat(calls).singleElement().satisfies(
                call -> assertThat(new String(call.body().orElseThrow())).contains("\"/metadata/uid\""));
    }

    private Applied send(boolean again) {
        NodeChange change = new NodeChange("n", "1", Optional.of(List.of(Taint.of("a", "", "NoSchedule"))),
                new TreeMap<>(), new TreeMap<>());
        return patches.send(node("one", "1"), change, "manager", again);
    }

    private static Node node(String uid, String version) {
        return new Node(
                new Metadata(ObjectKey.clusterScoped("n"), uid, version, Map.of(), Map.of(), List.of(), false), "",
                List.of());
    }

    private final class Accepting implements Transport {
        @Override
        public Response exchange(Request call) {
            calls.add(call);
            return new Response(200, Optional.empty(), new ByteArrayInputStream(
                    "{\"metadata\":{\"name\":\"n\",\"uid\":\"one\",\"resourceVersion\":\"3\"}}".getBytes()));
        }

        @Override
        public void close() {}
    }
}
