package io.nodeward.core.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MapFunctionTest {
    @Test
    void an_object_differs_if_it_is_new_or_gone_or_not_what_it_was() {
        assertThat(MapFunction.differs(null, "a", String::length)).isTrue();
        assertThat(MapFunction.differs("a", null, String::length)).isTrue();
        assertThat(MapFunction.differs("a", "bb", String::length)).isTrue();
        assertThat(MapFunction.differs("a", "b", String::length)).isFalse();
    }

    @Test
    void the_latest_is_what_there_is_and_else_what_there_was() {
        assertThat(MapFunction.latest("was", "is")).isEqualTo("is");
        assertThat(MapFunction.latest("was", null)).isEqualTo("was");
        assertThat(MapFunction.latest(null, "is")).isEqualTo("is");
    }

    @Test
    void both_are_those_of_the_two_that_there_are() {
        assertThat(MapFunction.both("was", "is")).containsExactly("was", "is");
        assertThat(MapFunction.both(null, "is")).containsExactly("is");
        assertThat(MapFunction.both("was", null)).containsExactly("was");
    }
}
