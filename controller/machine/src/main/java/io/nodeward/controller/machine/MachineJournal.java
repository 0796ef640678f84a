package io.nodeward.controller.machine;

import io.nodeward.api.core.Event;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.node.NodePlan;
import io.nodeward.core.rules.validation.Warning;
import io.nodeward.core.runtime.cluster.Blocked;
import io.nodeward.core.runtime.cluster.Conditions;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.Target;
import io.nodeward.core.runtime.cluster.Warnings;
import io.nodeward.core.spi.ApiFailure;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * What the machine room says of its work: for what somebody must put right a Warning Event, and a condition should it
 * last.
 */
final class MachineJournal {
    private final ManagementCluster management;
    private final Warnings warnings;
    private final Conditions conditions;
    /** Machines with warnings, to forget what was said when they are gone. */
    private final Map<ObjectKey, Event.Regarding> warned = new ConcurrentHashMap<>();
    /** Machines whose last write was refused or held back, likewise. */
    private final Map<ObjectKey, Event.Regarding> refused = new ConcurrentHashMap<>();

    @Inject
    MachineJournal(ManagementCluster management, Warnings warnings, Conditions conditions) {
        this.management = management;
        this.warnings = warnings;
        this.conditions = conditions;
    }

    /**
     * Says in a condition what blocks the Machine, or that nothing does; one that is being deleted is not missed.
     *
     * @return how long until it is said, should it last; zero if there is nothing to wait for
     */
    Duration blocked(Machine machine, Optional<Blocked> by) {
        Optional<Blocked> missed = by.filter(b -> !machine.metadata().deleting());
        return conditions.report(Target.of(management, machine), missed, MachineReconciler.FIELD_MANAGER);
    }

    /** It is not known what blocks the Machine, if anything: should something, it has not done so before. */
    void startOver(ObjectKey key) {
        conditions.startOver("Machine", key);
    }

    /** What a plan had to leave out of what is declared. */
    static Optional<Blocked> leftOut(NodePlan plan) {
        List<Warning> left = plan.warnings().stream().filter(warning -> warning.reason().leftOut()).toList();
        String message = left.stream().map(Warning::message).collect(Collectors.joining("; "));
        return left.stream().findFirst().map(first -> new Blocked(first.reason().text(), message));
    }

    void planned(Machine machine, NodePlan plan) {
        if (plan.change().isEmpty()) {
            forgetRefusal(machine.key());
        }
        if (plan.warnings().isEmpty() && !warned.containsKey(machine.key())) {
            return;
        }
        report(machine, plan.warnings().stream().collect(Collectors.groupingBy(
                warning -> warning.reason().text(), TreeMap::new,
                Collectors.mapping(Warning::message, Collectors.joining("; ")))));
    }

    /** The API server refused the write; the next plan from the same state would be refused again. */
    Duration rejected(Machine machine, Node node, ApiFailure.Rejected failure) {
        return notWritten(machine, Blocked.refused(node, failure));
    }

    /** A webhook or the rights of the kubeconfig's user forbid the write: said should it last, as either may change. */
    void forbidden(Machine machine, Node node, ApiFailure.Forbidden failure) {
        Blocked by = Blocked.refused(node, failure);
        if (blocked(machine, Optional.of(by)).isZero() && !machine.metadata().deleting()) {
            warnNotWritten(machine, by);
        }
    }

    /** Writes are held back, because they do not last. */
    Duration undone(Machine machine, Blocked by) {
        return notWritten(machine, by);
    }

    /** As {@link #blocked}, and in an Event at once. */
    private Duration notWritten(Machine machine, Blocked by) {
        warnNotWritten(machine, by);
        return blocked(machine, Optional.of(by));
    }

    private void warnNotWritten(Machine machine, Blocked by) {
        Event.Regarding regarding = regarding(machine);
        refused.put(machine.key(), regarding);
        warnings.report("machine write", regarding, Map.of(by.reason(), by.message()));
    }

    /** What was refused before is over. */
    void written(ObjectKey key) {
        forgetRefusal(key);
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
        return Target.of(management, machine).regarding();
    }

    void forget(ObjectKey key) {
        conditions.forget("Machine", key);
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
