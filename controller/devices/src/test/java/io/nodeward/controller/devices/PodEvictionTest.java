package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.device.TaintData;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Status;
import io.nodeward.core.rules.device.ServerRulePlan;
import io.nodeward.core.rules.device.TaintSource;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Target;
import io.nodeward.core.runtime.time.Pacer;
import io.nodeward.core.spi.ApiFailure;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One pod under two rules, of which the test says when they are in effect. */
class PodEvictionTest {
    private static final int DEVICES = 2;
    private static final Optional<ServerRulePlan> ENFORCED = Optional.of(
            new ServerRulePlan("", List.of(), List.of(), List.of(), name -> Optional.empty(), Instant.EPOCH));

    private final RuleFixture fixture = new RuleFixture((change, manager, again) -> write(change));
    private final DevicesFixture cluster = fixture.cluster;
    private final Pacer<String> pacer = new Pacer<>(fixture.time::nanoTime);
    /** How often a rule was compared with the server, which needs the time. */
    private final AtomicInteger compared = new AtomicInteger();
    private final Evictions evictions = cluster.evictions(pacer, fixture.time::nanoTime, () -> {
        compared.incrementAndGet();
        return fixture.time.instant();
    }, false);
    private final PodEviction eviction = new PodEviction(cluster.caches, evictions, fixture.context);
    private final List<String> written = new CopyOnWriteArrayList<>();
    /** How often the state of devices asked for the time, and how often it had until the last deletion. */
    private final AtomicInteger ticks = new AtomicInteger();
    private volatile int ticksUntilDeletion;
    private Runnable whileMarked = () -> {};
    private Consumer<ObjectChange> underWay = update -> {};
    private final Map<String, TaintSource> sources = new HashMap<>();

    PodEvictionTest() {
        cluster.server.serve();
        cluster.slice("s", "gpu.example.com", "node-1", "d0=any", "d1=any");
        for (int i = 0; i < DEVICES; i++) {
            cluster.claim("c" + i, "gpu.example.com/node-1/d" + i, "p");
        }
        cluster.pod("p", "node-1");
        fast(true);
        act("slow", new DeviceTaintSelector(Optional.empty(), Optional.of("gpu.example.com"), Optional.of("node-1"),
                Optional.empty(), List.of()), 1, false);
        act("fast", new DeviceTaintSelector(Optional.of("fast"), Optional.empty(), Optional.empty(), Optional.empty(),
                List.of()), 100, true);
        cluster.ticker = () -> {
            ticks.incrementAndGet();
            return 0;
        };
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /** @param burst whether it is left */
    private void act(String name, DeviceTaintSelector selector, int perSecond, boolean burst) {
        DeviceTaintRule spec = new DeviceTaintRule(Optional.of(selector),
                new RuleTaint("k", "", "NoExecute", Optional.of(Instant.EPOCH), TaintData.NONE, "", perSecond));
        CustomResource<DeviceTaintRule> shown = rule(name, spec, true, true);
        cluster.caches.rules().put(shown);
        cluster.settle();
        TaintSource source = cluster.source(name).orElseThrow();
        Target target = Target.of(DeviceTaintRule.DEFINITION, shown);
        Instant now = fixture.time.instant();
        while (cluster.serverRules
                .change(target, source, cluster.serverRules.plan(source, List.of(), now), List.of(), Optional.empty(),
                        now)
                .orElse(null) instanceof Decision.Change change) {
            cluster.server.write(change.change());
        }
        cluster.server.report(1);
        evictions.decide(cluster.devices.source(rule(name, spec, !burst, false), Set.of()).orElseThrow(), ENFORCED);
        evictions.decide(source, ENFORCED);
        sources.put(name, source);
    }

    private static CustomResource<DeviceTaintRule> rule(
            String name, DeviceTaintRule spec, boolean begun, boolean shown) {
        Metadata metadata = new Metadata(
                ObjectKey.clusterScoped(name), "uid-" + name, "1", Map.of(), Map.of(), List.of(), false);
        return new CustomResource<>(metadata, 1, spec, shown ? List.of(new Condition(TaintStatus.EVICTION,
                Condition.TRUE, "PodsPendingEviction", "", Instant.EPOCH, 1)) : List.of(),
                begun ? "{\"" + TaintStatus.BEGAN + "\":true}" : "{}");
    }

    /** Whether the faster rule selects the devices. */
    private void fast(boolean selects) {
        cluster.deviceClass("fast", Boolean.toString(selects));
    }

    /** Begins to count how often rules are asked and compared. */
    private void count() {
        compared.set(0);
        ticks.set(0);
    }

    /** Returns how often the state of devices was asked until the last deletion. */
    private int asked() {
        Runnable ask = () -> cluster.devices.selected(sources.get("slow").object(), Set.of());
        ask.run(); // which also hears of the deletion
        int begin = ticks.get();
        ask.run();
        return ticksUntilDeletion / (ticks.get() - begin);
    }

    private Applied write(ObjectChange update) {
        try {
            underWay.accept(update);
        } catch (ApiFailure.NotFound missing) { // as the writer does, for a deletion
            return new Applied.Gone();
        } catch (ApiFailure.Unreachable lost) {
            return new Applied.Unanswered(lost);
        }
        if (update.verb() instanceof Verb.ApplyStatus) {
            written.add("mark");
            whileMarked.run();
        } else {
            written.add("delete");
            ticksUntilDeletion = ticks.get();
            cluster.caches.pods().remove(cluster.caches.pods().get(update.key()).orElseThrow());
        }
        return new Applied.Written();
    }

    /** Returns for how long it waits. */
    private Duration look() {
        return eviction.apply(new ObjectKey("ns", "p")) instanceof Result.RequeueAfter(Duration time, String why)
                ? time : Duration.ZERO;
    }

    @Test
    void a_rule_that_is_not_in_effect_gives_no_token() {
        fast(false);
        assertThat(look()).isEqualTo(Duration.ofSeconds(1));
        assertThat(written).isEmpty();
        fast(true);
        assertThat(look()).as("by the faster").isZero();
        assertThat(written).containsExactly("mark", "delete");
    }

    @Test
    void a_pod_waits_for_the_rule_that_is_in_effect() {
        fast(false);
        look();
        fixture.time.pass(Duration.ofSeconds(1));
        assertThat(look()).isZero();
        assertThat(written).containsExactly("mark", "delete");
    }

    /** So that it need not wait for the pace of the slower when the faster is in effect again. */
    @Test
    void a_pod_asks_again_soon_while_one_of_its_rules_is_not_in_effect() {
        for (String other : List.of("q", "r", "s")) {
            cluster.claim("of-" + other, "gpu.example.com/node-1/d0", other);
            cluster.pod(other, "node-1");
            fast(false);
            eviction.apply(new ObjectKey("ns", other));
        }
        assertThat(look()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void a_token_of_a_rule_that_is_not_in_effect_any_more_lets_nobody_go_for_another() {
        whileMarked = () -> fast(false);
        assertThat(look()).isEqualTo(Duration.ofSeconds(1));
        assertThat(written).containsExactly("mark");
        assertThat(look()).isEqualTo(Duration.ofSeconds(1));
        fixture.time.pass(Duration.ofSeconds(1));
        assertThat(look()).isZero();
        assertThat(written).containsExactly("mark", "mark", "delete");
    }

    /** Of eight pods, three deletions are sent when the rule is deleted, and five pods are marked. */
    @Test
    void when_a_rule_is_deleted_no_more_pods_go_than_those_whose_deletion_was_sent() throws InterruptedException {
        CountDownLatch here = new CountDownLatch(8);
        CountDownLatch on = new CountDownLatch(1);
        underWay = update -> {
            boolean first = update.key().name().compareTo("q3") < 0;
            if (update.verb() instanceof Verb.ApplyStatus != first) {
                here.countDown();
                assertThatCode(on::await).doesNotThrowAnyException();
            }
        };
        List<Thread> lanes = IntStream.range(0, 8).mapToObj(i -> "q" + i).map(pod -> {
            cluster.claim("of-" + pod, "gpu.example.com/node-1/d0", pod);
            cluster.pod(pod, "node-1");
            return Thread.ofVirtual().start(() -> eviction.apply(new ObjectKey("ns", pod)));
        }).toList();
        here.await();
        List.of("slow", "fast").forEach(rule -> DevicesFixture.remove(cluster.caches.rules(), "", rule));
        on.countDown();
        for (Thread lane : lanes) {
            lane.join();
        }
        assertThat(written).filteredOn("delete"::equals).hasSize(3);
        assertThat(written).filteredOn("mark"::equals).hasSize(8);
    }

    @Test
    void who_is_refused_leaves_its_turn_to_others() {
        look();
        assertThat(written).containsExactly("mark", "delete");
        cluster.pod("p", "node-1");
        underWay = update -> {
            throw ApiFailure.of(new Status(422, "Invalid", "not now", 0), "DELETE p", Optional.empty());
        };
        assertThatThrownBy(this::look).isInstanceOf(ApiFailure.Rejected.class);
        assertThat(pacer.waiting()).isOne();
        eviction.refused(new ObjectKey("ns", "p"), new Blocked("Refused", "not now"));
        assertThat(pacer.waiting()).isZero();
    }

    /** Whatever the number of its devices and rules. */
    @Test
    void for_each_pod_its_status_an_event_and_its_deletion_are_sent() {
        look();
        assertThat(written).containsExactly("mark", "delete");
        await().until(fixture.events::isIdle);
        assertThat(fixture.server.requests()).singleElement()
                .satisfies(request -> assertThat(request.path()).endsWith("/events"));
    }

    /** Returns for what a pod waits that uses a device of the claim. */
    private String waits(String pod, String claim) {
        cluster.claim(claim, "gpu.example.com/node-1/d0", pod);
        cluster.pod(pod, "node-1");
        return eviction.apply(new ObjectKey("ns", pod)) instanceof Result.RequeueAfter(Duration time, String why)
                ? why : "";
    }

    private String message() {
        return evictions.decide(sources.get("slow"), ENFORCED).message();
    }

    /** The pod may be gone. */
    @Test
    void a_deletion_whose_reply_is_lost_costs_the_token_and_counts_nothing() {
        evictions.forget(sources.get("fast").key());
        look();
        fixture.time.pass(Duration.ofSeconds(1));
        underWay = update -> {
            if (update.verb() instanceof Verb.Delete) {
                throw ApiFailure.unreachable("DELETE p", "connection reset", new IOException("reset"));
            }
        };
        assertThatThrownBy(this::look).isInstanceOf(ApiFailure.Unreachable.class);
        underWay = update -> {};
        assertThat(waits("q", "of-q")).isEqualTo("evictionsPerSecond");
        assertThat(message()).doesNotContain("evicted since");
        assertThat(waits("r", "c0")).as("no back-off").isEqualTo("evictionsPerSecond");
        cluster.claim("c0", "gpu.example.com/node-1/d0", "p");
        assertThat(look()).as("with its own token, as no other pod has gone").isZero();
        assertThat(written).containsExactly("mark", "mark", "delete");
        assertThat(message()).contains("1 pod evicted since");
        assertThat(waits("r", "c0")).isEqualTo("the back-off of its claim");
    }

    private void failDeletions(int code, String reason) {
        underWay = update -> {
            if (update.verb() instanceof Verb.Delete) {
                throw ApiFailure.of(new Status(code, reason, "not now", 0), "DELETE p", Optional.empty());
            }
        };
    }

    /** A policy that refuses all pods gets no more requests than one that lets them go. */
    @Test
    void a_deletion_that_is_refused_costs_the_token_and_counts_nothing() {
        evictions.forget(sources.get("fast").key());
        look();
        fixture.time.pass(Duration.ofSeconds(1));
        failDeletions(422, "Invalid");
        assertThatThrownBy(this::look).isInstanceOf(ApiFailure.Rejected.class);
        assertThat(written).containsExactly("mark");
        eviction.refused(new ObjectKey("ns", "p"), new Blocked("Refused", "not now"));
        assertThat(waits("q", "of-q")).isEqualTo("evictionsPerSecond");
        assertThat(message()).doesNotContain("evicted since").contains("the server does not let 1 go");
    }

    /** Another pod may not go in its place before its time; the pod itself need not wait again. */
    @ParameterizedTest
    @CsvSource({"409, Conflict", "429, TooManyRequests", "503, ServiceUnavailable"})
    void a_deletion_that_fails_costs_one_token_and_counts_nothing(int code, String reason) {
        evictions.forget(sources.get("fast").key());
        look();
        fixture.time.pass(Duration.ofSeconds(1));
        failDeletions(code, reason);
        assertThatThrownBy(this::look).isInstanceOf(ApiFailure.class);
        assertThat(written).containsExactly("mark");
        assertThat(waits("q", "of-q")).isEqualTo("evictionsPerSecond");
        assertThat(message()).doesNotContain("evicted since");
        underWay = update -> {};
        assertThat(look()).as("with its own token, as no other pod has gone").isZero();
        assertThat(written).containsExactly("mark", "mark", "delete");
        assertThat(message()).contains("1 pod evicted since");
    }

    @Test
    void a_pod_that_is_gone_when_it_is_deleted_costs_the_token_and_counts_nothing() {
        evictions.forget(sources.get("fast").key());
        look();
        fixture.time.pass(Duration.ofSeconds(1));
        failDeletions(404, "NotFound");
        assertThat(look()).isZero();
        assertThat(written).containsExactly("mark");
        assertThat(waits("q", "of-q")).isEqualTo("evictionsPerSecond");
        assertThat(waits("r", "c0")).as("no back-off").isEqualTo("evictionsPerSecond");
        assertThat(message()).doesNotContain("evicted since");
    }

    @Test
    void each_rule_is_asked_once_before_the_token_and_once_before_the_deletion() {
        count();
        look();
        assertThat(written).containsExactly("mark", "delete");
        assertThat(compared).hasValue(2 * 2);
        assertThat(asked()).isEqualTo(2 * 2);
    }

    /** What a rule wants of the scheduler may be of thousands of devices. */
    @Test
    void a_rule_that_selects_no_device_of_the_pod_is_not_compared_with_the_server() {
        fast(false);
        look();
        fixture.time.pass(Duration.ofSeconds(1));
        count();
        look();
        assertThat(written).containsExactly("mark", "delete");
        assertThat(asked()).as("both, and the slow rule again before the deletion").isEqualTo(2 + 1);
        assertThat(compared).as("the slow rule alone").hasValue(2);
    }
}
