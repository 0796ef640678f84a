package io.nodeward.core.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ControllersTest {
    private final List<String> calls = new ArrayList<>();
    private Instant now = Instant.EPOCH;

    @Test
    void all_controllers_stop_within_one_time_and_none_begins_anything_meanwhile() throws InterruptedException {
        Controllers.stop(List.of(new Slow("a", 20), new Slow("b", 20), new Slow("c", 0)), Duration.ofSeconds(25),
                () -> now);

        assertThat(calls).containsExactly("a retires", "b retires", "c retires", "a within 25 s", "b within 5 s",
                "c within 0 s");
    }

    /** Takes so many seconds, or all that it is given. */
    private final class Slow implements Controller {
        private final String name;
        private final Duration wanted;

        Slow(String name, int seconds) {
            this.name = name;
            this.wanted = Duration.ofSeconds(seconds);
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public void start() {
            calls.add(name + " starts");
        }

        @Override
        public void retire() {
            calls.add(name + " retires");
        }

        @Override
        public boolean stop(Duration patience) {
            calls.add(name + " within " + patience.toSeconds() + " s");
            boolean finished = wanted.compareTo(patience) <= 0;
            now = now.plus(finished ? wanted : patience);
            return finished;
        }
    }
}
