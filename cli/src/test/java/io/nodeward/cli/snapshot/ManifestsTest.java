package io.nodeward.cli.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestsTest {
    private static List<Manifest> read(InputStream in, UnaryOperator<ObjectNode> kept) throws IOException {
        return Manifests.read(List.of("-"), new Manifests.Reading("", false, in, kept));
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> ids(String text) throws IOException {
        return read(stream(text), UnaryOperator.identity()).stream().map(found -> found.id().toString()).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[{\"metadata\":{\"name\":\"a\"}}]}",
            "{\"apiVersion\":\"v1\",\"items\":[{\"metadata\":{\"name\":\"a\"}}],\"kind\":\"PodList\"}",
            "{\"apiVersion\":\"v1\",\"items\":[{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"}}],\"kind\":\"List\"}",
            "apiVersion: v1\nitems:\n- kind: Pod\n  metadata: {name: a}\nkind: List\nmetadata: {resourceVersion: ''}\n",
            "kind: List\nitems:\n- kind: PodList\n  items: [{kind: Pod, metadata: {name: a}}]\n",
            "---\n---\nkind: Pod\nmetadata: {name: a}\n---\n"
    })
    void a_list_says_what_its_items_are_wherever_it_says_so(String text) throws IOException {
        assertThat(ids(text)).containsExactly("Pod a");
    }

    /** A user knows neither Java nor the options of a library. */
    @Test
    void a_text_that_cannot_be_read_is_one_fault_at_one_position() {
        isUnreadable("{\"a\": nope}", ", line 1, column 7: Unrecognized token 'nope': was expecting"
                + " (JSON String, Number, Array, Object or token 'null', 'true' or 'false')");
        isUnreadable("{\"a\": 1", ", line 1, column 8: Unexpected end-of-input: expected close marker for Object,"
                + " which begins in line 1");
        isUnreadable("a: [1,\n b: }", ", line 2, column 5: expected the node content, but found '}'");
        isUnreadable("{\"a\": NaN}", ", line 1, column 10: Non-standard token 'NaN'");
        isUnreadable("{\"a\": \"b", ", line 1, column 9: Unexpected end-of-input in a string");
        isUnreadable("a: \u00ff", ": is not UTF-8");
    }

    /** @param text in Latin 1 */
    private static void isUnreadable(String text, String fault) {
        assertThatThrownBy(() -> read(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)),
                UnaryOperator.identity())).isInstanceOf(IOException.class).hasMessage("standard input" + fault);
    }

    @Test
    void a_number_or_nesting_that_is_too_large_is_a_fault_without_the_name_of_an_option() {
        assertThatThrownBy(() -> ids("{\"a\":" + "1".repeat(1_200) + "}"))
                .hasMessageEndingWith(": Number value length (1200) exceeds the maximum allowed (1000)");
        assertThatThrownBy(() -> ids("{\"a\":" + "[".repeat(1_200)))
                .hasMessageEndingWith(": Document nesting depth (1001) exceeds the maximum allowed (1000)");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void an_alias_has_the_value_of_its_anchor(boolean placed) throws IOException {
        Manifests.Reading reading = new Manifests.Reading("", false, stream("""
                kind: Machine
                labels: &labels {app: &name shop}
                replicas: &three 3
                copy: {replicas: *three, name: *name, none: &none null, same: *none}
                spec: {app: own, <<: *labels, last: {<<: [*labels, {app: late, other: x}]}}
                items: [*labels, *three]
                ---
                kind: List
                items:
                - &first {kind: Machine, metadata: &metadata {name: a}}
                - {kind: Pod, metadata: *metadata}
                - *first
                """), UnaryOperator.identity(), placed);
        List<Manifest> read = Manifests.read(List.of("-"), reading);
        assertThat(read.get(0).json()).isEqualTo(tree("""
                {"kind":"Machine","labels":{"app":"shop"},"replicas":3,
                "copy":{"replicas":3,"name":"shop","none":null,"same":null},
                "spec":{"app":"own","last":{"app":"shop","other":"x"}},"items":[{"app":"shop"},3]}"""));
        assertThat(read.subList(1, 4)).extracting(manifest -> manifest.id().toString())
                .containsExactly("Machine a", "Pod a", "Machine a");
    }

    @Test
    void an_alias_of_another_document_or_of_too_much_is_a_fault() {
        assertThatThrownBy(() -> ids("kind: &a Pod\n---\nkind: *a\n"))
                .hasMessageEndingWith("the alias *a stands before its anchor, or has none");
        StringBuilder text = new StringBuilder("kind: Pod\nl0: &l0 [x]\n");
        for (int i = 1; i < 30; i++) {
            text.append("l%d: &l%d [*l%d, *l%d, *l%d]\n".formatted(i, i, i - 1, i - 1, i - 1));
        }
        assertThatThrownBy(() -> ids(text.toString())).hasMessageEndingWith("aliases repeat more than 1000000 values");
    }

    @Test
    void items_are_no_list_in_an_object_that_is_none() throws IOException {
        assertThat(ids("kind: Menu\nmetadata: {name: a}\nitems: [{kind: Pod, metadata: {name: b}}]\n"))
                .containsExactly("Menu a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "yaml"})
    void of_a_list_one_item_after_the_other_is_kept(String format) throws IOException {
        String item = "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p%d\"}}";
        StringBuilder text = new StringBuilder(format.equals("json") ? "{\"items\":[" : "items:\n");
        for (int i = 0; i < 20_000; i++) {
            text.append(
                    format.equals("json") ? (i == 0 ? "" : ",") + item.formatted(i) : "- " + item.formatted(i) + '\n');
        }
        text.append(format.equals("json") ? "],\"kind\":\"List\"}" : "kind: List\n");
        long[] taken = {0};
        List<Long> readWhenKept = new ArrayList<>();
        InputStream counting = new FilterInputStream(stream(text.toString())) {
            @Override
            public int read(byte[] to, int from, int length) throws IOException {
                int read = super.read(to, from, length);
                taken[0] += Math.max(0, read);
                return read;
            }
        };

        List<Manifest> documents = read(counting, object -> {
            readWhenKept.add(taken[0]);
            return object;
        });

        assertThat(documents).hasSize(20_000);
        assertThat(readWhenKept.get(0)).isLessThan(text.length() / 10);
    }

    @Test
    void what_a_plan_does_not_read_is_not_kept_and_what_pods_have_in_common_once() throws IOException {
        List<Manifest> documents = read(stream("""
                {apiVersion: v1, kind: Pod, metadata: {namespace: d, name: a, labels: {app: x}, uid: u,
                  annotations: {kubernetes.io/config.mirror: m, other: o}, managedFields: [{manager: k}]},
                  spec: {nodeName: n, containers: [{name: c}], tolerations: [{key: k}]},
                  status: {phase: Running, conditions: [{type: Ready}]}}
                ---
                {apiVersion: v1, kind: Pod, metadata: {namespace: d, name: b, labels: {app: x}},
                  spec: {nodeName: n, tolerations: [{key: k}], containers: [{name: c, resources: {limits: {gpu: 1}}},
                  {name: d, resources: {}}, e], initContainers: [{name: i}]}, status: {phase: Running}}
                ---
                {apiVersion: v1, kind: Node, metadata: {name: n, annotations: {a: b}, managedFields: [{manager: k}]},
                  spec: {podCIDR: p}, status: {images: [{}]}}
                ---
                {apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, metadata: {name: m},
                  spec: {clusterName: c}, status: {nodeRef: {name: n}, conditions: [{type: Ready}]}}
                ---
                {apiVersion: v1, kind: Secret, metadata: {name: s, labels: {a: b}}, data: {a: b}}
                ---
                {apiVersion: apps/v1, kind: DaemonSet, metadata: {namespace: d, name: s, uid: u, generation: 3},
                  spec: {revisionHistoryLimit: 1, template: {metadata: {labels: {a: b}, annotations: {a: b}}, spec: {
                  tolerations: [{key: k}], nodeSelector: {a: b}, affinity: {nodeAffinity: {}}, hostNetwork: true,
                  containers: [{image: i}, {image: i, resources: {limits: {gpu: 1}}}]}}}, status: {numberReady: 2}}
                """), Trim.keeping(List.of()));

        assertThat(documents.get(0).json()).isEqualTo(tree("""
                {"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"d","name":"a","labels":{"app":"x"},
                "annotations":{"kubernetes.io/config.mirror":"m"}},
                "spec":{"nodeName":"n","tolerations":[{"key":"k"}]},"status":{"phase":"Running"}}"""));
        for (String part : List.of("/metadata/labels", "/spec/tolerations", "/status")) {
            assertThat(documents.get(1).json().at(part)).isSameAs(documents.get(0).json().at(part));
        }
        assertThat(documents.get(1).json().path("spec")).isEqualTo(tree("""
                {"nodeName":"n","tolerations":[{"key":"k"}],"containers":[{"resources":{"limits":{"gpu":1}}}]}"""));
        assertThat(documents.get(2).json()).isEqualTo(tree("""
                {"apiVersion":"v1","kind":"Node","metadata":{"name":"n","annotations":{"a":"b"}},
                "spec":{"podCIDR":"p"},"status":{}}"""));
        assertThat(documents.get(3).json().path("status")).isEqualTo(tree("{\"nodeRef\":{\"name\":\"n\"}}"));
        assertThat(documents.get(4).json()).isEqualTo(tree("""
                {"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"}}"""));
        assertThat(documents.get(5).json()).isEqualTo(tree("""
                {"apiVersion":"apps/v1","kind":"DaemonSet","metadata":{"namespace":"d","name":"s","uid":"u"},
                "spec":{"template":{"metadata":{"labels":{"a":"b"}},"spec":{"tolerations":[{"key":"k"}],
                "nodeSelector":{"a":"b"},"affinity":{"nodeAffinity":{}},
                "containers":[{"resources":{"limits":{"gpu":1}}}]}}}}"""));
    }

    private static JsonNode tree(String json) throws IOException {
        return new ObjectMapper().readTree(json);
    }
}
