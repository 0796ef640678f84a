package io.nodeward.e2e.bench.report;

import java.util.Comparator;
import java.util.Map;

/** What happens in a scenario, for those who read its figures. */
final class Words {
    private static final Map<String, String> BY_BEGINNING = Map.ofEntries(
            Map.entry("drain-",
                    "All Machines were changed while the controller was off; then it starts, and nothing else"
                            + " works. `nodes_per_s` counts from the first changed Node to the last."),
            Map.entry("burst-",
                    "All Machines are changed while the controller runs, warm by a drain. Latency counts from"
                            + " sending the change of a Machine. `triggers_s` is what the changes took."),
            Map.entry("fair-pair", "A burst for the small fleet: the upstream manager on its own, in the runs that the"
                    + " burst's table has too, and Nodeward beside an upstream manager that leaves taints alone."),
            Map.entry("pool-", "One edit of a MachinePool without Machines; every Node of it follows. Latency counts"
                    + " from sending the edit."),
            Map.entry("single", "One Machine after the other is changed while nothing else happens; the ideal client's"
                    + " figures are the Machine's own event and then a patch of the Node until its event, of one client."),
            Map.entry("same-machine", "The same Machine is changed again as soon as its Node has followed."),
            Map.entry("twenty-per-second",
                    "One Machine is changed 20 times a second for 10 s. Who merges changes patches"
                            + " less and lags more; `lag_ms` is how late the last one is."),
            Map.entry("drift", "Somebody takes the taint off a Node, one after the other."),
            Map.entry("idle", "Nothing happens for 15 s."),
            Map.entry("heartbeats-burst", "A quarter of the Machines is changed while every kubelet writes its Node"
                    + " every ten seconds. Each further patch is one more try after a conflict."),
            Map.entry("heartbeats", "Every kubelet writes its Node every ten seconds, and nothing else happens."),
            Map.entry("restart", "The controller starts on a fleet where one Node alone is not as declared; `cpu_s` is"
                    + " its CPU until that Node is."),
            Map.entry("takeover-",
                    "The process that leads is killed and all Machines change. `first_node_s` counts from"
                            + " the kill, `nodes_per_s` from the first Node to the last."),
            Map.entry("scale-", "The controller reads so many Nodes of 15 KB and as many Machines from real servers."),
            Map.entry("served-", "The same from FakeApiServer, always with 10,000 Machines."),
            Map.entry("clusters-", "So many workload clusters of FakeApiServer, all Machines changed at once."),
            Map.entry("pod-events-",
                    "Pods of 200 dedicated groups on 5,000 Nodes go and come again, from FakeApiServer."),
            Map.entry("slice-events-", "A driver publishes slices of 128 devices again, beside 100 rules with CEL."),
            Map.entry("micro", "Plans and projections alone, by JMH, with the JVM's own thresholds of compilation."));

    private Words() {}

    /** One or two sentences; none of a scenario nobody has described. */
    static String of(String scenario) {
        return BY_BEGINNING.entrySet().stream().filter(entry -> scenario.startsWith(entry.getKey()))
                .max(Map.Entry.comparingByKey(Comparator.comparingInt(String::length)))
                .map(Map.Entry::getValue).orElse("");
    }
}
