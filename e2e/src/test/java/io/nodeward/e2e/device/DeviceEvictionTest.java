package io.nodeward.e2e.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pods that rules evict, at the pace that they declare: the server's record of requests tells when each was deleted. */
@Tag("deep")
class DeviceEvictionTest {
    private static final int PODS = 60;
    private static final int MANY = 500;
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Duration QUIET = Duration.ofSeconds(4);

    private static DeviceSuite suite;
    private static RunningNodeward nodeward;

    @BeforeAll
    static void start() {
        suite = DeviceSuite.scheduled();
        nodeward = suite.run();
    }

    @AfterAll
    static void stop() throws Exception {
        nodeward.close();
        suite.stop();
    }

    private static String rule(String pool, int perSecond) {
        return """
                {'deviceSelector':{'driver':'gpu.example.com','pool':'%s'},
                 'taint':{'key':'example.com/broken','effect':'NoExecute','evictionsPerSecond':%d}}"""
                .formatted(pool, perSecond);
    }

    private static List<AuditRequest> awaitDeletions(AuditLog.Mark since, int count) {
        await(count + " pods").atMost(LONGEST).pollInterval(Duration.ofMillis(50))
                .until(() -> deletions(since).size() >= count);
        return deletions(since);
    }

    /** Of those on the Node of this pool. */
    private static List<AuditRequest> of(String pool, List<AuditRequest> deletions) {
        return deletions.stream().filter(request -> request.name().startsWith(pool + "-")).toList();
    }

    private static List<AuditRequest> deletions(AuditLog.Mark since) {
        return suite.writes(since, "pods").stream().filter(request -> request.is("delete", "pods")).toList();
    }

    /** By the controller for these pods, reads too. */
    private static Map<String, Long> sent(AuditLog.Mark since, String pool) {
        return suite.requests(since).filter(request -> request.name().startsWith(pool + "-")).collect(
                Collectors.groupingBy(request -> request.verb() + " " + request.resource(), Collectors.counting()));
    }

    private static Duration taken(List<AuditRequest> requests) {
        List<Instant> times = requests.stream().map(AuditRequest::at).sorted().toList();
        return Duration.between(times.getFirst(), times.getLast());
    }

    @Test
    void under_two_rules_pods_go_at_the_faster_pace() {
        suite.pods("two", PODS, "[]");
        AuditLog.Mark mark = suite.mark();
        suite.declare("slow", rule("two", 1));
        suite.declare("fast", rule("two", 20));
        assertThat(taken(awaitDeletions(mark, PODS))).isLessThanOrEqualTo(Duration.ofSeconds(4));
        suite.awaitCondition("fast", "EvictionInProgress", "False");
        suite.awaitCondition("slow", "EvictionInProgress", "False");
        assertThat(suite.condition("fast", "EvictionInProgress").path("reason").asText()).isEqualTo("Completed");
        assertThat(deletions(mark)).extracting(AuditRequest::code).containsOnly(200);
        long each = PODS;
        await("nothing else is sent").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(sent(mark, "two"))
                .isEqualTo(Map.of("patch pods/status", each, "create events", each, "delete pods", each)));
    }

    @Test
    void one_rule_evicts_a_burst_and_then_one_pod_a_second() {
        suite.pods("one", PODS, "[]");
        AuditLog.Mark mark = suite.mark();
        suite.declare("one", rule("one", 1));
        awaitDeletions(mark, 12);
        assertThat(nodeward.metric("nodeward_devices_rules{state=\"Evicting\"")).isOne();
        assertThat(taken(awaitDeletions(mark, PODS))).isBetween(Duration.ofSeconds(49), Duration.ofSeconds(65));
        assertThat(suite.writes(mark, "pods/status")).as("why, on each of them").hasSize(PODS);
        suite.awaitCondition("one", "EvictionInProgress", "False");
    }

    @Test
    void a_rule_that_sets_no_pace_evicts_ten_pods_a_second() {
        suite.pods("default", PODS, "[]");
        AuditLog.Mark mark = suite.mark();
        suite.declare("default", rule("default", 10).replace(",'evictionsPerSecond':10", ""));
        assertThat(taken(awaitDeletions(mark, PODS))).isBetween(Duration.ofMillis(4_500), Duration.ofSeconds(8));
    }

    /** As a monitor declares them: each rule by itself would evict its ten pods at once. */
    @Test
    void many_rules_keep_the_pace_of_all_together() {
        int rules = 20;
        int each = 4;
        nodeward.close();
        for (int i = 0; i < rules; i++) {
            suite.pods("many%02d".formatted(i), each, "[]");
        }
        AuditLog.Mark mark = suite.mark();
        try (RunningNodeward slow = suite.run("--devices-evictions-per-second=5")) {
            for (int i = 0; i < rules; i++) {
                suite.declare("many%02d".formatted(i), rule("many%02d".formatted(i), 10));
            }
            // 50 at once, and 30 at five a second
            assertThat(taken(awaitDeletions(mark, rules * each)))
                    .isBetween(Duration.ofMillis(5_500), Duration.ofSeconds(12));
        } finally {
            nodeward = suite.run();
        }
    }

    @Test
    void an_edited_pace_counts_at_once() {
        suite.pods("edited", PODS, "[]");
        AuditLog.Mark mark = suite.mark();
        suite.declare("edited", rule("edited", 1));
        int slow = awaitDeletions(mark, 12).size();
        suite.change("edited", "{'taint':{'evictionsPerSecond':20}}");
        Instant edited = Instant.now();
        List<Instant> all = awaitDeletions(mark, PODS).stream().map(AuditRequest::at).sorted().toList();
        assertThat(slow).as("before").isLessThan(PODS / 2);
        assertThat(Duration.between(edited, all.getLast())).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(6));
    }

    @Test
    void rules_of_different_pods_do_not_slow_each_other_down() {
        suite.pods("left", PODS, "[]");
        suite.pods("right", PODS, "[]");
        AuditLog.Mark mark = suite.mark();
        suite.declare("left", rule("left", 5));
        suite.declare("right", rule("right", 20));
        List<AuditRequest> all = awaitDeletions(mark, PODS + PODS);
        assertThat(taken(of("left", all))).isBetween(Duration.ofMillis(9_500), Duration.ofSeconds(13));
        assertThat(taken(of("right", all))).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(5));
    }

    @Test
    void a_rule_that_is_deleted_at_the_20th_of_500_pods_evicts_at_most_one_more() {
        suite.pods("deleted", MANY, "[]");
        AuditLog.Mark mark = suite.mark();
        suite.declare("deleted", rule("deleted", 5));
        awaitDeletions(mark, 20);
        suite.delete("deleted");
        Instant answered = Instant.now();
        suite.awaitQuiet(mark, "pods", QUIET);
        assertThat(deletions(mark)).hasSizeLessThan(PODS).filteredOn(request -> request.at().isAfter(answered))
                .hasSizeLessThanOrEqualTo(1);
    }
}
