package io.nodeward.cli.taint;

import io.nodeward.api.json.Projection;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.cli.explain.Words;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.live.Time;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.cli.terminal.Progress;
import io.nodeward.core.rules.toleration.Eviction;
import io.nodeward.core.rules.toleration.Tolerance;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Waits until the pods are gone that a Node's taints drive off, those too that they let stay for a while. */
final class EvictionWait {
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final int NAMED = 3;
    /** A server that takes such tolerations compares by them. */
    private static final Tolerance WITH_COMPARISONS = new Tolerance(true);

    private final LiveCluster cluster;
    private final Time time;
    private final Instant end;
    private final Progress progress;

    /** @param timeout zero for none */
    EvictionWait(LiveCluster cluster, Time time, Duration timeout, Progress progress) {
        this.cluster = cluster;
        this.time = time;
        this.end = timeout.isZero() ? Instant.MAX : time.now().plus(timeout);
        this.progress = progress;
    }

    /** A Node, and the taints that it has since the command. */
    record Tainted(Node node, List<Taint> taints) {}

    /** Adds those that were not empty in time to {@code faults}. */
    void await(List<Tainted> nodes, Faults faults) {
        int done = 0;
        for (Tainted node : nodes) {
            await(node, done++, nodes.size(), faults);
        }
    }

    private void await(Tainted node, int done, int total, Faults faults) {
        String name = node.node.key().name();
        for (List<String> left = leaving(node); !left.isEmpty(); left = leaving(node)) {
            if (!time.now().isBefore(end)) {
                faults.add("timed out waiting for pods to leave node/" + name + ": " + Words.some(left, NAMED));
                return;
            }
            progress.show(done, total, "Nodes; " + name + " waits for "
                    + Words.counted(left.size(), "pod"));
            time.sleep(LOOK);
        }
    }

    private List<String> leaving(Tainted node) {
        String onNode = "spec.nodeName=" + node.node.key().name();
        return cluster.list(LiveCluster.PODS, "", "", onNode,
                tree -> Snapshot.read(new Manifest(tree, ""), Projection.POD)).stream()
                .filter(pod -> !(Eviction.of(node.taints, pod.tolerations(),
                        WITH_COMPARISONS) instanceof Eviction.Never))
                .map(pod -> pod.key().toString())
                .toList();
    }
}
