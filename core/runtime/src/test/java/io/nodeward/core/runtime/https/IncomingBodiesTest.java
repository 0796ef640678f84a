package io.nodeward.core.runtime.https;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.runtime.https.IncomingBodies.Body;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IncomingBodiesTest {
    private final List<String> cut = new ArrayList<>();
    private final IncomingBodies bodies = new IncomingBodies(3, 10);

    private Body begin(String name) {
        return bodies.begin(() -> cut.add(name));
    }

    private static boolean add(Body body, int bytes) {
        return body.add(new byte[bytes], bytes);
    }

    @Test
    void what_has_come_is_taken_once() {
        Body body = begin("a");
        assertThat(body.add(new byte[]{1, 2, 3}, 2)).isTrue();
        assertThat(body.add(new byte[]{3}, 1)).isTrue();
        assertThat(body.length()).isEqualTo(3);
        assertThat(body.take()).hasValue(new byte[]{1, 2, 3});
        assertThat(body.take()).isEmpty();
        assertThat(add(body, 1)).isFalse();
    }

    @Test
    void the_oldest_that_has_not_come_whole_makes_room_however_large_it_is() {
        Body small = begin("small");
        Body old = begin("old");
        Body young = begin("young");
        assertThat(add(small, 2) && add(old, 4) && add(young, 4)).isTrue();
        assertThat(add(young, 2)).isTrue();
        assertThat(cut).containsExactly("small");
        assertThat(add(small, 1)).isFalse();
        assertThat(add(young, 1)).isTrue();
        assertThat(cut).containsExactly("small", "old");
        assertThat(young.take()).isPresent();
        assertThat(old.take()).isEmpty();
    }

    @Test
    void who_asks_for_more_than_there_is_gets_none_and_keeps_its_connection() {
        Body large = begin("large");
        assertThat(add(large, 10)).isTrue();
        assertThat(add(large, 1)).isFalse();
        assertThat(add(begin("next"), 10)).as("the room is free").isTrue();
        assertThat(cut).isEmpty();
    }

    @Test
    void who_waits_for_its_turn_may_lose_its_body_and_not_its_connection() {
        Body waiting = begin("waiting");
        assertThat(add(waiting, 6)).isTrue();
        waiting.complete();
        assertThat(add(begin("next"), 5)).isTrue();
        assertThat(waiting.take()).isEmpty();
        assertThat(cut).isEmpty();
    }

    @Test
    void for_one_too_many_the_oldest_that_has_not_come_is_cut() {
        Body complete = begin("complete");
        complete.complete();
        try (Body gone = begin("gone")) {
            assertThat(add(gone, 1)).isTrue();
        }
        List.of("a", "b", "c").forEach(this::begin);
        assertThat(cut).isEmpty();
        begin("d");
        begin("e");
        assertThat(cut).containsExactly("a", "b");
        assertThat(complete.take()).isPresent();
    }
}
