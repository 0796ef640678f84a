package io.nodeward.api.meta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TextMapTest {
    private static TextMap map(String... keysAndValues) {
        TextMap.Builder builder = new TextMap.Builder();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            builder.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return builder.build();
    }

    @Test
    void it_is_the_map_of_what_was_put_whatever_the_order_and_the_size() {
        Random random = new Random(7);
        for (int size = 0; size < 200; size++) {
            Map<String, String> expected = new HashMap<>();
            TextMap.Builder builder = new TextMap.Builder();
            for (int i = 0; i < size; i++) {
                String key = "key-" + random.nextInt(size);
                String value = "value-" + random.nextInt(3);
                expected.put(key, value);
                builder.put(key, value);
            }
            TextMap map = builder.build();
            assertThat(map).isEqualTo(expected).hasSameHashCodeAs(expected).hasSameSizeAs(expected);
            assertThat(expected).isEqualTo(map);
            assertThat(TextMap.copyOf(expected)).isEqualTo(map);
            assertThat(List.copyOf(map.keySet())).isEqualTo(List.copyOf(new TreeMap<>(expected).keySet()));
            for (int i = 0; i < size; i++) {
                assertThat(map.get("key-" + i)).isEqualTo(expected.get("key-" + i));
                assertThat(map.containsKey("key-" + i)).isEqualTo(expected.containsKey("key-" + i));
            }
        }
    }

    @Test
    void each_visits_every_text_in_the_order_of_keys() {
        StringBuilder visited = new StringBuilder();
        map("b", "2", "a", "1", "c", "3").forEach((key, value) -> visited.append(key).append(value));
        assertThat(visited).hasToString("a1b2c3");
    }

    @Test
    void another_value_or_another_key_is_another_map() {
        assertThat(map("a", "1")).isNotEqualTo(map("a", "2")).isNotEqualTo(map("b", "1")).isNotEqualTo(map())
                .isNotEqualTo(Map.of("a", "2"));
    }

    @Test
    void of_two_with_one_key_the_later_is_kept() {
        assertThat(map("a", "1", "a", "2")).isEqualTo(Map.of("a", "2"));
    }

    @Test
    void nothing_of_it_can_be_changed() {
        assertThatThrownBy(() -> map("a", "1").put("b", "2")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> map("a", "1").remove("a")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> map("a", "1").entrySet().iterator().next().setValue("2"))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void very_long_keys_and_very_many_are_kept_as_well() {
        String[] many = new String[400];
        for (int i = 0; i < many.length; i++) {
            many[i] = "%04d".formatted(i);
        }
        assertThat(map(many)).hasSize(200).containsEntry("0002", "0003");
        assertThat(map("k".repeat(1000), "v")).containsEntry("k".repeat(1000), "v");
    }
}
