package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.contender.Running;
import io.nodeward.e2e.bench.load.CpuTimes;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.bench.load.RequestLog;
import io.nodeward.e2e.bench.load.Round;
import io.nodeward.e2e.bench.load.Testbed;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Many Nodes are to change at once while a controller runs: from the first request that asks for it to the last Node.
 *
 * @param size how many Nodes
 */
record Burst(Setup setup, int size) {
    /** What makes the Nodes change. */
    interface Trigger {
        /** @param sent filled with {@link System#nanoTime} of the request that asked for each Node's change */
        void declare(int value, long[] sent);
    }

    Figures of(Running running, Trigger trigger) {
        Testbed bed = setup.bed();
        int value = bed.nextValue();
        long[] sent = new long[size];
        AuditLog.Mark mark = bed.requests().mark();
        CpuTimes before = setup.cpu(running);
        try (Round round = Round.expect(bed.nodes(), value, size)) {
            long start = System.nanoTime();
            trigger.declare(value, sent);
            long declared = System.nanoTime();
            round.await(Setup.patience(size), running::check);
            RequestLog.Settled end = setup.settled(running);
            CpuTimes taken = end.cpu().since(before);
            List<AuditRequest> requests = Requests.ofRunning(bed.requests().since(mark));
            bed.say("  besides: " + Requests.others(requests));
            long[] seen = round.seen();
            double[] latencies = IntStream.range(0, size)
                    .mapToDouble(i -> Figures.millis(sent[i], seen[i])).toArray();
            return sinceStart(round, start, size)
                    .seconds("triggers_s", declared - start)
                    .seconds("settled_s", Math.max(end.lastRequest(), round.last()) - start)
                    .distribution("latency_", latencies)
                    .requests(requests, size)
                    .cpu(taken)
                    .cpuPer("cpu_ms_per_node", taken.controllers(), size)
                    .put("rss_mib", running.rssMib())
                    .series("latency_ms", latencies)
                    .series("seen_s", Figures.secondsSince(start, round.inOrder()));
        }
    }

    static Figures sinceStart(Round round, long start, int size) {
        return new Figures()
                .seconds("last_node_s", round.last() - start)
                .put("nodes_per_s", size / ((round.last() - start) / 1e9));
    }

    /** What the servers and the bench took for writes without a controller. */
    static Figures writes(Figures figures, CpuTimes taken) {
        return figures.put("apiserver_cpu_s", taken.apiServer())
                .put("etcd_cpu_s", taken.etcd())
                .put("bench_cpu_s", taken.bench());
    }
}
