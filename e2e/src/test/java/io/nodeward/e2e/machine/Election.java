package io.nodeward.e2e.machine;

import java.util.stream.Stream;

/** The election of a suite: all its processes contend for one Lease. */
public final class Election {
    public static final String LEASE = "/apis/coordination.k8s.io/v1/namespaces/nodeward-system/leases/e2e";
    /** The metric that is 1 in the process that leads, and 0 in the others. */
    public static final String LEADER = "nodeward_leader{lease=\"nodeward-system/e2e\"}";

    private Election() {}

    /** Returns these flags with those of the election. */
    public static String[] with(String... flags) {
        return Stream.concat(Stream.of("--leader-election", "--leader-election-id=e2e"), Stream.of(flags))
                .toArray(String[]::new);
    }
}
