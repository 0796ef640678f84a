package io.nodeward.core.runtime.informer;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.nodeward.api.json.Projected;
import io.nodeward.api.json.Projection;
import io.nodeward.api.json.WatchEvent;
import io.nodeward.api.json.WatchStream;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.testkit.LiveHeap;
import io.nodeward.core.testkit.OwnJvm;
import io.nodeward.core.testkit.RealObjects;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a Machine takes that two controllers read in their own ways: counts, the same on every machine. */
class SharedBytesTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int MANY = 10_000;
    private static final int SOME = 500;
    private static final int BEATS = 3;
    private static final Projection<TaintHolder> TAINTS = Projection.taintHolder(TaintPlace.MACHINE);
    private static final Projection<Projected> BOTH = Projection.all(List.of(Projection.MACHINE, TAINTS));

    // Its text is kept in the same place for all objects, and read there by parsers that are kept, too.
    @Test
    void an_event_that_two_read_allocates_what_the_events_of_two_watches_would() throws IOException {
        long machine = followed(Projection.MACHINE, cached(new ObjectCache<>()));
        long taints = followed(TAINTS, cached(new ObjectCache<>()));
        ObjectCache<Machine> machines = new ObjectCache<>();
        ObjectCache<TaintHolder> holders = new ObjectCache<>();
        long both = followed(BOTH, object -> {
            machines.put(object.as(Projection.MACHINE).orElseThrow());
            holders.put(object.as(TAINTS).orElseThrow());
        });

        assertThat(both).as(machine + " + " + taints + "; 10905 when written, of 3616 + 6992")
                .isLessThan((machine + taints) * 11 / 10);
    }

    @Test
    void a_machine_that_is_read_twice_retains_its_two_records() throws Exception {
        Map<String, String> told = OwnJvm.run(Retained.class);

        assertThat(told).containsEntry("machines", String.valueOf(MANY)).containsEntry("taints", String.valueOf(MANY))
                .containsKey("bytes");
        assertThat(Long.parseLong(told.get("bytes"))).as("1099 when written; 1252 if each is read alone")
                .isBetween(300L, 1400L);
    }

    private static <T extends KubernetesObject> Consumer<T> cached(ObjectCache<T> cache) {
        return cache::put;
    }

    /** Reads heartbeats of a watch, as a reflector does; bytes per event, once all has been read that is kept. */
    private static <T extends KubernetesObject> long followed(Projection<T> projection, Consumer<T> store)
            throws IOException {
        ByteArrayOutputStream events = new ByteArrayOutputStream();
        for (int beat = 0; beat < BEATS; beat++) {
            for (int i = 0; i < SOME; i++) {
                events.writeBytes(RealObjects.event("MODIFIED", RealObjects.machine(i, beat)));
            }
        }
        WatchStream<T> stream = new WatchStream<>(new ByteArrayInputStream(events.toByteArray()), projection);
        long bytes = 0;
        for (int beat = 0; beat < BEATS; beat++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < SOME; i++) {
                store.accept(((WatchEvent.Put<T>) stream.next().orElseThrow()).object());
            }
            bytes = (THREADS.getCurrentThreadAllocatedBytes() - before) / SOME;
        }
        return bytes;
    }

    /** Run in a JVM of its own: the heap of one that other tests share is not ours alone. */
    static final class Retained {
        private Retained() {}

        public static void main(String[] none) throws IOException {
            for (int i = 0; i < MANY; i++) {
                BOTH.read(RealObjects.machine(MANY + i, 1)); // pools are not what is measured
            }
            ObjectCache<Machine> machines = new ObjectCache<>();
            ObjectCache<TaintHolder> taints = new ObjectCache<>();
            long before = LiveHeap.settled();
            for (int i = 0; i < MANY; i++) {
                Projected machine = BOTH.read(RealObjects.machine(i, 1));
                machines.put(machine.as(Projection.MACHINE).orElseThrow());
                taints.put(machine.as(TAINTS).orElseThrow());
            }
            OwnJvm.tell("bytes", (LiveHeap.settled() - before) / MANY);
            OwnJvm.tell("machines", machines.size());
            OwnJvm.tell("taints", taints.size());
        }
    }
}
