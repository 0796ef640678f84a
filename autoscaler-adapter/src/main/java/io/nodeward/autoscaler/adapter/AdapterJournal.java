package io.nodeward.autoscaler.adapter;

import io.nodeward.api.core.Event;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.api.meta.Condition;
import io.nodeward.autoscaler.adapter.CapacityWrite.Left;
import io.nodeward.core.rules.validation.Warning;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.status.Listed;
import io.nodeward.core.runtime.status.Target;
import io.nodeward.core.spi.ApiFailure;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the autoscaler room says of its work: a log line for a write; a Warning Event and a condition for what somebody
 * must put right.
 */
final class AdapterJournal {
    /** Apart from the other rooms' that speak of the same objects. */
    static final String CONDITION = Condition.PREFIX + "CapacityBlocked";

    private static final Logger LOG = LoggerFactory.getLogger(AdapterJournal.class);

    private final ManagementCluster management;
    private final EventRecorder warnings;
    private final Conditions conditions;
    /** Texts that no message holds, by the group that they are in the log of. */
    private final Map<GroupKey, List<String>> unsaid = new ConcurrentHashMap<>();
    /** Groups with Events, to forget what was said when they are gone. */
    private final Map<GroupKey, Event.Regarding> warned = new ConcurrentHashMap<>();

    @Inject
    AdapterJournal(ManagementCluster management, EventRecorder warnings, Conditions conditions) {
        this.management = management;
        this.warnings = warnings;
        this.conditions = conditions.named(CONDITION);
    }

    void written(GroupKey key, CapacityWrite write, boolean sent) {
        LOG.atInfo()
                .addKeyValue(key.kind().text(), key.object())
                .addKeyValue("annotations", write.changes().keySet())
                .log(sent ? "told" : "observed, not written");
    }

    /** All is done that can be; {@code left} is what was left to somebody else. */
    Result settled(GroupKey key, NodeGroup group, Plans plans, List<Left> left) {
        List<Left> known = plans.grouped() ? left : List.of();
        logUnsaid(key, known);
        List<Blocked> blocked = known.stream().map(Left::blocked).toList();
        return said(key, group, plans, blocked.stream().findFirst().or(() -> leftOut(plans)), blocked);
    }

    private void logUnsaid(GroupKey key, List<Left> left) {
        List<String> texts = left.stream().map(Left::unsaid).filter(text -> !text.isEmpty()).toList();
        List<String> before = texts.isEmpty() ? unsaid.remove(key) : unsaid.put(key, texts);
        if (!texts.isEmpty() && !texts.equals(before)) {
            left.stream().filter(one -> !one.unsaid().isEmpty()).forEach(one -> LOG.atWarn()
                    .addKeyValue(key.kind().text(), key.object())
                    .addKeyValue("reason", one.blocked().reason())
                    .log("set it there to: " + one.unsaid()));
        }
    }

    /** The API server refused the write. It is tried once more before a condition says so. */
    Result refused(GroupKey key, NodeGroup group, Plans plans, ApiFailure failure) {
        Blocked blocked = Blocked.refused("CapacityRefused", "annotations were", failure);
        return said(key, group, plans, Optional.of(blocked), List.of(blocked));
    }

    /** Writes are held back, because they do not last. */
    Result undone(GroupKey key, NodeGroup group, Plans plans, Duration hold) {
        Blocked blocked = new Blocked("RepairsUndone",
                "somebody keeps undoing what is told the autoscaler; after " + AdapterReconciler.REPAIRS + " writes in "
                        + AdapterReconciler.WINDOW.toMinutes() + " minutes the next waits");
        said(key, group, plans, Optional.of(blocked), List.of(blocked));
        return Result.requeueAfter(hold, "others to stop changing " + key);
    }

    /** It is gone, or none of ours. */
    void forget(GroupKey key) {
        conditions.forget(key.kind().text(), key.object());
        unsaid.remove(key);
        Event.Regarding regarding = warned.remove(key);
        if (regarding != null) {
            warnings.report("autoscaler", regarding, Map.of());
        }
    }

    /** A MachineDeployment has taken it over, and with it what was wrong. */
    void adopted(GroupKey key, NodeGroup group) {
        conditions.report(target(key, group), Optional.empty(), AdapterReconciler.FIELD_MANAGER);
    }

    private Target target(GroupKey key, NodeGroup group) {
        return Target.of(management.version(), key.kind().text(), key.kind().plural(), group, group.conditions());
    }

    /**
     * @param blocked for the condition
     * @param events said in Events besides the plans' warnings
     */
    private Result said(
            GroupKey key, NodeGroup group, Plans plans, Optional<Blocked> blocked, List<Blocked> events) {
        Target target = target(key, group);
        Map<String, String> messages = messages(plans.warnings());
        events.forEach(by -> messages.put(by.reason(), by.message()));
        if (!messages.isEmpty()) {
            warned.put(key, target.regarding());
            warnings.report("autoscaler", target.regarding(), messages);
        } else if (warned.remove(key) != null) {
            warnings.report("autoscaler", target.regarding(), messages);
        }
        Duration left = conditions.report(target, blocked, AdapterReconciler.FIELD_MANAGER);
        return blocked.map(by -> Result.blocked(by, left)).orElse(Result.done());
    }

    private static Optional<Blocked> leftOut(Plans plans) {
        List<Warning> left = plans.warnings().stream().filter(warning -> warning.reason().leftOut()).toList();
        return left.stream().findFirst().map(first -> new Blocked(
                first.reason().text(), Listed.of(left.stream().map(Warning::message).toList())));
    }

    private static Map<String, String> messages(List<Warning> warnings) {
        Map<String, List<String>> texts = new LinkedHashMap<>();
        warnings.forEach(warning -> texts.computeIfAbsent(warning.reason().text(), reason -> new ArrayList<>())
                .add(warning.message()));
        Map<String, String> messages = new LinkedHashMap<>();
        texts.forEach((reason, all) -> messages.put(reason, Listed.of(all)));
        return messages;
    }
}
