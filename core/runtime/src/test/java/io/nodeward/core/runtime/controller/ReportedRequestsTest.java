package io.nodeward.core.runtime.controller;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.core.Event;
import io.nodeward.api.meta.CustomResourceDefinition;
import io.nodeward.api.meta.Finding;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.simulation.Faults;
import io.nodeward.core.runtime.simulation.RecordedRequests;
import io.nodeward.core.runtime.status.Awaited;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.status.LastingStatus;
import io.nodeward.core.runtime.status.OwnerStatus;
import io.nodeward.core.runtime.status.StatusReporter;
import io.nodeward.core.runtime.status.Target;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Resource;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import io.nodeward.core.testkit.ManualTime;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What each way to report a status sends for each decision and all that may come of it. */
class ReportedRequestsTest {
    private static final Duration AFTER = Duration.ofSeconds(30);
    private static final ObjectKey OBJECT = new ObjectKey("ns", "x");
    private static final ObjectKey OWNER = new ObjectKey("ns", "");
    private static final ObjectKey MEMBER = new ObjectKey("ns", "a");
    private static final ObjectKey OTHER = new ObjectKey("ns", "b");
    private static final Blocked BY = new Blocked("NodeNotJoined", "no Node");
    private static final List<Finding> FINDINGS = List.of(new Finding("ReservedTaint", "left out", true, true),
            new Finding("TaintRepaired", "repaired", false, false));
    private static final ObjectWriter MADE = (change, manager, again) -> new Applied.Written();

    private final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RecordedRequests requests = new RecordedRequests(new Accepting());
    private final ApiServer server = new ApiServer(requests);
    private final EventRecorder events = new EventRecorder(server, time, timers, true, registry);
    private final ControllerContext context = new ControllerContext(
            (change, manager, again) -> this.writer.apply(change, manager, again),
            new Conditions(server, AFTER, time, time::nanoTime, true), events, time, timers, registry, "", false);
    private final Set<String> changed = new TreeSet<>();
    private ObjectWriter writer = MADE;
    private Decision decision = new Decision.Waiting("nothing");
    private Optional<DecisionExecutor<ObjectKey>> executor = Optional.empty();
    /** Of members; empty if keys have none. */
    private Optional<Decision.Summary> summary = Optional.empty();

    @AfterEach
    void close() {
        events.close();
        timers.close();
    }

    @Test
    void of_objects_that_are_keys() {
        Target machine = target("cluster.x-k8s.io", "machines", "Machine");
        start(context.objectStatus("Machine", "test"));
        decideAll(machine);
        step("blocked while it is deleted", MEMBER, new Decision.Blocked(
                new Target(machine.resource(), machine.regarding(), List.of(), true), BY, true));
        requests.assertRecorded(getClass(), "object");
    }

    @Test
    void of_objects_of_a_kind_of_our_own() {
        start(context.readyStatus(new CustomResourceDefinition("example.com", "v1beta2", "Quota", "quotas", true),
                "test"));
        decideAll(target("example.com", "quotas", "Quota"));
        requests.assertRecorded(getClass(), "ready");
    }

    @Test
    void of_owners_whose_members_are_known() {
        Target pool = target("cluster.x-k8s.io", "machinepools", "MachinePool");
        start(context.ownerStatus(new OwnerStatus.Naming<>(
                "MachinePool", "test", key -> OBJECT, ObjectKey::name, owner -> OWNER), List.of("NodeRejected")));
        summary = Optional.of(new Decision.Summary(pool, Set.of("a", "b")));
        step("another member has not been looked at", MEMBER, new Decision.Blocked(pool, BY, true));
        step("it has", OTHER, new Decision.Change(pool, node(false), "b", List.of(), Optional.empty()));
        decideAll(pool);
        decideOwner(pool);
        requests.assertRecorded(getClass(), "owner");
    }

    @Test
    void of_owners_whose_members_may_leave() {
        Target set = target("cluster.x-k8s.io", "machinesets", "MachineSet");
        start(context.lastingStatus(new LastingStatus.Naming<ObjectKey>("test", owner -> OWNER, ObjectKey::name,
                (names, others, first) -> names + (others ? " and others" : "") + ": " + first),
                "example.com/Blocked"));
        summary = Optional.of(new Decision.Summary(set, Set.of()));
        decideAll(set);
        decideOwner(set);
        requests.assertRecorded(getClass(), "lasting");
    }

    private void decideAll(Target target) {
        step("waiting, of nobody", MEMBER, new Decision.Waiting("a Cluster"));
        step("waiting", MEMBER, new Decision.Waiting("a Cluster", Optional.of(target)));
        step("blocked", MEMBER, new Decision.Blocked(target, BY, true));
        step("blocked by something else", MEMBER, new Decision.Blocked(target, new Blocked("Other", "o"), false));
        step("waiting again", MEMBER, new Decision.Waiting("a Cluster", Optional.of(target)));
        step("in effect but for something", MEMBER, new Decision.InEffect(target, FINDINGS));
        step("in effect", MEMBER, new Decision.InEffect(target, List.of()));
        Decision change = change(target, node(true), List.of());
        Decision none = change(target, node(false), List.of());
        step("nothing to change but for something", MEMBER, change(target, node(false), FINDINGS));
        step("changed but for something", MEMBER, change(target, node(true), FINDINGS));
        step("nothing to change", MEMBER, none);
        fail("conflict", change, (write, manager, again) -> again
                ? new Applied.Written()
                : new Applied.Outdated(Faults.failure(409, "Conflict")));
        fail("gone meanwhile", change, (write, manager, again) -> new Applied.Gone());
        fail("dry run", change, (write, manager, again) -> new Applied.DryRun());
        fail("refused", change(target, node(true), FINDINGS), failing(422, "Invalid"));
        step("changed after that", MEMBER, change);
        fail("of an object that is not there", change, failing(404, "NotFound"));
        fail("a right is missing", change, failing(403, "Forbidden"));
        step("nothing to change after that", MEMBER, none);
        fail("a right is missing, reported at once", change(target, homeNode(), List.of()), failing(403, "Forbidden"));
        fail("throttled", change, failing(429, "TooManyRequests"));
        fail("no answer", change, (write, manager, again) -> {
            throw ApiFailure.unreachable("a write", "of the test", new IOException());
        });
        fail("not connected", change, (write, manager, again) -> new Applied.Unavailable("the Cluster"));
        decideUndone(target);
        step("blocked before it is gone", MEMBER, new Decision.Blocked(target, BY, true));
        step("gone", MEMBER, new Decision.Gone("deleted"));
        step("blocked once more", MEMBER, new Decision.Blocked(target, BY, true));
        step("gone, not so its owner", MEMBER, new Decision.Gone("not ours", Optional.of(target)));
    }

    private void decideUndone(Target target) {
        Decision change = change(target, node(true), List.of());
        for (int writes = 0; writes < 19; writes++) {
            decide(MEMBER, change, true);
        }
        step("somebody keeps undoing it", MEMBER, change);
        decide(MEMBER, change, true);
        step("and once more", MEMBER, change);
        step("it may not last", MEMBER, change(target, node(false), List.of()));
        time.pass(Duration.ofMinutes(2));
        step("it lasts", MEMBER, change(target, node(false), List.of()));
    }

    private void decideOwner(Target target) {
        step("awaited", MEMBER, new Decision.Change(target, node(false), "a", List.of(),
                Optional.of(new Awaited("NodesUninitialized", "Nodes ", " wait"))));
        step("not awaited any more", MEMBER, change(target, node(false), List.of()));
        step("blocked itself", OWNER, new Decision.Blocked(target, BY, true));
        step("blocked, and its member", MEMBER, new Decision.Blocked(target, new Blocked("NodeRejected", "no"), true));
        step("waiting itself", OWNER, new Decision.Waiting("a Cluster"));
        step("gone itself", OWNER, new Decision.Gone("deleted"));
    }

    private void start(StatusReporter<ObjectKey> status) {
        status.whenChanged(key -> changed.add(key.toString()));
        executor = Optional.of(new DecisionExecutor<>(
                key -> decision, context.writer(), status, "test", WriteLimits.DEFAULT, time::nanoTime));
    }

    private void fail(String text, Decision decided, ObjectWriter answer) {
        writer = answer;
        step(text, MEMBER, decided, false);
        writer = MADE;
    }

    private void step(String text, ObjectKey key, Decision decided) {
        step(text, key, decided, true);
    }

    /** Decides so now, and again once it has lasted. */
    private void step(String text, ObjectKey key, Decision decided, boolean exactly) {
        once(text, key, decided, exactly);
        time.pass(AFTER);
        once(text + ", and still so", key, decided, exactly);
    }

    private void once(String text, ObjectKey key, Decision decided, boolean exactly) {
        List<String> results = new ArrayList<>(List.of(text, decide(key, decided, exactly), "changed " + changed));
        changed.clear();
        summary.ifPresent(all -> results.add(decide(OWNER, all, true)));
        requests.step(String.join("\n  = ", results), events);
    }

    /** @param exactly false where pauses are jittered */
    private String decide(ObjectKey key, Decision decided, boolean exactly) {
        decision = decided;
        try {
            Result result = executor.orElseThrow().apply(key);
            return exactly || !(result instanceof Result.RequeueAfter again) ? result.toString() : again.reason();
        } catch (ApiFailure failure) {
            return failure.getClass().getSimpleName();
        }
    }

    private static ObjectWriter failing(int code, String reason) {
        return (change, manager, again) -> {
            throw Faults.failure(code, reason);
        };
    }

    private static Decision change(Target target, ObjectChange change, List<Finding> findings) {
        return new Decision.Change(target, change, "a", findings, Optional.empty());
    }

    private static ObjectChange node(boolean changes) {
        return ObjectChange.node(OBJECT, ExecutorFixture.NODE, nodeChange(changes));
    }

    private static ObjectChange homeNode() {
        return ObjectChange.homeNode(new ObjectCache<>(), ExecutorFixture.NODE, nodeChange(true), List.of());
    }

    private static NodeChange nodeChange(boolean changes) {
        return new NodeChange("n", "1", Optional.of(List.of(Taint.of("a", "", "NoSchedule"))).filter(taints -> changes),
                new TreeMap<>(), new TreeMap<>());
    }

    private static Target target(String group, String plural, String kind) {
        return new Target(new Resource(group, "v1beta2", plural, true),
                new Event.Regarding(group + "/v1beta2", kind, OBJECT, "uid", "1"), List.of(), false);
    }

    /** Each write of a status makes a version that the controller does not see. */
    private static final class Accepting implements Transport {
        private final AtomicInteger version = new AtomicInteger(1000);

        @Override
        public Response exchange(Request call) {
            int next = call.method().equals("PATCH") ? version.incrementAndGet() : 0;
            String answer = "{\"metadata\":{\"resourceVersion\":\"" + next + "\"}}";
            return new Response(200, Optional.empty(), new ByteArrayInputStream(answer.getBytes()));
        }

        @Override
        public void close() {}
    }
}
