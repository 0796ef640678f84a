package io.nodeward.e2e.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class EventTextTest {
    private static final String NODE = "{\"type\":\"MODIFIED\",\"object\":{\"kind\":\"Node\",\"metadata\":{\"name\":"
            + "\"bench-00042\",\"resourceVersion\":\"9876543210\",\"managedFields\":[{\"manager\":\"nodeward\"}]},\"spec\":{\"taints\":[%s]}}}";
    private static final String FOREIGN = "{\"key\":\"other\",\"value\":\"v7\",\"effect\":\"NoSchedule\"}";
    private static final String OURS =
            "{\"key\":\"bench.nodeward.io/value\",\"value\":\"v123\",\"effect\":\"NoSchedule\"}";

    @Test
    void name_and_value_are_those_of_the_object_and_of_the_taint() {
        byte[] event = bytes(NODE.formatted(FOREIGN + "," + OURS));
        assertThat(EventText.index(event, 0, event.length)).isEqualTo(42);
        assertThat(EventText.value(event, 0, event.length)).isEqualTo(123);
        assertThat(EventText.version(event, 0, event.length)).isEqualTo(9_876_543_210L);
    }

    @Test
    void without_the_taint_the_value_is_none_whatever_others_have() {
        byte[] event = bytes(NODE.formatted(FOREIGN));
        assertThat(EventText.value(event, 0, event.length)).isZero();
        byte[] bare =
                bytes(NODE.formatted("{\"key\":\"bench.nodeward.io/value\",\"effect\":\"NoSchedule\"}," + FOREIGN));
        assertThat(EventText.value(bare, 0, bare.length)).isZero();
    }

    @Test
    void an_object_of_somebody_else_has_no_number() {
        byte[] event = bytes(NODE.formatted("").replace("bench-00042", "node-1"));
        assertThat(EventText.index(event, 0, event.length)).isEqualTo(-1);
    }

    @Test
    void only_the_part_that_is_given_is_read() {
        byte[] two = bytes(NODE.formatted(OURS) + "\n" + NODE.formatted(FOREIGN).replace("00042", "00043"));
        int second = NODE.formatted(OURS).length() + 1;
        assertThat(EventText.index(two, second, two.length)).isEqualTo(43);
        assertThat(EventText.value(two, second, two.length)).isZero();
        assertThat(EventText.value(two, 0, 40)).isZero();
    }

    @Test
    void errors_and_bookmarks_are_told_by_their_beginning() {
        byte[] error = bytes("{\"type\":\"ERROR\",\"object\":{}}");
        byte[] bookmark = bytes("{\"type\":\"BOOKMARK\",\"object\":{}}");
        byte[] node = bytes(NODE.formatted("{\"key\":\"{\\\"type\\\":\\\"ERROR\\\"\"}"));
        assertThat(EventText.isError(error, 0, error.length)).isTrue();
        assertThat(EventText.isError(node, 0, node.length)).isFalse();
        assertThat(EventText.isError(error, 0, 5)).isFalse();
        assertThat(EventText.isBookmark(bookmark, 0, bookmark.length)).isTrue();
        assertThat(EventText.isBookmark(error, 0, error.length)).isFalse();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
