package io.nodeward.e2e.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.clusters.ControllerProcess;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.machine.Election;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes of which the leader evicts, and another one goes on when the leader is killed. */
@Tag("deep")
class DeviceLeaderTest {
    private static final int PODS = 60;
    private static final int PER_SECOND = 5;
    private static final int SOME = 20;

    @TempDir
    private Path directory;

    private final DeviceSuite suite = DeviceSuite.scheduled();

    @BeforeEach
    void prepare() {
        suite.allowLeaderElection();
        suite.pods("one", PODS, "[]");
        suite.pods("two", PODS, "[]");
    }

    @AfterEach
    void stop() throws Exception {
        suite.stop();
    }

    private static String rule(String pool) {
        return """
                {'deviceSelector':{'driver':'gpu.example.com','pool':'%s'},
                 'taint':{'key':'example.com/broken','effect':'NoExecute','evictionsPerSecond':%d}}"""
                .formatted(pool, PER_SECOND);
    }

    /** Returns when pods of this pool were deleted, the first ones first. */
    private List<Instant> deletions(AuditLog.Mark since, String pool) {
        return ofPool(since, pool).map(AuditRequest::at).sorted().toList();
    }

    private Stream<AuditRequest> ofPool(AuditLog.Mark since, String pool) {
        return suite.writes(since, "pods").stream()
                .filter(request -> request.is("delete", "pods") && request.name().startsWith(pool + "-"));
    }

    /** The standby knows the rules from before the first eviction. */
    @Test
    void two_rules_go_on_at_their_pace_and_evict_no_pod_twice() throws Exception {
        AuditLog.Mark mark = suite.mark();
        try (ControllerProcess leader = suite.process(directory, Election.with())) {
            leader.awaitMetric(Election.LEADER, 1);
            try (RunningNodeward standby = suite.run(Election.with())) {
                suite.declare("one", rule("one"));
                suite.declare("two", rule("two"));
                await("some").atMost(MachineSuite.PATIENCE).until(() -> deletions(mark, "one").size() >= SOME
                        && deletions(mark, "two").size() >= SOME);
                leader.kill();
                Instant killed = Instant.now();
                for (String rule : List.of("one", "two")) {
                    suite.awaitCondition(rule, "EvictionInProgress", "False");
                    assertThat(ofPool(mark, rule).map(AuditRequest::name)).hasSize(PODS).doesNotHaveDuplicates();
                    assertPace(deletions(mark, rule).stream().filter(killed::isBefore).toList());
                }
                assertThat(standby.metric(Election.LEADER)).isEqualTo(1);
            }
        }
    }

    /** No three seconds have more than the pace allows and three that came together, and the whole takes no longer than it says. */
    private static void assertPace(List<Instant> later) {
        assertThat(later).as("after the kill").hasSizeGreaterThan(PER_SECOND * 4);
        int most = PER_SECOND * 3 + 3;
        for (int i = 0; i + most < later.size(); i++) {
            assertThat(later.get(i + most)).as("number " + i + " of " + later).isAfter(later.get(i).plusSeconds(3));
        }
        assertThat(Duration.between(later.getFirst(), later.getLast()))
                .isLessThan(Duration.ofSeconds(later.size() / PER_SECOND + 3));
    }
}
