package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.spi.ApiFailure;
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

class NodeChangeTest {
    private final List<Request> calls = new ArrayList<>();
    private int patched = 200;
    private boolean gone;
    private final ObjectCache<Node> nodes = new ObjectCache<>();
    private final ChangeWriter writer =
            new ChangeWriter(new ApiServer(new Accepting()), new WriteMeters(new SimpleMeterRegistry()));

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

    @Test
    void after_a_conflict_a_heartbeat_is_not_taken_for_the_newer_node_which_is_read() {
        nodes.put(node("one", "2"));
        patched = 409;

        assertThat(send(false)).isInstanceOf(Applied.Outdated.class);
        assertThat(calls).extracting(Request::method).containsExactly("PATCH", "GET");
        assertThat(nodes.get(ObjectKey.clusterScoped("n")).orElseThrow().metadata().resourceVersion()).isEqualTo("3");
    }

    @Test
    void after_a_conflict_a_node_that_the_watch_or_a_read_shows_to_be_gone_is() {
        patched = 409;
        assertThat(send(false)).isEqualTo(new Applied.Gone());
        assertThat(calls).hasSize(1);

        nodes.put(node("one", "2"));
        gone = true;
        assertThat(send(false)).isEqualTo(new Applied.Gone());
        assertThat(calls).extracting(Request::method).containsExactly("PATCH", "PATCH", "GET");
    }

    /** A test of the patch that fails is answered with 422. */
    @ParameterizedTest
    @ValueSource(ints = {409, 422})
    void a_controller_that_is_stopped_neither_waits_nor_reads_and_stays_interrupted(int code) {
        nodes.put(node("one", "2"));
        patched = code;
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> send(false)).isInstanceOf(ApiFailure.Conflict.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(calls).extracting(Request::method).containsExactly("PATCH");
    }

    private Applied send(boolean again) {
        NodeChange change = new NodeChange("n", "1", Optional.of(List.of(Taint.of("a", "", "NoSchedule"))),
                new TreeMap<>(), new TreeMap<>());
        return writer.apply(
                ObjectChange.homeNode(nodes, node("one", "1"), change, NodeChange.PLANNED_FROM), "manager", again);
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
            if (gone && call.method().equals("GET")) {
                return new Response(404, Optional.empty(), new ByteArrayInputStream(
                        "{\"kind\":\"Status\",\"reason\":\"NotFound\",\"code\":404}".getBytes()));
            }
            if (patched == 422) {
                return new Response(422, Optional.empty(),
                        new ByteArrayInputStream(("{\"kind\":\"Status\",\"code\":422,"
                                + "\"reason\":\"Invalid\",\"message\":\"the server rejected our request due to an error in our"
                                + " request\"}").getBytes()));
            }
            return new Response(call.method().equals("PATCH") ? patched : 200, Optional.empty(),
                    new ByteArrayInputStream(
                            "{\"metadata\":{\"name\":\"n\",\"uid\":\"one\",\"resourceVersion\":\"3\"}}".getBytes()));
        }

        @Override
        public void close() {}
    }
}
