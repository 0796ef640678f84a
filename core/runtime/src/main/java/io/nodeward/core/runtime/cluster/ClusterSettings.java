package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.kubeconfig.KubeconfigPolicy;
import java.time.Duration;

/**
 * How workload clusters are treated: they belong to others, and may hang, lie or vanish.
 *
 * @param policy where their kubeconfigs may point
 * @param inFlight requests sent to one of them at a time, watches apart; servers allow 100 on a connection
 * @param readsPerSecond GETs, lists and opened watches of one of them, on average; twice as many at once
 * @param largestState bytes of heap for the Nodes of one of them
 * @param probeEvery how long one of them may say nothing before it is asked whether it is there
 * @param blockedAfter for how long something must be blocked before its object gets a condition
 */
public record ClusterSettings(
        KubeconfigPolicy policy,
        int inFlight,
        int readsPerSecond,
        long largestState,
        Duration probeEvery,
        Duration blockedAfter) {
    public static final ClusterSettings DEFAULT = new ClusterSettings(
            KubeconfigPolicy.DEFAULT, 64, 20, 64L << 20, Duration.ofSeconds(10), Duration.ofSeconds(30));

    /** Returns the same settings with another policy. */
    public ClusterSettings with(KubeconfigPolicy other) {
        return new ClusterSettings(other, inFlight, readsPerSecond, largestState, probeEvery, blockedAfter);
    }
}
