package io.nodeward.controller.app;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Sha256;
import io.nodeward.core.rules.validation.NameFaults;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Flags about the election of the one process that writes. */
final class LeaderElectionOptions {
    private static final int LONGEST_NAME = 253;

    @Option(names = "--leader-election", arity = "0..1", fallbackValue = "true", paramLabel = "BOOL", description = "Write only while this process holds a Lease, which it contends for with others. All processes answer their"
            + " webhooks. Without effect with --dry-run and --cleanup")
    boolean enabled;

    @Option(names = "--leader-election-id", paramLabel = "NAME", defaultValue = "", description = "Name of that Lease, the same for all replicas (default: one for the controllers that run,"
            + " --watch-filter and --namespaces)")
    String id = "";

    @Option(names = "--leader-election-namespace", paramLabel = "NAMESPACE", defaultValue = "nodeward-system", description = "Namespace of that Lease (default: ${DEFAULT-VALUE})")
    String namespace = "nodeward-system";

    /**
     * Returns the Lease to contend for; empty if this process contends for none.
     *
     * @throws IllegalArgumentException naming the flag that cannot be used
     */
    Optional<ObjectKey> lease(ControllerCommand options) {
        if (!enabled) {
            return Optional.empty();
        }
        if (!ControllerCommand.NAMESPACE.matcher(namespace).matches()) {
            throw new IllegalArgumentException(
                    "--leader-election-namespace: '" + namespace + "' is not the name of a namespace");
        }
        String name = id.isEmpty() ? defaultId(options) : id;
        NameFaults.ofSubdomain(name, LONGEST_NAME).stream().findFirst().ifPresent(fault -> {
            throw new IllegalArgumentException(
                    "--leader-election-id: '" + name + "' is not the name of a Lease: " + fault);
        });
        return options.dryRun || options.cleanUp ? Optional.empty() : Optional.of(new ObjectKey(namespace, name));
    }

    /** Two releases in one namespace that write different objects must not share a Lease: one of them would write nothing. */
    private static String defaultId(ControllerCommand options) {
        FeatureGates gates = FeatureGates.of(options.gates);
        Set<KnownController> selected = new ControllerSelection(options.controllers, gates).selected();
        List<String> running = selected.stream().filter(controller -> controller.isOn(gates))
                .map(KnownController::text).toList();
        Stream<Object> all = Stream.of(running, selected, options.watchFilter, options.namespaces(),
                options.others.stream().map(other -> other.module().getClass().getName()).toList());
        return Stream.concat(Stream.of("nodeward"), running.stream()).collect(Collectors.joining("-")) + "-"
                + Sha256.hex(all.map(String::valueOf).collect(Collectors.joining("\n"))).substring(0, 8);
    }
}
