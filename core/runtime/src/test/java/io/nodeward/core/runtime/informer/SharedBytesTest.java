package io.nodeward.core.runtime.informer;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.nodeward.api.json.Projected;
import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.testkit.LiveHeap;
import io.nodeward.core.testkit.OwnJvm;
import io.nodeward.core.testkit.RealObjects;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What a Machine takes that two controllers read in their own ways: counts, the same on every machine. The limits are a
 * quarter above.
 */
class SharedBytesTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int MANY = 10_000;
    private static final Projection<TaintHolder> TAINTS = Projection.taintHolder(TaintPlace.MACHINE);
    private static final Projection<Projected> BOTH = Projection.all(List.of(Projection.MACHINE, TAINTS));

    // Twice 6 KB are the records' own; the rest is the object as it is kept for the second.
    @Test
    void a_machine_that_is_read_twice_allocates_what_is_kept_of_it_for_the_second() throws IOException {
        assertThat(allocated(BOTH)).as("39904 when written").isLessThan(50_000);
    }

    @Test
    void a_machine_that_is_read_twice_retains_its_two_records() throws Exception {
        Map<String, String> told = OwnJvm.run(Retained.class);

        assertThat(told).containsEntry("machines", String.valueOf(MANY)).containsEntry("taints", String.valueOf(MANY))
                .containsKey("bytes");
        assertThat(Long.parseLong(told.get("bytes"))).as("1099 when written; 1252 if each is read alone")
                .isBetween(300L, 1400L);
    }

    private static long allocated(Projection<?> projection) throws IOException {
        byte[][] objects = new byte[500][];
        for (int i = 0; i < objects.length; i++) {
            objects[i] = RealObjects.machine(i, 1);
        }
        long bytes = 0;
        for (int round = 0; round < 3; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (byte[] one : objects) {
                projection.read(one);
            }
            bytes = (THREADS.getCurrentThreadAllocatedBytes() - before) / objects.length;
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
                machines.put(machine.as(Projection.MACHINE));
                taints.put(machine.as(TAINTS));
            }
            OwnJvm.tell("bytes", (LiveHeap.settled() - before) / MANY);
            OwnJvm.tell("machines", machines.size());
            OwnJvm.tell("taints", taints.size());
        }
    }
}
