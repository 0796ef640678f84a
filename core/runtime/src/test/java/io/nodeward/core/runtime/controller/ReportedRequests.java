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
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.status.OwnerPolicy;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;

/** Decides as a test wants, on a way to report statuses, and records what is sent for that. */
abstract class ReportedRequests {
    static final Duration AFTER = Duration.ofSeconds(30);
    static final ObjectKey OBJECT = new ObjectKey("ns", "x");
    static final ObjectKey OWNER = new ObjectKey("ns", "");
    static final ObjectKey MEMBER = new ObjectKey("ns", "a");
    static final ObjectKey OTHER = new ObjectKey("ns", "b");
    static final Blocked BY = new Blocked("NodeNotJoined", "no Node");
    static final List<Finding> FINDINGS = List.of(new Finding("ReservedTaint", "left out", true, true),
            new Finding("TaintRepaired", "repaired", false, false));
    static final CustomResourceDefinition QUOTA =
            new CustomResourceDefinition("example.com", "v1beta2", "Quota", "quotas", true);
    private static final ObjectWriter MADE = (change, manager, again) -> new Applied.Written();

    final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final RecordedRequests requests = new RecordedRequests(new Accepting());
    private final ApiServer server = new ApiServer(requests);
    private final EventRecorder events = new EventRecorder(server, time, timers, true, registry);
    final ControllerContext context = new ControllerContext(
            (change, manager, again) -> this.writer.apply(change, manager, again),
            new Conditions(server, AFTER, time, time::nanoTime, true), events, time, timers, registry, "", false);
    private final Set<String> changed = new TreeSet<>();
    private ObjectWriter writer = MADE;
    private Decision decision = new Decision.Waiting("nothing");
    private Optional<DecisionExecutor<ObjectKey>> executor = Optional.empty();
    /** Of members; empty if keys have none. */
    Optional<Decision.Summary> summary = Optional.empty();

    @AfterEach
    void close() {
        events.close();
        timers.close();
    }

    OwnerStatus<ObjectKey> pools() {
        return context.ownerStatus(OwnerPolicy.atOnce("test", key -> OWNER, ObjectKey::name));
    }

    OwnerStatus<ObjectKey> sets() {
        return context.ownerStatus(OwnerPolicy.lasting("test", owner -> OWNER, ObjectKey::name,
                (names, others, first) -> names + (others ? " and others" : "") + ": " + first),
                "example.com/Blocked");
    }

    void start(StatusReporter<ObjectKey> status) {
        status.whenChanged(key -> changed.add(key.toString()));
        executor = Optional.of(new DecisionExecutor<>(
                key -> decision, context.writer(), status, "test", WriteLimits.DEFAULT, time::nanoTime));
    }

    /** Another client undoes the change so often that it is held back. */
    void undo(Decision change) {
        for (int writes = 0; writes < 19; writes++) {
            decide(MEMBER, change, true);
        }
        step("somebody keeps undoing it", MEMBER, change);
        decide(MEMBER, change, true);
        step("and once more", MEMBER, change);
    }

    void fail(String text, Decision decided, ObjectWriter answer) {
        writer = answer;
        step(text, MEMBER, decided, false);
        writer = MADE;
    }

    void step(String text, ObjectKey key, Decision decided) {
        step(text, key, decided, true);
    }

    /** Decides so now, and again once it has lasted. */
    void step(String text, ObjectKey key, Decision decided, boolean exactly) {
        once(text, key, decided, exactly);
        time.pass(AFTER);
        once(text + ", and still so", key, decided, exactly);
    }

    void once(String text, ObjectKey key, Decision decided, boolean exactly) {
        List<String> results = new ArrayList<>(List.of(text, decide(key, decided, exactly), "changed " + changed));
        changed.clear();
        summary.ifPresent(all -> results.add(decide(OWNER, all, true)));
        requests.step(String.join("\n  = ", results), events);
    }

    /** @param exactly false where pauses are jittered */
    String decide(ObjectKey key, Decision decided, boolean exactly) {
        decision = decided;
        try {
            Result result = executor.orElseThrow().apply(key);
            return exactly || !(result instanceof Result.RequeueAfter again) ? result.toString() : again.reason();
        } catch (ApiFailure failure) {
            return failure.getClass().getSimpleName();
        }
    }

    static ObjectWriter failing(int code, String reason) {
        return (change, manager, again) -> {
            throw Faults.failure(code, reason);
        };
    }

    static Decision change(Target target, ObjectChange change, List<Finding> findings) {
        return new Decision.Change(target, change, "a", findings, Optional.empty());
    }

    static ObjectChange node(boolean changes) {
        return ObjectChange.node(OBJECT, ExecutorFixture.NODE, nodeChange(changes));
    }

    static ObjectChange homeNode() {
        return ObjectChange.homeNode(new ObjectCache<>(), ExecutorFixture.NODE, nodeChange(true), List.of());
    }

    private static NodeChange nodeChange(boolean changes) {
        return new NodeChange("n", "1", Optional.of(List.of(Taint.of("a", "", "NoSchedule"))).filter(taints -> changes),
                new TreeMap<>(), new TreeMap<>());
    }

    static Target target(String group, String plural, String kind) {
        return target(group, plural, kind, OBJECT);
    }

    static Target target(String group, String plural, String kind, ObjectKey key) {
        return new Target(new Resource(group, "v1beta2", plural, true),
                new Event.Regarding(group + "/v1beta2", kind, key, "uid", "1"), List.of(), false);
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
