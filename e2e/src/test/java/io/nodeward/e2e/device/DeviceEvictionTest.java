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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pods that rules evict, at the pace that they declare: the server's record of requests tells when each was deleted. */
@Tag("deep")
class DeviceEvictionTest {
    private static final int PODS = 60;
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

    /** Each uses a device of its own, of the pool that is named as the Node. */
    private static void pods(String pool, int count) {
        suite.readyNode(pool);
        suite.slice(pool, pool, 1, IntStream.range(0, count).mapToObj("{'name':'d%d'}"::formatted)
                .collect(Collectors.joining(",", "[", "]")));
        for (int i = 0; i < count; i++) {
            String name = pool + "-" + i;
            suite.claim(name, "[]");
            suite.pod(name, pool, name);
            suite.allocate(name, pool, "d" + i, "[]", name);
        }
    }

    private static String rule(String pool, int perSecond) {
        return "{'deviceSelector':{'pool':'%s'},'taint':{'key':'example.com/broken','effect':'NoExecute',"
                .formatted(pool) + "'evictionsPerSecond':" + perSecond + "}}";
    }

    private static List<AuditRequest> deletions(AuditLog.Mark since) {
        return suite.writes(since, "pods").stream().filter(request -> request.is("delete", "pods")).toList();
    }

    private static Duration taken(List<AuditRequest> requests) {
        List<Instant> times = requests.stream().map(AuditRequest::at).sorted().toList();
        return Duration.between(times.getFirst(), times.getLast());
    }

    @Test
    void under_two_rules_pods_go_at_the_faster_pace() {
        pods("two", PODS);
        AuditLog.Mark mark = suite.mark();
        suite.declare("slow", rule("two", 1));
        suite.declare("fast", rule("two", 20));
        await("all pods").atMost(MachineSuite.PATIENCE).until(() -> deletions(mark).size() >= PODS);
        assertThat(taken(deletions(mark))).isLessThanOrEqualTo(Duration.ofSeconds(4));
        suite.awaitCondition("fast", "EvictionInProgress", "False");
        suite.awaitCondition("slow", "EvictionInProgress", "False");
        assertThat(suite.condition("fast", "EvictionInProgress").path("reason").asText()).isEqualTo("Completed");
        assertThat(deletions(mark)).as("one each").hasSize(PODS).extracting(AuditRequest::code).containsOnly(200);
    }

    @Test
    void one_rule_evicts_a_burst_and_then_one_pod_a_second() {
        pods("one", PODS);
        AuditLog.Mark mark = suite.mark();
        suite.declare("one", rule("one", 1));
        await("all pods").atMost(Duration.ofSeconds(120)).until(() -> deletions(mark).size() >= PODS);
        assertThat(taken(deletions(mark))).isBetween(Duration.ofSeconds(49), Duration.ofSeconds(65));
        assertThat(suite.writes(mark, "pods/status")).as("why, on each of them").hasSize(PODS);
        suite.awaitCondition("one", "EvictionInProgress", "False");
    }

    @Test
    void a_rule_that_is_deleted_half_way_evicts_at_most_one_pod_more() {
        pods("deleted", PODS);
        AuditLog.Mark mark = suite.mark();
        suite.declare("deleted", rule("deleted", 5));
        await("some pods").atMost(MachineSuite.PATIENCE).pollInterval(Duration.ofMillis(50))
                .until(() -> deletions(mark).size() >= 20);
        suite.delete("deleted");
        Instant answered = Instant.now();
        suite.awaitQuiet(mark, "pods", QUIET);
        assertThat(deletions(mark)).hasSizeLessThan(PODS).filteredOn(request -> request.at().isAfter(answered))
                .hasSizeLessThanOrEqualTo(1);
    }
}
