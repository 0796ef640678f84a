package io.nodeward.controller.dedicated;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Status;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.dedicated.PodFeatures;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.controller.SteppedLoop;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.simulation.RecordedRequests;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.webhook.AdmissionProbe;
import io.nodeward.core.runtime.time.Pacer;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import io.nodeward.core.testkit.ManualTime;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the controllers of groups and Nodes send about groups, whatever becomes of their Nodes. */
class GroupRequestsTest {
    private static final Duration LASTING = Duration.ofSeconds(31);
    private static final Duration LONG = Duration.ofMinutes(15);

    private final DedicatedFixture cluster = new DedicatedFixture(6);
    private final DedicatedWatches watches = new DedicatedWatches(cluster.scope);
    private final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    private final RecordedRequests requests = new RecordedRequests(new Accepting());
    private final ApiServer server = new ApiServer(requests);
    private final ControllerContext context = new ControllerContext((change, manager, again) -> write(change),
            new Conditions(server, Duration.ofSeconds(30), time, time::nanoTime, true),
            new EventRecorder(server, time, timers, true, cluster.registry), time, timers, cluster.registry, "",
            false);
    private final AtomicInteger version = new AtomicInteger(5000);
    private final Pacer<ObjectKey> pacer = new Pacer<>(time::nanoTime);
    private final DedicatedModule module = new DedicatedModule(new DedicatedConfig(), PodFeatures.NONE);
    private final NodeReleases releases = module.releases(cluster.scope, context, Leadership.UNCONTESTED);
    private final SteppedLoop groups = new SteppedLoop((ReconcileLoop<?>) module.groups(
            cluster.scope, watches, cluster.exchange, pacer, releases, cluster.evictions,
            new AdmissionProbe(time::nanoTime),
            context));
    private final SteppedLoop nodes = new SteppedLoop((ReconcileLoop<?>) module.nodes(
            cluster.scope, watches, cluster.exchange, pacer, releases, context));
    private final SteppedLoop state = new SteppedLoop((ReconcileLoop<?>) module.work(cluster.scope, context));
    /** Why writes of Nodes fail. */
    private Optional<Supplier<ApiFailure>> failure = Optional.empty();

    @AfterEach
    void stop() {
        context.events().close();
        timers.close();
    }

    @Test
    void all_that_may_become_of_groups() {
        cluster.node("n", Map.of());
        declare("g", "n", "Audit");
        step("a group that only previews", LASTING);
        declare("g", "n", "Enforce");
        step("it is enforced", LASTING);
        fail("refused", () -> failure(422, "Invalid"));
        fail("a right is missing", () -> failure(403, "Forbidden"));
        fail("somebody is always quicker", () -> failure(409, "Conflict"));
        fail("throttled", () -> failure(429, "TooManyRequests"));
        fail("no answer", () -> ApiFailure.unreachable("PATCH x", "of the test", new IOException()));
        undo();
        cluster.node("theirs", Map.of("node-restriction.kubernetes.io/dedicated", "theirs"));
        declare("h", "theirs", "Enforce");
        step("something else manages a label", LASTING);
        declare("h", "n", "Enforce");
        step("another group has the Node", LASTING);
        cluster.groups.remove(cluster.groups.get(ObjectKey.clusterScoped("h")).orElseThrow());
        step("it is deleted", LASTING);
        cluster.nodes.remove(cluster.node("n"));
        step("the Node leaves", LASTING);
        cluster.groups.remove(cluster.groups.get(ObjectKey.clusterScoped("g")).orElseThrow());
        step("the group is deleted", LASTING);
        requests.assertRecorded(getClass(), "groups");
    }

    private void fail(String text, Supplier<ApiFailure> why) {
        failure = Optional.of(why);
        wipe();
        step(text, LONG);
        step("still so", LONG);
        failure = Optional.empty();
        step("not any more", LONG);
        step("and the group has been looked at", LONG);
    }

    private void undo() {
        for (int writes = 0; writes < 20; writes++) {
            wipe();
            step("somebody takes the taints off", Duration.ZERO);
        }
        wipe();
        step("and again", LASTING);
        step("and stops", LONG);
        step("it lasts", LONG);
    }

    /** Somebody takes off what is there. */
    private void wipe() {
        Node node = cluster.node("n");
        cluster.nodes.put(new Node(node.metadata(), "", List.of())
                .withResourceVersion(Integer.toString(version.incrementAndGet())));
    }

    private void declare(String name, String node, String enforcement) {
        cluster.declare(name, Map.of("nodes", Map.of("names", List.of(node)), "who",
                Map.of("namespaces", List.of("banana"))), enforcement, "NoSchedule");
        cluster.reconcileGroup(name);
    }

    private void step(String text, Duration length) {
        drain();
        time.pass(length);
        drain();
        requests.step(text, context.events());
    }

    private void drain() {
        for (int steps = 0; groups.runOnce() | nodes.runOnce() | state.runOnce(); steps++) {
            if (steps == 100_000) {
                throw new AssertionError("it does not come to rest");
            }
        }
    }

    private Applied write(ObjectChange change) {
        if (failure.isPresent()) {
            throw failure.get().get();
        }
        Verb.PatchNode update = (Verb.PatchNode) change.verb();
        Node after = update.change().applyTo(update.before(), Integer.toString(version.incrementAndGet()));
        cluster.nodes.recordOwnWrite(update.before(), after, after);
        return new Applied.Written();
    }

    private static ApiFailure failure(int code, String reason) {
        return ApiFailure.of(new Status(code, reason, "why", 0), "PATCH x", Optional.empty());
    }

    /** Each write of a status makes a version that the controller does not see. */
    private static final class Accepting implements Transport {
        private final AtomicInteger version = new AtomicInteger(100_000);

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
