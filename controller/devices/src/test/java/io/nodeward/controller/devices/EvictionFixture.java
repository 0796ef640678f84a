package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectChange.Preconditions;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.controller.SteppedLoop;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** The controllers of rules and pods as they are installed, over caches that tests fill. */
final class EvictionFixture implements AutoCloseable {
    static final String DRIVER = "gpu.example.com";
    private static final Duration SECOND = Duration.ofSeconds(1);

    final RuleFixture rule = new RuleFixture((change, manager, again) -> write(change));
    final DevicesFixture devices = rule.cluster;
    final DevicesConfig config = new DevicesConfig();
    final List<String> deleted = new ArrayList<>();
    /** Those that were looked at, as often as that was. */
    final List<String> asked = new ArrayList<>();
    final List<String> marked = new ArrayList<>();
    /** Why the server does not let pods go. */
    Optional<ApiFailure> refusal = Optional.empty();
    boolean refusesEvictionsAlone;
    /** What the server answers to the next deletions, which it does not make. */
    final Deque<Applied> answers = new ArrayDeque<>();
    /** Whether each deletion that was sent asks budgets. */
    final List<Boolean> asksBudgets = new ArrayList<>();
    /** How many pods more the budget of all pods lets go. */
    int disruptionsAllowed = Integer.MAX_VALUE;
    Evictions evictions;
    /** How many evictions the server answers with NotFound. */
    int missing;
    /** Whether a pod that is deleted stays until its kubelet has ended it. */
    boolean graceful;
    /** Called with the name of a pod before it is deleted. */
    Consumer<String> whileDeleted = pod -> {};
    /** Called when a pod's status is written. */
    Runnable whileMarked = () -> {};
    Runnable whileAsked = () -> {};
    /** Whether another process leads, which writes the status of the rule, and this one may write no pod. */
    boolean standsBy;
    private final Leadership leadership = Leadership.by(ObjectKey.clusterScoped("lease"), new Unanswered(), "host",
            rule.timers, rule.time, devices.registry);
    private Optional<SteppedLoop> rules = Optional.empty();
    private Optional<SteppedLoop> eviction = Optional.empty();

    /** The server of a process that does not contend. */
    private static final class Unanswered implements Transport {
        @Override
        public Response exchange(Request request) {
            throw new AssertionError(request);
        }

        @Override
        public void close() {}
    }

    /** Of a server that has no rules of its own, where rules evict all the same. */
    EvictionFixture() {
        config.evictUnenforced = true;
        devices.server.serveNone();
    }

    @Override
    public void close() {
        rule.close();
    }

    /** A process, in the place of the one before. */
    void start() {
        rules.ifPresent(SteppedLoop::retire);
        eviction.ifPresent(SteppedLoop::retire);
        DevicesModule module = new DevicesModule(config);
        evictions = module.evictions(devices.devices, devices.serverRules, rule.context, leadership);
        evictions.pending().whenDue(pods -> pods.forEach(pod -> asked.add(pod.name())));
        rules = Optional.of(new SteppedLoop((ReconcileLoop<?>) module.rules(
                devices.devices, devices.serverRules, evictions, devices.meters, rule.context)));
        eviction = Optional.of(new SteppedLoop(
                (ReconcileLoop<?>) module.eviction(devices.devices, evictions, rule.context)));
    }

    /** The process leads from now on. */
    void lead() {
        leadership.startsLeading();
        standsBy = false;
        leadership.startedLeading();
    }

    private Applied write(ObjectChange update) {
        if (standsBy) {
            leadership.check("PATCH");
        }
        if (update.objectKind().equals(ServerRules.kind("v1"))) {
            devices.server.write(update);
            return new Applied.Written();
        }
        switch (update.verb()) {
            case Verb.ApplyStatus status -> {
                assertThat(status.status().at("conditions").elements().getFirst().at("reason").string())
                        .isEqualTo("DeletionByDeviceTaintManager");
                marked.add(update.key().name());
                whileMarked.run();
            }
            case Verb.Delete delete -> {
                assertThat(update.preconditions()).isEqualTo(new Preconditions(
                        devices.caches.pods().get(update.key()).orElseThrow().metadata().uid(), ""));
                asksBudgets.add(delete.asksBudgets());
                whileAsked.run();
                if (!answers.isEmpty()) {
                    return answers.remove();
                }
                if (refusal.isPresent() && (delete.asksBudgets() || !refusesEvictionsAlone)) {
                    if (refusal.get() instanceof ApiFailure.Unreachable) { // as the writer does, for a deletion
                        return new Applied.Unanswered(refusal.get());
                    }
                    throw refusal.get();
                }
                if (delete.asksBudgets() && missing-- > 0) {
                    return new Applied.Gone();
                }
                if (delete.asksBudgets() && disruptionsAllowed-- <= 0) {
                    return new Applied.Unavailable("The disruption budget b needs 9 healthy pods and has 9 currently");
                }
                whileDeleted.accept(update.key().name());
                deleted.add(update.key().name());
                if (graceful) {
                    devices.pod(update.key().name(), "node-1", "Running", Map.of(), true);
                } else {
                    devices.caches.pods().remove(devices.caches.pods().get(update.key()).orElseThrow());
                }
            }
            case Verb.Apply apply -> edit(Map.of("taint",
                    Map.of("timeAdded", apply.content().at("spec").at("taint").at("timeAdded").string())));
            default -> throw new AssertionError(update);
        }
        return new Applied.Written();
    }

    void edit(Map<String, Object> spec) {
        rule.edit(spec);
    }

    void effect(String effect) {
        edit(Map.of("taint", Map.of("effect", effect)));
    }

    void declare(Map<String, Object> selector, String effect, int perSecond, Map<String, Object> more) {
        Map<String, Object> spec = new HashMap<>(Map.of("deviceSelector", selector, "taint", Map.of("key",
                "example.com/broken", "effect", effect, "evictionsPerSecond", perSecond, "timeAdded",
                "2026-01-01T00:00:00Z")));
        spec.putAll(more);
        rule.declare(spec);
    }

    void declare(String effect, int perSecond) {
        declare(Map.of("driver", DRIVER, "pool", "node-1"), effect, perSecond, Map.of());
    }

    /** Each with a device of its own. */
    void pods(int count) {
        pods(0, count);
    }

    /** Beside those that there are. */
    void pods(int from, int to) {
        devices.slice("s", DRIVER, "node-1", IntStream.range(0, to).mapToObj(i -> "d" + i + "=any")
                .toArray(String[]::new));
        for (int i = from; i < to; i++) {
            devices.claim("c" + i, DRIVER + "/node-1/d" + i, "p" + i);
            devices.pod("p" + i, "node-1");
        }
    }

    /** One, whose claim tolerates the taint for some time. */
    void tolerating(int seconds) {
        pods(1);
        devices.claim("c0", DRIVER + "/node-1/d0", Map.of("key", "example.com/broken", "operator", "Exists",
                "tolerationSeconds", seconds), "p0");
    }

    /** The rule is decided on, and no pod is looked at. */
    void decide() {
        do {
            rule.see();
            devices.settle();
        } while (rules.orElseThrow().runOnce());
    }

    void work() {
        do {
            decide();
        } while (eviction.orElseThrow().runOnce());
    }

    void pass(int seconds) {
        for (int tick = 0; tick < seconds * 10; tick++) {
            rule.time.pass(SECOND.dividedBy(10));
            work();
        }
    }

    /** Lets time pass, for so long at most, until so many deletions have been sent. */
    void untilAsked(int times, int seconds) {
        for (int tick = 0; tick < seconds * 10 && asksBudgets.size() < times; tick++) {
            rule.time.pass(SECOND.dividedBy(10));
            work();
        }
    }

    /** Returns the Events that the server got, as JSON. */
    List<String> events() {
        await().until(rule.events::isIdle);
        return rule.server.requests().stream().filter(request -> request.path().contains("/events"))
                .map(request -> request.body()).toList();
    }

    String progress(String field) {
        return rule.condition(TaintStatus.EVICTION, field);
    }
}
