package io.nodeward.api.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestedPatchTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String BARE =
            "{\"metadata\":{\"name\":\"n\",\"uid\":\"u\",\"resourceVersion\":\"42\"},\"spec\":{}}";
    private static final String FULL = """
            {"metadata":{"name":"n","uid":"u","resourceVersion":"42","labels":{"old":"1","kept":"1"},
              "annotations":{"cluster.x-k8s.io/taints-from-machine":"a:NoSchedule","foreign":"<&>"}},
             "spec":{"providerID":"p","taints":[{"key":"k","effect":"NoExecute","later":{"x":[1.50]}}]}}""";
    private static final Taint MINE = Taint.of("mine", "", "NoSchedule");

    private static Node node(String json) throws IOException {
        return Projection.NODE.read(json.getBytes(StandardCharsets.UTF_8));
    }

    private static NodeChange change(
            Optional<List<Taint>> taints, Map<String, Optional<String>> labels,
            Map<String, Optional<String>> annotations) {
        return new NodeChange("n", "42", taints, new TreeMap<>(labels), new TreeMap<>(annotations));
    }

    private static void assertBody(Node before, NodeChange change, String expected) throws IOException {
        byte[] body = TestedPatch.of(before, change).orElseThrow();
        assertThat(MAPPER.readTree(body)).isEqualTo(MAPPER.readTree(expected));
    }

    @Test
    void on_a_bare_node_absence_is_tested_and_maps_are_made() throws IOException {
        assertBody(
                node(BARE),
                change(Optional.of(List.of(MINE)), Map.of("l", Optional.of("1")), Map.of("a/b", Optional.of("2"))), """
                        [{"op":"test","path":"/metadata/uid","value":"u"},
                         {"op":"test","path":"/spec/taints","value":null},
                         {"op":"test","path":"/spec/providerID","value":null},
                         {"op":"test","path":"/metadata/annotations","value":null},
                         {"op":"add","path":"/spec/taints","value":[{"key":"mine","effect":"NoSchedule"}]},
                         {"op":"test","path":"/metadata/labels","value":null},
                         {"op":"add","path":"/metadata/labels","value":{}},
                         {"op":"add","path":"/metadata/labels/l","value":"1"},
                         {"op":"add","path":"/metadata/annotations","value":{}},
                         {"op":"add","path":"/metadata/annotations/a~1b","value":"2"}]""");
    }

    @Test
    void on_a_full_node_what_was_read_is_tested_and_only_what_differs_is_written() throws IOException {
        assertBody(
                node(FULL),
                change(Optional.of(List.of()), Map.of("old", Optional.empty(), "none", Optional.empty()),
                        Map.of("~/", Optional.of("3"))),
                """
                        [{"op":"test","path":"/metadata/uid","value":"u"},
                         {"op":"test","path":"/spec/taints","value":[{"key":"k","effect":"NoExecute","later":{"x":[1.50]}}]},
                         {"op":"test","path":"/metadata/annotations/cluster.x-k8s.io~1taints-from-machine","value":"a:NoSchedule"},
                         {"op":"test","path":"/metadata/annotations/nodeward.io~1taints-from-annotations","value":null},
                         {"op":"test","path":"/metadata/annotations/cluster.x-k8s.io~1labels-from-machine","value":null},
                         {"op":"test","path":"/metadata/annotations/cluster.x-k8s.io~1annotations-from-machine","value":null},
                         {"op":"remove","path":"/spec/taints"},
                         {"op":"remove","path":"/metadata/labels/old"},
                         {"op":"add","path":"/metadata/annotations/~0~1","value":"3"}]""");
    }

    @ParameterizedTest
    @ValueSource(strings = {"<", ">", "&", "\\u2028", "\\u00e9", "\\u007f", "\\\\", "\\n"})
    void a_text_that_is_not_written_the_same_by_everybody_is_not_tested(String escaped) throws IOException {
        NodeChange change = change(Optional.of(List.of(MINE)), Map.of(), Map.of());
        assertThat(TestedPatch.of(node(FULL.replace("a:NoSchedule", "a" + escaped)), change)).isEmpty();
        assertThat(TestedPatch.of(node(FULL.replace("[1.50]", "[\"" + escaped + "\"]")), change)).isEmpty();
        assertThat(TestedPatch.of(node(FULL.replace("<&>", escaped)), change)).as("is not tested anyway").isPresent();
    }

    @Test
    void a_node_without_a_uid_is_not_tested() throws IOException {
        NodeChange change = change(Optional.of(List.of(MINE)), Map.of(), Map.of());
        assertThat(TestedPatch.of(node(BARE.replace("\"u\"", "\"\"")), change)).isEmpty();
    }
}
