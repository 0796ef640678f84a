package io.nodeward.core.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.cache.ObjectCache;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class ControllersTest {
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private Instant now = Instant.EPOCH;

    @Test
    void all_controllers_stop_within_one_time_and_none_begins_anything_meanwhile() throws InterruptedException {
        Controllers.stop(List.of(new Slow("a", 20), new Slow("b", 20), new Slow("c", 0)), Duration.ofSeconds(25),
                () -> now);

        assertThat(calls).containsExactly("a retires", "b retires", "c retires", "a within 25 s", "b within 5 s",
                "c within 0 s");
    }

    @Test
    void a_controller_is_started_when_what_it_reads_has_been_seen_whatever_others_wait_for() {
        ObjectCache<Node> nodes = new ObjectCache<>();
        Controllers
                .start(List.of(new Slow("a", 0, new ObjectCache<Node>()), new Slow("b", 0, nodes), new Slow("c", 0)));
        await().until(() -> calls.size() == 1);
        nodes.replaceWithNothing();
        await().until(() -> calls.size() == 2);

        assertThat(calls).containsExactly("c starts", "b starts");
    }

    /** Takes so many seconds, or all that it is given. */
    private final class Slow implements Controller {
        private final String name;
        private final Duration wanted;
        private final List<ObjectCache<?>> reads;

        Slow(String name, int seconds, ObjectCache<?>... reads) {
            this.name = name;
            this.wanted = Duration.ofSeconds(seconds);
            this.reads = List.of(reads);
        }

        @Override
        public List<ObjectCache<?>> reads() {
            return reads;
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
