package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ComputedTest {
    private final AtomicInteger source = new AtomicInteger(1);
    private boolean fails;
    private final Computed<Integer> computed = new Computed<>(() -> {
        if (fails) {
            throw new IllegalStateException("planted");
        }
        return source.get();
    });

    @Test
    void a_value_is_known_until_something_changes() {
        assertThat(computed.known()).isEmpty();
        computed.get();
        assertThat(computed.known()).contains(1);
        computed.outdate();
        assertThat(computed.known()).isEmpty();
    }

    @Test
    void what_is_computed_of_the_latest_value_is_computed_anew_with_each() {
        Computed<Integer> twice = new Computed<>(() -> computed.latest().orElse(0) * 2);
        computed.outdates(twice);
        assertThat(twice.get()).as("none yet").isZero();
        computed.get();
        assertThat(twice.get()).isEqualTo(2);
        source.set(2);
        computed.outdate();
        assertThat(twice.get()).as("of the latest").isEqualTo(2);
        computed.get();
        assertThat(twice.get()).isEqualTo(4);
    }

    @Test
    void a_value_that_could_not_be_computed_is_computed_again_and_no_older_one_is_given() {
        assertThat(computed.get()).isEqualTo(1);
        source.set(2);
        computed.outdate();
        fails = true;
        assertThatThrownBy(computed::get).hasMessage("planted");
        assertThatThrownBy(computed::get).hasMessage("planted");
        fails = false;
        assertThat(computed.get()).isEqualTo(2);
    }
}
