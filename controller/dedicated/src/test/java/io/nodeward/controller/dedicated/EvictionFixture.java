package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Status;
import io.nodeward.core.rules.dedicated.PodFeatures;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectChange.Preconditions;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.controller.SteppedLoop;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.status.ObjectStatus;
import io.nodeward.core.runtime.status.StatusDetails;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

/** The group g, which respects budgets, its Node n, and the server of which tests ask how it evicts pods. */
abstract class EvictionFixture {
    static final ObjectKey GROUP = ObjectKey.clusterScoped("g");

    final DedicatedFixture cluster = new DedicatedFixture(6, new PodFeatures(false, false, true));
    final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    int version = 1000;
    private final ApiServer server = new ApiServer(new Accepting());
    final ControllerContext context = new ControllerContext((change, manager, again) -> write(change),
            new Conditions(server, Duration.ofSeconds(30), time, time::nanoTime, true),
            new EventRecorder(server, time, timers, true, cluster.registry), time, timers, cluster.registry, "",
            false);
    final ObjectStatus<ObjectKey> status =
            context.readyStatus(DedicatedNodes.DEFINITION, DedicatedModule.NAME, GroupStatus.PARTS);
    /** The loops of the process, besides those that a test steps by itself. */
    final List<SteppedLoop> loops = new ArrayList<>(List.of(new SteppedLoop((ReconcileLoop<?>) new PodEvictionModule(
            new DedicatedConfig()).eviction(cluster.scope, cluster.evictions, context))));
    /** The bodies of the statuses that were written. */
    final List<String> statuses = new ArrayList<>();
    /** Whether each request that was sent asks budgets. */
    final List<Boolean> asksBudgets = new ArrayList<>();
    final List<String> gone = new ArrayList<>();
    Optional<Instant> shown = Optional.empty();
    int disruptionsAllowed = Integer.MAX_VALUE;
    /** Whether the next pod goes without an answer. */
    boolean losesReply;
    boolean refusesStatus;
    Runnable whileAsked = () -> {};
    Optional<ApiFailure> refusal = Optional.empty();

    @AfterEach
    void stop() {
        context.events().close();
        timers.close();
    }

    Applied write(ObjectChange change) {
        CandidatePod pod = cluster.pods.get(change.key()).orElseThrow();
        assertThat(change.preconditions()).isEqualTo(new Preconditions(pod.metadata().uid(), ""));
        boolean asks = ((Verb.Delete) change.verb()).asksBudgets();
        asksBudgets.add(asks);
        refusal.ifPresent(failure -> {
            throw failure;
        });
        whileAsked.run();
        if (asks && disruptionsAllowed-- <= 0) {
            return new Applied.Unavailable("The disruption budget b needs 9 healthy pods and has 9 currently");
        }
        gone.add(pod.key().name());
        cluster.pods.remove(pod);
        if (losesReply) {
            losesReply = false;
            return new Applied.Unanswered(
                    ApiFailure.unreachable("POST " + pod.key(), "reset", new IOException("reset")));
        }
        return new Applied.Written();
    }

    void pods(int count) {
        cluster.node("n", Map.of("pool", "g"));
        for (int i = 0; i < count; i++) {
            cluster.pod("cherry", "p" + i, "n");
        }
    }

    /** Declares what is in force already, and decides on it. */
    void declare(int confirmed, Map<String, Object> more) {
        Map<String, Object> whole = new HashMap<>(DedicatedFixture.with(DedicatedFixture.pool("g"), confirmed));
        whole.put("taint", Map.of("key", "dedicated", "value", "g", "effects", List.of("NoSchedule", "NoExecute")));
        whole.put("enforcement", "Enforce");
        whole.putAll(more);
        DedicatedNodesSpec spec = DedicatedNodesSpec.of(Tree.of(whole));
        put(new DedicatedNodes(spec, Optional.of(spec)), ++version);
        cluster.ofGroups.reconcile(GROUP);
        cluster.reconcileNode("n");
    }

    void put(DedicatedNodes spec, int generation) {
        cluster.groups.put(new CustomResource<>(new Metadata(GROUP, "uid-g", Integer.toString(++version), Map.of(),
                Map.of(), List.of(), false), generation, spec,
                shown.stream().map(since -> new Condition(
                        "EvictionInProgress", Condition.TRUE, "PodsPendingEviction", "", since, generation)).toList()));
    }

    /** The watch brings the status, and the group is decided on again. */
    StatusDetails show() {
        see();
        return GroupReconcilerTest.shown(cluster.ofGroups.reconcile(GROUP));
    }

    /** The watch brings the status. */
    void see() {
        shown = shown.or(() -> Optional.of(time.instant()));
        CustomResource<DedicatedNodes> group = cluster.groups.get(GROUP).orElseThrow();
        put(group.spec(), (int) group.generation());
    }

    void pass(Duration length) {
        for (Duration left = length; left.isPositive(); left = left.minusMillis(50)) {
            cluster.pass(Duration.ofMillis(50));
            time.pass(Duration.ofMillis(50));
            drain();
        }
    }

    void drain() {
        while (loops.stream().anyMatch(SteppedLoop::runOnce)) {
            Thread.onSpinWait();
        }
    }

    StatusDetails.Text progress() {
        return GroupReconcilerTest.shown(cluster.ofGroups.reconcile(GROUP)).conditions().get("EvictionInProgress");
    }

    void put(String name, String uid, List<Map<String, Object>> tolerations) {
        cluster.pods.put(CandidatePod.of(new Metadata(new ObjectKey("cherry", name), uid, Integer.toString(++version),
                Map.of(), Map.of(), List.of(), false),
                Tree.of(Map.of("nodeName", "n", "tolerations", tolerations)), Tree.of(Map.of("phase", "Running"))));
    }

    int askedInVain() {
        pods(2);
        disruptionsAllowed = 0;
        declare(2, Map.of("eviction", "Respect"));
        show();
        pass(Duration.ofSeconds(1));
        assertThat(asksBudgets).hasSize(2);
        disruptionsAllowed = 2;
        return asksBudgets.size();
    }

    /** A server that takes all Events and each status. */
    private final class Accepting implements Transport {
        @Override
        public Response exchange(Request call) {
            boolean isStatus = call.path().contains("/status?");
            call.body().filter(any -> isStatus).map(String::new).ifPresent(statuses::add);
            if (refusesStatus && isStatus) {
                return new Response(409, Optional.empty(), new ByteArrayInputStream(
                        "{\"kind\":\"Status\",\"reason\":\"Conflict\",\"code\":409}".getBytes()));
            }
            return new Response(200, Optional.empty(), new ByteArrayInputStream(
                    "{\"metadata\":{\"name\":\"g\",\"resourceVersion\":\"%d\"}}".formatted(++version).getBytes()));
        }

        @Override
        public void close() {}
    }
}
