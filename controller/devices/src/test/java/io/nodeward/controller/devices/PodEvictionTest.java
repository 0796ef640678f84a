package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.runtime.cluster.ClusterSettings;
import io.nodeward.core.runtime.cluster.ConnectionFactory;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectUpdate;
import io.nodeward.core.runtime.controller.ObjectUpdate.Preconditions;
import io.nodeward.core.runtime.controller.ObjectUpdate.Verb;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.controller.SteppedLoop;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.testkit.ManualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The controllers of rules and pods as they are installed, over caches that tests fill. */
class PodEvictionTest {
    private static final String RULES = DeviceTaintRule.DEFINITION.plural();
    private static final String DRIVER = "gpu.example.com";
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final FakeApiServer server = FakeApiServer.start(Options.defaults().withKind(
            Kind.custom("nodeward.io", List.of("v1alpha1"), RULES, "DeviceTaintRule").clusterScoped()
                    .withPlaces("status.conditions[type]")));
    private final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    private final ApiServer api = new ConnectionFactory(new Fabric8Backend(), ClusterSettings.DEFAULT, timers,
            new SimpleMeterRegistry(), "test").management(server.kubeconfig(), Optional.empty());
    private final DevicesFixture cluster = DevicesFixture.started();
    private final EventRecorder events = new EventRecorder(api, time, timers, true, cluster.registry);
    private final ControllerContext context = new ControllerContext((change, manager, again) -> write(change),
            new Conditions(api, Duration.ofSeconds(30), time, time::nanoTime, true), events, time, timers,
            cluster.registry, "", false);
    private final DevicesConfig config = new DevicesConfig();
    private final List<String> deleted = new ArrayList<>();
    private final List<String> marked = new ArrayList<>();
    /** Called when a pod's status is written. */
    private Runnable whileMarked = () -> {};
    private Optional<SteppedLoop> rules = Optional.empty();
    private Optional<SteppedLoop> eviction = Optional.empty();

    PodEvictionTest() {
        config.evictUnenforced = true;
    }

    @AfterEach
    void stop() {
        events.close();
        api.close();
        timers.close();
        server.close();
    }

    private void start() {
        rules.ifPresent(SteppedLoop::retire);
        eviction.ifPresent(SteppedLoop::retire);
        DevicesModule module = new DevicesModule(config);
        RuleEvictions evictions = module.evictions(cluster.scope, context);
        rules = Optional.of(new SteppedLoop((ReconcileLoop<?>) module.rules(
                cluster.scope, new ServerRules(Map.of(), 0), evictions, context)));
        eviction = Optional.of(new SteppedLoop((ReconcileLoop<?>) module.eviction(evictions, context)));
    }

    private Applied write(ObjectChange change) {
        ObjectUpdate update = (ObjectUpdate) change;
        switch (update.verb()) {
            case Verb.ApplyStatus status -> {
                assertThat(status.status().at("conditions").elements().getFirst().at("reason").string())
                        .isEqualTo("DeletionByDeviceTaintManager");
                marked.add(update.key().name());
                whileMarked.run();
            }
            case Verb.Delete delete -> {
                assertThat(update.preconditions()).isEqualTo(new Preconditions("uid-" + update.key(), ""));
                deleted.add(update.key().name());
                cluster.caches.pods().remove(cluster.caches.pods().get(update.key()).orElseThrow());
            }
            case Verb.Apply apply -> {
                patch(apply.content().at("spec").at("taint").at("timeAdded").string());
            }
            default -> throw new AssertionError(update);
        }
        return new Applied.Written();
    }

    private void patch(String timeAdded) {
        edit(Map.of("taint", Map.of("timeAdded", timeAdded)));
    }

    private void edit(Map<String, Object> spec) {
        server.mergePatch(RULES, "", "r", MAPPER.valueToTree(Map.of("spec", spec)));
        see();
    }

    private void rule(Map<String, Object> selector, String effect, int perSecond, Map<String, Object> more) {
        Map<String, Object> spec = new HashMap<>(Map.of("deviceSelector", selector, "taint", Map.of("key",
                "example.com/broken", "effect", effect, "evictionsPerSecond", perSecond, "timeAdded",
                "2026-01-01T00:00:00Z")));
        spec.putAll(more);
        server.create(RULES, MAPPER.valueToTree(Map.of("metadata", Map.of("name", "r"), "spec", spec)));
        see();
    }

    private void rule(int perSecond) {
        rule(Map.of("driver", DRIVER), "NoExecute", perSecond, Map.of());
    }

    private void deleteRule() {
        server.delete(RULES, "", "r");
        DevicesFixture.remove(cluster.caches.rules(), "", "r");
    }

    /** Each with a device of its own. */
    private void pods(int count) {
        cluster.slice("s", DRIVER, "node-1", IntStream.range(0, count).mapToObj(i -> "d" + i + "=any")
                .toArray(String[]::new));
        for (int i = 0; i < count; i++) {
            cluster.claim("c" + i, DRIVER + "/node-1/d" + i, "p" + i);
            cluster.pod("p" + i, "node-1");
        }
    }

    private void see() {
        server.get(RULES, "", "r").ifPresent(found -> {
            try {
                cluster.caches.rules().put(DeviceTaintRule.PROJECTION.read(MAPPER.writeValueAsBytes(found)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private void work() {
        boolean more = true;
        while (more) {
            cluster.settle();
            more = rules.orElseThrow().runOnce();
            more |= eviction.orElseThrow().runOnce();
            see();
        }
    }

    private void pass(int seconds) {
        for (int tick = 0; tick < seconds * 10; tick++) {
            time.pass(SECOND.dividedBy(10));
            work();
        }
    }

    private String progress(String field) {
        return condition(EvictionProgress.CONDITION, field);
    }

    private String condition(String type, String field) {
        JsonNode stored = server.get(RULES, "", "r").orElseThrow();
        return stored.at("/status/conditions").valueStream()
                .filter(condition -> condition.path("type").asText().equals(type)).findFirst()
                .map(condition -> condition.path(field).asText()).orElse("");
    }

    @Test
    void ten_go_at_once_and_then_as_many_as_the_rule_allows() {
        pods(30);
        start();
        rule(2);
        work();
        assertThat(deleted).hasSize(10);
        assertThat(marked).isEqualTo(deleted);
        pass(5);
        assertThat(deleted).hasSize(20);
        assertThat(progress("status")).isEqualTo("True");
        pass(4);
        assertThat(deleted).hasSize(28);
        pass(2);
        assertThat(deleted).hasSize(30).doesNotHaveDuplicates();
        pass(1);
        assertThat(progress("status")).as("no pause holds it up").isEqualTo("False");
        assertThat(progress("message")).isEqualTo("30 pods evicted since the controller started");
    }

    @Test
    void another_rate_acts_at_once() {
        pods(60);
        start();
        rule(1);
        work();
        pass(2);
        assertThat(deleted).hasSize(12);
        edit(Map.of("taint", Map.of("evictionsPerSecond", 20)));
        pass(2);
        assertThat(deleted).hasSizeBetween(45, 60);
        pass(1);
        assertThat(deleted).hasSize(60);
    }

    @Test
    void a_rule_that_is_deleted_or_whose_effect_is_lowered_evicts_nobody_more() {
        pods(30);
        start();
        rule(1);
        work();
        edit(Map.of("taint", Map.of("effect", "NoSchedule")));
        pass(30);
        assertThat(deleted).hasSize(10);
        assertThat(progress("reason")).isEqualTo("OtherEffect");
        edit(Map.of("taint", Map.of("effect", "NoExecute")));
        pass(3);
        assertThat(deleted).as("with the tokens of thirty seconds").hasSizeGreaterThan(19);
        int before = deleted.size();
        deleteRule();
        pass(30);
        assertThat(deleted).hasSize(before);
    }

    @Test
    void a_rule_that_is_deleted_while_the_server_answers_evicts_nobody() {
        pods(1);
        start();
        rule(1);
        whileMarked = this::deleteRule;
        work();
        assertThat(marked).hasSize(1);
        assertThat(deleted).isEmpty();
    }

    @Test
    void a_rule_whose_effect_is_lowered_while_the_server_answers_evicts_nobody() {
        pods(1);
        start();
        rule(1);
        whileMarked = () -> edit(Map.of("taint", Map.of("effect", "NoSchedule")));
        work();
        assertThat(marked).hasSize(1);
        assertThat(deleted).isEmpty();
    }

    @Test
    void a_process_that_comes_after_another_has_no_burst() {
        pods(30);
        start();
        rule(1);
        work();
        assertThat(deleted).hasSize(10);
        start();
        work();
        assertThat(deleted).hasSize(10);
        pass(3);
        assertThat(deleted).hasSize(13);
    }

    /** A process that comes later would not know of the pods that are gone. */
    @Test
    void nobody_goes_before_the_status_says_so() {
        server.fault(1000, request -> request.path().endsWith("/status"),
                Fault.status(503, "ServiceUnavailable", "not now"));
        pods(3);
        start();
        rule(1);
        work();
        pass(5);
        assertThat(deleted).isEmpty();
        server.clearFaults();
        pass(60);
        assertThat(deleted).hasSize(3);
    }

    @Test
    void without_enforcement_nobody_goes_unless_that_is_asked_for() {
        config.evictUnenforced = false;
        pods(3);
        start();
        rule(1);
        work();
        pass(30);
        assertThat(deleted).isEmpty();
        assertThat(marked).isEmpty();
        assertThat(progress("status")).isEqualTo("False");
        assertThat(progress("reason")).isEqualTo("NotEnforced");
    }

    @Test
    void a_rule_for_every_device_evicts_no_more_than_is_confirmed() {
        pods(3);
        start();
        rule(Map.of(), "NoExecute", 10, Map.of("confirmedPods", 2));
        work();
        pass(30);
        assertThat(deleted).isEmpty();
        assertThat(progress("message")).contains("evicts 3 pods").contains("confirmedPods to 3");
        edit(Map.of("confirmedPods", 3));
        pass(1);
        assertThat(deleted).hasSize(3);
    }

    @Test
    void tolerated_time_counts_from_when_the_effect_became_no_execute() {
        pods(1);
        cluster.claim("c0", DRIVER + "/node-1/d0", Map.of("key", "example.com/broken", "operator", "Exists",
                "tolerationSeconds", 60), "p0");
        start();
        rule(Map.of("driver", DRIVER), "None", 10, Map.of());
        work();
        edit(Map.of("taint", Map.of("effect", "NoExecute")));
        work();
        pass(59);
        assertThat(deleted).isEmpty();
        assertThat(progress("status")).as("it is to be evicted").isEqualTo("True");
        pass(2);
        assertThat(deleted).containsExactly("p0");
    }

    @Test
    void an_effect_that_came_with_a_fault_counts_from_when_the_fault_is_gone() {
        pods(1);
        cluster.claim("c0", DRIVER + "/node-1/d0", Map.of("key", "example.com/broken", "operator", "Exists",
                "tolerationSeconds", 60), "p0");
        start();
        rule(Map.of("driver", DRIVER), "None", 10, Map.of());
        work();
        edit(Map.of("taint", Map.of("effect", "NoExecute", "evictionsPerSecond", 0)));
        work();
        edit(Map.of("taint", Map.of("evictionsPerSecond", 10)));
        work();
        pass(59);
        assertThat(deleted).isEmpty();
        pass(2);
        assertThat(deleted).containsExactly("p0");
    }

    @Test
    void with_a_time_of_its_own_an_edited_effect_counts_from_then() {
        pods(1);
        start();
        rule(Map.of("driver", DRIVER), "None", 10, Map.of());
        work();
        edit(Map.of("taint", Map.of("effect", "NoExecute", "timeAdded", "2026-11-01T12:00:30Z")));
        work();
        pass(29);
        assertThat(deleted).isEmpty();
        pass(2);
        assertThat(deleted).containsExactly("p0");
    }

    @Test
    void a_pod_that_comes_later_goes_too() {
        start();
        rule(1);
        work();
        assertThat(progress("reason")).isEqualTo("NotStarted");
        pods(1);
        pass(2);
        assertThat(deleted).containsExactly("p0");
    }

    @Test
    void a_claim_that_gets_new_pods_keeps_them_longer_each_time() {
        cluster.slice("s", DRIVER, "node-1", "d=any");
        cluster.claim("shared", DRIVER + "/node-1/d", "a", "b");
        cluster.pod("a", "node-1");
        cluster.pod("b", "node-1");
        start();
        rule(10);
        work();
        assertThat(deleted).as("they go together").containsExactlyInAnyOrder("a", "b");
        pass(2);
        cluster.claim("shared", DRIVER + "/node-1/d", "c");
        cluster.pod("c", "node-1");
        pass(6);
        assertThat(deleted).hasSize(2);
        assertThat(condition("EvictionBackoff", "message")).contains("ResourceClaim ns/shared");
        pass(5);
        assertThat(deleted).contains("c");
        cluster.claim("shared", DRIVER + "/node-1/d", "d");
        cluster.pod("d", "node-1");
        pass(15);
        assertThat(deleted).hasSize(3);
        pass(5);
        assertThat(deleted).contains("d");
        cluster.claim("shared", DRIVER + "/node-1/other");
        pass(2);
        assertThat(condition("EvictionBackoff", "status")).isEmpty();
    }

    @Test
    void an_event_names_rule_taint_and_device() {
        server.create("namespaces", MAPPER.valueToTree(Map.of("metadata", Map.of("name", "ns"))));
        pods(1);
        start();
        rule(10);
        work();
        assertThat(deleted).containsExactly("p0");
        await().until(events::isIdle);
        JsonNode event = server.list("events").getFirst();
        assertThat(event.path("message").asText()).contains("DeviceTaintRule r").contains("gpu.example.com/node-1/d0")
                .contains("example.com/broken:NoExecute").contains("ResourceClaim c0");
        assertThat(event.at("/involvedObject/name").asText()).isEqualTo("p0");
    }

    /** Who is not there any more has no turn. */
    @Test
    void a_pod_that_goes_by_itself_is_not_deleted() {
        pods(12);
        start();
        rule(1);
        work();
        for (Pod pod : List.copyOf(cluster.caches.pods().all())) {
            cluster.pod(pod.key().name(), "node-1", "Running", Map.of(), true);
        }
        pass(10);
        assertThat(deleted).hasSize(10);
        assertThat(cluster.caches.pods().get(new ObjectKey("ns", deleted.getFirst()))).isEmpty();
    }
}
