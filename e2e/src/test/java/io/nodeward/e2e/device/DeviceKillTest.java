package io.nodeward.e2e.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.clusters.ControllerProcess;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.LoggedProcess;
import io.nodeward.e2e.machine.MachineSuite;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A controller that is killed after any of the requests of its evictions, again and again: the next process evicts no pod a second
 * time, and passes no budget. Pods have a grace period and no kubelet, so the server would accept a second deletion of each.
 */
@Tag("deep")
class DeviceKillTest {
    private static final int KILLS = 50;
    private static final long SEED = 20_261_201;
    /** The most writes of a process before its end: a pod takes two, and the burst of a rule is ten pods. */
    private static final int MOST_WRITES = 12;
    private static final int WAITING = 30;
    private static final int GRACE = 3_600;
    private static final String RULE = """
            {'deviceSelector':{'driver':'gpu.example.com','pool':'%s'},'eviction':'%s',
             'taint':{'key':'example.com/broken','effect':'NoExecute','evictionsPerSecond':%d}}""";
    private static final int DEVICES = 128;

    private static DeviceSuite suite;
    private static LoggedProcess budgets;
    private final Random random = new Random(SEED);
    private int created;

    @BeforeAll
    static void start() {
        suite = DeviceSuite.scheduled();
        budgets = suite.controlPlane().controllerManager(List.of("disruption-controller"));
        for (String pool : List.of("deleted", "respected")) {
            suite.readyNode(pool);
            suite.pool(pool, DEVICES);
        }
        suite.admin().create("/apis/policy/v1/namespaces/ml/poddisruptionbudgets", DeviceSuite.parse("""
                {'metadata':{'name':'b'},'spec':{'minAvailable':1,'selector':{'matchLabels':{'app':'held'}}}}"""));
    }

    @AfterAll
    static void stop() throws Exception {
        budgets.close();
        suite.stop();
    }

    /** Creates pods until so many of the pool have not been evicted. A device may have any number of claims: no scheduler asks. */
    private void pods(String pool, int count) {
        long waiting = waiting(pool);
        for (long i = waiting; i < count; i++) {
            String name = pool + "-" + created++;
            suite.claim(name, "[]");
            suite.createPod(name, DeviceSuite.specOf(pool, GRACE, "{}",
                    "[{'name':'gpu','resourceClaimName':'%s'}]".formatted(name)));
            suite.allocate(name, pool, "d" + created % DEVICES, "[]", name);
        }
    }

    private static long waiting(String pool) {
        return Stream.of(suite.admin().get("/api/v1/namespaces/ml/pods"))
                .flatMap(all -> all.path("items").valueStream())
                .filter(pod -> pod.at("/metadata/name").asText().startsWith(pool + "-")
                        && pod.at("/metadata/deletionTimestamp").isMissingNode())
                .count();
    }

    private static List<AuditRequest> writes(AuditLog.Mark since) {
        return Stream.of("pods", "devicetaintrules").flatMap(kind -> suite.writes(since, kind).stream()).toList();
    }

    /** Returns the requests that the server took as the deletion of a pod. It may say of one whose sender was killed that it failed. */
    private static List<AuditRequest> evictions(AuditLog.Mark since) {
        return suite.writes(since, "pods").stream().filter(request -> request.code() < 300
                && (request.is("delete", "pods") || request.is("create", "pods/eviction"))).toList();
    }

    /** Runs a process until it has sent some writes. Returns the last of them. */
    private AuditRequest killed(Path directory) throws Exception {
        AuditLog.Mark begin = suite.mark();
        int count = 1 + random.nextInt(MOST_WRITES);
        try (ControllerProcess process = suite.process(directory)) {
            await("write " + count).atMost(MachineSuite.PATIENCE).pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(2)).until(() -> writes(begin).size() >= count);
            Thread.sleep(random.nextInt(10));
            process.kill();
        }
        return writes(begin).stream().max(Comparator.comparing(AuditRequest::at)).orElseThrow();
    }

    @Test
    void a_process_that_is_killed_leaves_no_second_eviction_and_passes_no_budget(@TempDir Path directory)
            throws Exception {
        pods("deleted", WAITING);
        pods("respected", WAITING);
        suite.createPod("held", DeviceSuite.specOf("respected", GRACE, "{}",
                "[{'name':'gpu','resourceClaimName':'held'}]"));
        suite.claim("held", "[]");
        suite.allocate("held", "respected", "d0", "[]", "held");
        suite.admin().mergePatch("/api/v1/namespaces/ml/pods/held", "{\"metadata\":{\"labels\":{\"app\":\"held\"}}}");
        suite.podStatus("held", "{'phase':'Running','conditions':[{'type':'Ready','status':'True'}]}");
        AuditLog.Mark mark = suite.mark();
        suite.declare("deleted", RULE.formatted("deleted", "Delete", 5));
        suite.declare("respected", RULE.formatted("respected", "Respect", 5));
        Set<String> lastWrites = new HashSet<>();
        for (int kill = 0; kill < KILLS; kill++) {
            pods("deleted", WAITING);
            pods("respected", WAITING);
            AuditRequest last = killed(directory);
            lastWrites.add(last.verb() + " " + last.resource());
        }
        try (ControllerProcess process = suite.process(directory)) {
            await("all").atMost(MachineSuite.PATIENCE)
                    .until(() -> waiting("deleted") == 0 && waiting("respected") == 0);
            suite.awaitCondition("deleted", "EvictionInProgress", "False");
        }
        assertThat(evictions(mark)).as("seed %d", SEED).hasSizeBetween(KILLS, created).extracting(AuditRequest::name)
                .doesNotHaveDuplicates();
        assertThat(evictions(mark).stream().filter(request -> request.is("delete", "pods")))
                .extracting(AuditRequest::name).noneMatch(name -> name.startsWith("respected"));
        assertThat(suite.pod("held").at("/metadata/deletionTimestamp").isMissingNode()).as("its budget holds").isTrue();
        assertThat(lastWrites).as("writes before a kill").contains("delete pods", "create pods/eviction",
                "patch pods/status");
    }
}
