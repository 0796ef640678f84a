package io.nodeward.core.runtime.controller;

import io.nodeward.api.core.Event;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Outcome;
import io.nodeward.core.runtime.status.StatusReporter;
import io.nodeward.core.runtime.status.Target;
import io.nodeward.core.spi.Resource;
import io.nodeward.core.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What is decided and what comes of a write, as a test wants it, and what an executor then does, in order. */
abstract class ExecutorFixture {
    static final Duration LEFT = Duration.ofSeconds(30);
    static final Target OWNER = new Target(new Resource("g", "v1", "machines", true),
            new Event.Regarding("g/v1", "Machine", new ObjectKey("ns", "m"), "uid", "1"), List.of(), false);
    static final Node NODE = new Node(
            new Metadata(ObjectKey.clusterScoped("n"), "uid", "1", Map.of(), Map.of(), List.of(), false), "",
            List.of());

    final ManualTime time = new ManualTime();
    /** What happened, in order. */
    final List<String> calls = new ArrayList<>();
    Decision decision = change("a");
    ObjectWriter writer = (change, manager, again) -> new Applied.Written();
    Duration left = LEFT;
    /** Whether the status meets conflicts. */
    boolean outdated;

    final DecisionExecutor<String> executor = executor(WriteLimits.DEFAULT);

    DecisionExecutor<String> executor(WriteLimits limits) {
        return new DecisionExecutor<>(new Deciding(), (change, manager, again) -> {
            calls.add("write by " + manager + (again ? " again" : ""));
            return writer.apply(change, manager, again);
        }, new Recording(), "manager", limits, time::nanoTime);
    }

    static Decision change(String taint) {
        NodeChange change = new NodeChange("n", "1", Optional.of(List.of(Taint.of(taint, "", "NoSchedule"))),
                new TreeMap<>(), new TreeMap<>());
        return new Decision.Change(OWNER, ObjectChange.node(new ObjectKey("ns", "c"), NODE, change), taint, List.of(),
                Optional.empty());
    }

    private final class Deciding implements Reconciler<String> {
        @Override
        public Decision reconcile(String key) {
            calls.add("decide");
            return decision;
        }

        @Override
        public void executed(String key, Decision executed) {
            calls.add("executed");
        }

        @Override
        public void unanswered(String key, Decision.Change change) {
            calls.add("unanswered");
        }
    }

    private final class Recording implements StatusReporter<String> {
        @Override
        public Duration report(String key, Target target, Outcome outcome) {
            calls.add(switch (outcome) {
                case Outcome.Waiting waiting -> "waiting";
                case Outcome.Planned planned -> "planned";
                case Outcome.Stuck stuck -> "blocked";
                case Outcome.NotWritten(Blocked by, boolean certain) ->
                        "not written: " + by.reason() + ", " + by.message() + (certain ? ", certain" : ", not certain");
                case Outcome.HeldBack(Blocked by) -> "held back: " + by.reason() + ", " + by.message();
                case Outcome.Failed failed -> "failed";
                case Outcome.Restless restless -> "restless";
                case Outcome.InEffect inEffect -> "in effect";
                case Outcome.Summary summary -> "summary";
            });
            return outcome instanceof Outcome.Waiting ? Duration.ZERO : left;
        }

        @Override
        public boolean isOutdated(Target target) {
            return outdated;
        }

        @Override
        public void unknown(String key) {
            calls.add("unknown");
        }

        @Override
        public void forget(String key) {
            calls.add("forget");
        }
    }
}
