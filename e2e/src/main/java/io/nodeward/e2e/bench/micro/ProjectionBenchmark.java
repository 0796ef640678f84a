package io.nodeward.e2e.bench.micro;

import io.nodeward.api.json.Projection;
import io.nodeward.api.json.WatchEvent;
import io.nodeward.api.json.WatchStream;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.testkit.RealObjects;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** From the bytes an API server sends to the records in the cache, one object per call. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ProjectionBenchmark {
    /** As many different objects, so that no parser learns one by heart. */
    private static final int OBJECTS = 64;

    static final byte[][] NODES = objects(i -> RealObjects.node(i, 1));
    static final byte[][] MACHINES = objects(i -> RealObjects.machine(i, 1));
    static final byte[][] EVENTS = objects(i -> RealObjects.event("MODIFIED", RealObjects.node(i, 2)));

    private final WatchStream<Node> watch = new WatchStream<>(endless(EVENTS), Projection.NODE);
    private final WatchStream<Node> heartbeats = new WatchStream<>(endless(EVENTS), Projection.NODE);
    private final ObjectCache<Node> cache = new ObjectCache<>();
    private int next;

    private static byte[][] objects(IntFunction<byte[]> object) {
        return IntStream.range(0, OBJECTS).mapToObj(object).toArray(byte[][]::new);
    }

    /** The same texts over and over. */
    private static InputStream endless(byte[][] texts) {
        Iterator<byte[]> each = Stream.generate(() -> texts).flatMap(Stream::of).iterator();
        return new SequenceInputStream(new Enumeration<>() {
            @Override
            public boolean hasMoreElements() {
                return true;
            }

            @Override
            public InputStream nextElement() {
                return new ByteArrayInputStream(each.next());
            }
        });
    }

    /** Bytes of one object, on average. */
    static double size(byte[][] objects) {
        return IntStream.range(0, OBJECTS).mapToLong(i -> objects[i].length).average().orElseThrow();
    }

    /** A Node by itself, as read after a conflict. */
    @Benchmark
    public Node node(CpuTime cpu) throws IOException {
        cpu.calls++;
        return Projection.NODE.read(NODES[next++ % OBJECTS]);
    }

    /** A Machine by itself. */
    @Benchmark
    public Machine machine(CpuTime cpu) throws IOException {
        cpu.calls++;
        return Projection.MACHINE.read(MACHINES[next++ % OBJECTS]);
    }

    /** A Node in an event of a watch that never ends. */
    @Benchmark
    public WatchEvent<Node> event(CpuTime cpu) throws IOException {
        cpu.calls++;
        return watch.next().orElseThrow();
    }

    /** The same, put over the Node that is cached and equal but for its resourceVersion. */
    @Benchmark
    public void heartbeat(CpuTime cpu) throws IOException {
        cpu.calls++;
        if (heartbeats.next().orElseThrow() instanceof WatchEvent.Put<Node> put) {
            cache.put(put.object());
        }
    }
}
