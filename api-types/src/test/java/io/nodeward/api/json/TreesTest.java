package io.nodeward.api.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.admission.Tree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TreesTest {
    private static final Map<String, Object> OBJECT = Map.of(
            "text", "a\"b", "number", 5, "bool", true, "list", List.of(Map.of("x", "1"), "y"), "map", Map.of());

    @Test
    void what_is_written_is_read_again() throws IOException {
        Tree tree = Tree.of(OBJECT);
        assertThat(Trees.read(Trees.written(tree))).isEqualTo(tree);
        assertThat(new String(Trees.written(Tree.of(Map.of("gone", Tree.ABSENT, "n", -3))), StandardCharsets.UTF_8))
                .isEqualTo("{\"gone\":null,\"n\":-3}");
    }

    @Test
    void an_object_has_what_is_wanted_among_what_a_server_adds() throws IOException {
        Tree there = read("{'a':{'b':'1','more':2},'list':[{'x':'1','default':true}],'also':null}");
        assertThat(there.has(Tree.of(Map.of("a", Map.of("b", "1"), "list", List.of(Map.of("x", "1")))))).isTrue();
        assertThat(there.has(Tree.of(Map.of()))).isTrue();
        for (Map<String, Object> other : Arrays.<Map<String, Object>>asList(
                Map.of("a", Map.of("b", "2")), Map.of("a", Map.of("more", 3)), Map.of("a", Map.of("c", "1")),
                Map.of("a", "1"), Map.of("list", List.of()), Map.of("list", List.of(Map.of("x", "1"), "y")),
                Map.of("list", Map.of()), Map.of("also", Map.of()), Map.of("also", List.of()))) {
            assertThat(there.has(Tree.of(other))).as("%s", other).isFalse();
        }
    }

    @Test
    void only_objects_are_read_and_only_values_of_json_are_made() {
        assertThatThrownBy(() -> read("[]")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> Tree.of(Map.of("a", 1.5))).isInstanceOf(IllegalArgumentException.class);
    }

    private static Tree read(String json) throws IOException {
        return Trees.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
