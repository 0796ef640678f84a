package io.nodeward.api.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.ObjectKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LabeledNamespaceTest {
    @Test
    void of_a_namespace_its_labels_are_kept_and_neither_annotations_nor_owners() throws IOException {
        LabeledNamespace namespace = read("'team':'a'", "7");
        assertThat(namespace.key()).isEqualTo(ObjectKey.clusterScoped("n"));
        assertThat(namespace.labels()).contains(Map.of("team", "a"));
        assertThat(namespace.metadata().annotations()).isEmpty();
        assertThat(namespace.metadata().owners()).isEmpty();
        assertThat(namespace.truncatedFields()).isEmpty();
        assertThat(namespace.sameState(read("'team':'a'", "8"))).isTrue();
        assertThat(namespace.sameState(read("'team':'b'", "7"))).isFalse();
        assertThat(read("", "7").labels()).as("none, and that is known").contains(Map.of());
    }

    @Test
    void too_many_labels_are_not_known_and_none_of_them_is_kept() throws IOException {
        assertThat(read(labels(256, ""), "7").labels()).hasValueSatisfying(labels -> assertThat(labels).hasSize(256));
        assertUnknown(read(labels(257, ""), "7"));
        assertUnknown(read(labels(50_000, ""), "7"));
        assertThat(read(labels(100, "x".repeat(150)), "7").labels()).isPresent();
        assertUnknown(read(labels(100, "x".repeat(170)), "7"));
    }

    private static void assertUnknown(LabeledNamespace namespace) {
        assertThat(namespace.labels()).isEmpty();
        assertThat(namespace.metadata().labels()).isEmpty();
        assertThat(namespace.truncatedFields()).containsExactly("metadata.labels (256, or 16384 characters)");
        assertThat(namespace.hasTooManyLabels()).isTrue();
        assertThat(namespace.reduced()).isEqualTo(namespace);
    }

    @Test
    void it_counts_for_the_namespace_that_it_is_and_its_labels_are_given_up_if_memory_is_short() throws IOException {
        LabeledNamespace namespace = read("'team':'a'", "7");
        assertThat(namespace.account()).isEqualTo("n");
        LabeledNamespace reduced = namespace.reduced();
        assertThat(reduced.labels()).isEmpty();
        assertThat(reduced.truncatedFields()).containsExactly("metadata.labels (memory is short)");
        assertThat(reduced.hasTooManyLabels()).isFalse();
        assertThat(reduced.heapBytes()).isLessThan(namespace.heapBytes());
        assertThat(reduced.withResourceVersion("8").truncatedFields()).isEqualTo(reduced.truncatedFields());
    }

    private static String labels(int many, String more) {
        return IntStream.range(0, many).mapToObj(i -> "'l" + i + more + "':'x'").collect(Collectors.joining(","));
    }

    private static LabeledNamespace read(String labels, String version) throws IOException {
        return LabeledNamespace.PROJECTION.read("""
                {'metadata':{'name':'n','uid':'u','resourceVersion':'%s','labels':{%s},'annotations':{'a':'%s'},
                 'ownerReferences':[{'apiVersion':'v1','kind':'Node','name':'o','uid':'u','controller':true}]},
                 'spec':{'finalizers':['kubernetes']}}""".formatted(version, labels, version).replace('\'', '"')
                .getBytes(StandardCharsets.UTF_8));
    }
}
