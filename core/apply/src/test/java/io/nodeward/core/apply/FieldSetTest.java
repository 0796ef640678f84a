package io.nodeward.core.apply;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldSetTest {
    private static final List<String> STEPS = List.of("f:a", "f:b", "k:{\"key\":\"a\"}", "v:1");

    private static FieldSet parse(String json) {
        return Objects.requireNonNull(FieldSet.parse(FieldSet.tree(json)));
    }

    @Test
    void an_item_is_the_same_in_each_order_of_its_keys() {
        FieldSet other = parse("{\"k:{ \\\"key\\\":\\\"a\\\", \\\"effect\\\":\\\"b\\\"}\":{\".\":{},\"f:value\":{}}}");
        FieldSet servers = parse("{\"k:{\\\"effect\\\":\\\"b\\\",\\\"key\\\":\\\"a\\\"}\":{\".\":{},\"f:value\":{}}}");
        assertThat(other).isEqualTo(servers);
        assertThat(other.shown()).containsExactly("[effect=\"b\",key=\"a\"]", "[effect=\"b\",key=\"a\"].value");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"x\":{}}", "{\"f:a\":{\"x\":{}}}", "{\"k:5\":{}}", "{\"k:{}\":{}}", "{\"k:{\":{}}",
            "{\"k:{\\\"a\\\":1}x\":{}}", "[]", "\"x\"", ""})
    void what_no_server_writes_is_no_set(String json) {
        assertThat(FieldSet.parse(FieldSet.tree(json))).isNull();
    }

    @Test
    void sets_are_added_taken_away_and_compared_place_by_place() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            FieldSet a = parse(random(random, 3).toString());
            FieldSet b = parse(random(random, 3).toString());
            Set<String> plus = places(a);
            plus.addAll(places(b));
            Set<String> minus = places(a);
            minus.removeAll(places(b));
            Set<String> and = places(a);
            and.retainAll(places(b));
            assertThat(places(a.plus(b))).as("%s plus %s", a, b).isEqualTo(plus);
            assertThat(places(a.minus(b))).as("%s minus %s", a, b).isEqualTo(minus);
            assertThat(places(a.and(b))).as("%s and %s", a, b).isEqualTo(and);
            assertThat(a.minus(b).plus(a.and(b))).as("%s and %s", a, b).isEqualTo(a);
        }
    }

    /** Jackson reads no JSON that is deeper. */
    @Test
    void a_set_is_as_deep_as_json() {
        FieldSet deep = parse("{\"f:a\":".repeat(999) + "{}" + "}".repeat(999));
        assertThat(deep.and(deep).plus(deep)).isEqualTo(deep);
        assertThat(deep.minus(deep)).isEqualTo(FieldSet.NONE);
    }

    private static Set<String> places(FieldSet set) {
        return new HashSet<>(set.shown());
    }

    private static ObjectNode random(Random random, int depth) {
        ObjectNode set = JsonNodeFactory.instance.objectNode();
        for (String step : STEPS) {
            if (depth > 0 && random.nextInt(2) == 0) {
                ObjectNode below = random(random, depth - 1);
                set.set(step, below);
                if (random.nextBoolean()) {
                    below.putObject(".");
                }
            }
        }
        return set;
    }
}
