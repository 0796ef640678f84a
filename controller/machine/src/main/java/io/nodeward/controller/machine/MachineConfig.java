package io.nodeward.controller.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Flags of the machine controller. */
public final class MachineConfig {
    @Option(names = "--machine-concurrency", paramLabel = "N", defaultValue = "48", description = "Machines reconciled at the same time, per workload cluster (default: ${DEFAULT-VALUE})")
    int concurrency = 48;

    @Option(names = "--additional-sync-machine-labels", paramLabel = "REGEX", split = ",", description = "Labels to sync besides the standard domains: regular expressions, found anywhere in the key;"
            + " give the same as to the Cluster API manager")
    List<Pattern> labels = new ArrayList<>();

    @Option(names = "--additional-sync-machine-annotations", paramLabel = "REGEX", split = ",", description = "Annotations to sync besides the standard domain: as above")
    List<Pattern> annotations = new ArrayList<>();

    @Option(names = "--bookkeeping-annotations", arity = "0..1", fallbackValue = "true", paramLabel = "BOOL", description = "Keep the annotations that name a Node's Cluster, Machine and owner; leave it off where the"
            + " Cluster API manager runs, which keeps them itself")
    boolean bookkeeping;

    /** Labels that are carried besides those of the managed domains, found anywhere in the key. */
    public List<Pattern> labels() {
        return List.copyOf(labels);
    }
}
