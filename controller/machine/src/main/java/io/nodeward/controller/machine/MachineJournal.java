package io.nodeward.controller.machine;

import io.nodeward.api.core.Event;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.core.rules.node.NodePlan;
import io.nodeward.core.rules.validation.Warning;
import io.nodeward.core.runtime.cluster.Applied;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.Warnings;
import io.nodeward.core.spi.ApiFailure;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the machine room says of its work: a log line for a write, a Warning Event for what somebody must put right. */
final class MachineJournal {
    private static final Logger LOG = LoggerFactory.getLogger(MachineJournal.class);

    private final ManagementCluster management;
    private final Warnings warnings;
    /** Machines with warnings, to forget what was said when they are gone. */
    private final Map<ObjectKey, Event.Regarding> warned = new ConcurrentHashMap<>();
    /** Machines whose last write was refused or held back, likewise. */
    private final Map<ObjectKey, Event.Regarding> refused = new ConcurrentHashMap<>();

    @Inject
    MachineJournal(ManagementCluster management, Warnings warnings) {
        this.management = management;
        this.warnings = warnings;
    }

    void planned(Machine machine, NodePlan plan) {
        if (plan.change().isEmpty()) {
            forgetRefusal(machine.key());
        }
        if (plan.warnings().isEmpty() && !warned.containsKey(machine.key())) {
            return;
        }
        Map<String, String> messages = new TreeMap<>();
        for (Warning warning : plan.warnings()) {
            messages.merge(warning.reason().text(), warning.message(), (one, other) -> one + "; " + other);
        }
        report(machine, messages);
    }

    /** The API server refused the write; the next plan from the same state would be refused again. */
    void rejected(Machine machine, Node node, ApiFailure.Rejected failure) {
        Event.Regarding regarding = regarding(machine);
        refused.put(machine.key(), regarding);
        warnings.report(
                "machine write",
                regarding,
                Map.of("NodeRejected", "Node " + node.key() + " was refused: " + failure.status().message()));
    }

    /** Writes are held back, because they do not last. */
    void undone(Machine machine, Node node, int writes) {
        Event.Regarding regarding = regarding(machine);
        refused.put(machine.key(), regarding);
        warnings.report(
                "machine write",
                regarding,
                Map.of("RepairsUndone",
                        "Node " + node.key() + ": somebody keeps undoing what is declared; after " + writes
                                + " writes in a minute the next waits"));
    }

    void applied(Machine machine, NodeChange change, Applied applied) {
        forgetRefusal(machine.key());
        String done = switch (applied) {
            case Applied.Written written -> "propagated";
            case Applied.Observed observed -> "observed, not written";
            case Applied.Stale stale -> "Node is gone";
        };
        LOG.atInfo()
                .addKeyValue("Node", change.node())
                .addKeyValue("taints", change.taints().isPresent())
                .addKeyValue("labels", change.labels().keySet())
                .addKeyValue("annotations", change.annotations().keySet())
                .log(done);
    }

    void report(Machine machine, Map<String, String> messages) {
        Event.Regarding regarding = regarding(machine);
        if (messages.isEmpty()) {
            warned.remove(machine.key());
        } else {
            warned.put(machine.key(), regarding);
        }
        warnings.report("machine", regarding, messages);
    }

    private Event.Regarding regarding(Machine machine) {
        return new Event.Regarding(
                management.clusterApiVersion(),
                "Machine",
                machine.key(),
                machine.metadata().uid(),
                machine.metadata().resourceVersion());
    }

    void forget(ObjectKey key) {
        Event.Regarding regarding = warned.remove(key);
        if (regarding != null) {
            warnings.report("machine", regarding, Map.of());
        }
        forgetRefusal(key);
    }

    private void forgetRefusal(ObjectKey key) {
        Event.Regarding regarding = refused.remove(key);
        if (regarding != null) {
            warnings.report("machine write", regarding, Map.of());
        }
    }
}
