package io.nodeward.e2e.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.clusters.ControllerProcess;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules that evict, while pods, claims and the controller come and go. */
@Tag("deep")
class DeviceLifeTest {
    private static final int PODS = 30;
    private static final int BURST = 10;
    private static final Duration QUIET = Duration.ofSeconds(2);
    private static final String TOLERATES = "[{'key':'example.com/%s','operator':'Exists'}]";

    private static DeviceSuite suite;

    @BeforeAll
    static void start() {
        suite = DeviceSuite.scheduled();
    }

    @AfterAll
    static void stop() throws Exception {
        suite.stop();
    }

    private static void pool(String name, int devices) {
        suite.readyNode(name);
        suite.pool(name, devices);
    }

    /** On the Node of this pool, with a claim of the same name that has the device. */
    private static void use(String pod, String pool, String device, String tolerations) {
        suite.claim(pod, tolerations);
        suite.pod(pod, pool, pod);
        suite.allocate(pod, pool, device, tolerations, pod);
    }

    private static String rule(String pool, String device, String key, int perSecond) {
        return """
                {'deviceSelector':{'pool':'%s'%s},
                 'taint':{'key':'example.com/%s','effect':'NoExecute','evictionsPerSecond':%d}}"""
                .formatted(pool, device.isEmpty() ? "" : ",'device':'" + device + "'", key, perSecond);
    }

    private static String rule(String pool, String device) {
        return rule(pool, device, "broken", 10);
    }

    private static List<AuditRequest> deletions(AuditLog.Mark since) {
        return suite.writes(since, "pods").stream().filter(request -> request.is("delete", "pods")).toList();
    }

    private static void awaitEvicted(AuditLog.Mark since, String... pods) {
        await(String.join(", ", pods)).atMost(MachineSuite.PATIENCE)
                .untilAsserted(() -> assertThat(suite.pods()).doesNotContain(pods));
        suite.awaitQuiet(since, "pods", QUIET);
        assertThat(deletions(since)).extracting(AuditRequest::name).as("one each").containsExactlyInAnyOrder(pods);
    }

    private static void eventually(String what, ThrowingRunnable check) {
        await(what).atMost(MachineSuite.PATIENCE).untilAsserted(check);
    }

    private static String reason(String rule) {
        return suite.condition(rule, "EvictionInProgress").path("reason").asText();
    }

    @Test
    void killed_half_way_it_goes_on_at_its_pace_and_evicts_nobody_twice(@TempDir Path directory) throws Exception {
        pool("killed", PODS);
        IntStream.range(0, PODS).forEach(i -> use("killed-" + i, "killed", "d" + i, "[]"));
        AuditLog.Mark mark = suite.mark();
        try (ControllerProcess first = suite.process(directory)) {
            suite.declare("killed", rule("killed", "", "broken", 1));
            await("some").atMost(MachineSuite.PATIENCE).until(() -> deletions(mark).size() >= BURST + 2);
            first.kill();
        }
        Instant again = Instant.now();
        try (ControllerProcess second = suite.process(directory)) {
            await("all").atMost(MachineSuite.PATIENCE).until(() -> deletions(mark).size() >= PODS);
            suite.awaitCondition("killed", "EvictionInProgress", "False");
            assertThat(deletions(mark)).hasSize(PODS).extracting(AuditRequest::name).doesNotHaveDuplicates();
            List<Instant> later = deletions(mark).stream().map(AuditRequest::at).filter(at -> at.isAfter(again))
                    .sorted().toList();
            assertThat(later).as("after the kill").hasSizeGreaterThan(BURST);
            for (int i = 0; i < later.size(); i++) {
                assertThat(later.get(i)).as("number " + i + " of " + later).isAfter(again.plusSeconds(i));
            }
            second.awaitMetric("device_taint_eviction_controller_pod_deletions_total", later.size());
        }
    }

    /** The rule of the server proves after a kill that the rule had the device. */
    @Test
    void a_device_that_recovers_keeps_its_pod_and_after_a_kill_has_all_its_time_again(@TempDir Path directory)
            throws Exception {
        pool("recovers", 0);
        String hot = "[{'name':'d0','attributes':{'hot':{'bool':%s}}}]";
        suite.slice("hot", "recovers", 1, hot.formatted("true"));
        AuditLog.Mark mark = suite.mark();
        try (ControllerProcess first = suite.process(directory)) {
            suite.declare("recovers", """
                    {'untaintAfter':'20s','deviceSelector':{'pool':'recovers',
                       'selectors':[{'cel':{'expression':'device.attributes[device.driver].hot'}}]},
                     'taint':{'key':'example.com/hot','effect':'NoExecute'}}""");
            suite.awaitCondition("recovers", "SchedulingEnforced", "True");
            suite.publish("hot", hot.formatted("false"));
            eventually("it recovers",
                    () -> assertThat(suite.status("recovers").at("/recovering/count").asInt()).isOne());
            use("stays", "recovers", "d0", "[]");
            first.kill();
        }
        Instant again = Instant.now();
        try (ControllerProcess second = suite.process(directory)) {
            await("the end of the server's rule").atMost(MachineSuite.PATIENCE)
                    .until(() -> suite.serverRules("recovers").isEmpty());
            assertThat(suite.writes(mark, "devicetaintrules")).filteredOn(request -> request.verb().equals("delete"))
                    .singleElement().satisfies(request -> assertThat(request.at()).isAfter(again.plusSeconds(20)));
            assertThat(suite.pods()).contains("stays");
            assertThat(deletions(mark)).isEmpty();
            second.kill();
        }
    }

    @Test
    void a_pod_that_comes_after_the_rule_goes_and_its_claim_gives_the_device_back() {
        pool("later", 1);
        try (RunningNodeward nodeward = suite.run()) {
            suite.declare("later", rule("later", "d0"));
            suite.awaitCondition("later", "EvictionInProgress", "False");
            assertThat(reason("later")).isEqualTo("NotStarted");
            AuditLog.Mark mark = suite.mark();
            suite.claim("later", "[]");
            suite.protectClaim("later");
            suite.pod("later", "later", "later");
            suite.allocate("later", "later", "d0", "[]", "later");
            awaitEvicted(mark, "later");
            eventually("the device is given back", () -> assertThat(suite.devices("later")).isEmpty());
            assertThat(nodeward.isReady()).isTrue();
        }
    }

    @Test
    void all_pods_of_a_claim_go_and_then_it_gives_the_device_back() {
        pool("shared", 1);
        suite.claim("shared", "[]");
        suite.protectClaim("shared");
        suite.pod("shared-0", "shared", "shared");
        suite.pod("shared-1", "shared", "shared");
        suite.allocate("shared", "shared", "d0", "[]", "shared-0", "shared-1");
        AuditLog.Mark mark = suite.mark();
        try (RunningNodeward nodeward = suite.run()) {
            suite.declare("shared", rule("shared", ""));
            awaitEvicted(mark, "shared-0", "shared-1");
            eventually("the device is given back", () -> assertThat(suite.devices("shared")).isEmpty());
            suite.awaitCondition("shared", "EvictionInProgress", "False");
            assertThat(nodeward.isReady()).isTrue();
        }
    }

    @Test
    void a_claim_that_was_made_anew_for_its_pod_counts_as_it_is_now() {
        pool("anew", 2);
        suite.podWithTemplate("anew", "anew", "anew-gpu");
        suite.allocate("anew-gpu", "anew", "d1", "[]", "anew");
        try (RunningNodeward nodeward = suite.run()) {
            AuditLog.Mark mark = suite.mark();
            suite.declare("anew", rule("anew", "d0"));
            suite.awaitCondition("anew", "EvictionInProgress", "False");
            assertThat(reason("anew")).isEqualTo("NotStarted");
            suite.replaceClaim("anew-gpu", "anew");
            suite.allocate("anew-gpu", "anew", "d0", "[]", "anew");
            awaitEvicted(mark, "anew");
            assertThat(nodeward.isReady()).isTrue();
        }
    }

    @Test
    void who_tolerates_a_part_goes_and_who_tolerates_all_stays() {
        pool("part", 4);
        String one = TOLERATES.formatted("one");
        use("one-of-two-taints", "part", "d0", one);
        use("both-taints", "part", "d1", "[{'operator':'Exists'}]");
        suite.claim("tolerant", one);
        suite.claim("intolerant", "[]");
        suite.pod("one-of-two-devices", "part", "tolerant", "intolerant");
        suite.allocate("tolerant", "part", "d2", one, "one-of-two-devices");
        suite.allocate("intolerant", "part", "d3", "[]", "one-of-two-devices");
        AuditLog.Mark mark = suite.mark();
        try (RunningNodeward nodeward = suite.run()) {
            suite.declare("part-one", rule("part", "", "one", 10));
            suite.declare("part-two", rule("part", "d0", "two", 10));
            suite.declare("part-three", rule("part", "d1", "two", 10));
            awaitEvicted(mark, "one-of-two-taints", "one-of-two-devices");
            for (String rule : List.of("part-one", "part-two", "part-three")) {
                suite.awaitCondition(rule, "EvictionInProgress", "False");
            }
            assertThat(suite.pods()).contains("both-taints");
            assertThat(nodeward.isReady()).isTrue();
        }
    }

    @Test
    void who_terminates_already_is_not_deleted() {
        pool("ending", 2);
        use("ending", "ending", "d0", "[]");
        use("running", "ending", "d1", "[]");
        suite.podFinalizers("ending", "example.com/wait");
        suite.beginDeletion("ending");
        AuditLog.Mark mark = suite.mark();
        try (RunningNodeward nodeward = suite.run()) {
            suite.declare("ending", rule("ending", ""));
            awaitEvicted(mark, "running");
            suite.awaitCondition("ending", "EvictionInProgress", "False");
            assertThat(suite.pods()).contains("ending");
            assertThat(suite.writes(mark, "pods/status")).as("why").extracting(AuditRequest::name)
                    .containsExactly("running");
            suite.podFinalizers("ending");
            awaitEvicted(mark, "running");
            assertThat(nodeward.isReady()).isTrue();
        }
    }
}
