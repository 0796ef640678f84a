package io.nodeward.e2e.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.LoggedProcess;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Groups that respect the PodDisruptionBudgets of strangers, with the controllers of Kubernetes that count and that evict. */
@Tag("deep")
class DedicatedBudgetTest {
    private static final String GUESTS = "/api/v1/namespaces/guests/pods";
    private static final String BUDGETS = "/apis/policy/v1/namespaces/guests/poddisruptionbudgets";
    private static final int READY = 10;
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private static DedicatedSuite suite;
    private static LoggedProcess controllers;
    private static RunningNodeward nodeward;

    @BeforeAll
    static void start() {
        suite = new DedicatedSuite();
        suite.grantEvictions();
        suite.namespace("guests");
        suite.namespace("fig");
        suite.node("other");
        controllers = suite.controlPlane().controllerManager(
                List.of("disruption-controller", "taint-eviction-controller", "daemonset-controller"));
        nodeward = suite.run("--feature-gates=DedicatedEvictions=true");
    }

    @AfterAll
    static void stop() {
        nodeward.close();
        controllers.close();
        suite.close();
    }

    private static void ready(String pod, String app, String node) {
        assertThat(suite.post("guests", pod, "'nodeName':'" + node + "'", "").isOk()).as(pod).isTrue();
        suite.admin().mergePatch(GUESTS + "/" + pod, "{\"metadata\":{\"labels\":{\"app\":\"" + app + "\"}}}");
        suite.admin().mergePatch(GUESTS + "/" + pod + "/status", "{\"status\":{\"phase\":\"Running\","
                + "\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}");
    }

    /** A Node with so many pods that are ready, and a budget, which has counted them when this returns. */
    private static void strangers(String app, int count, int minAvailable) {
        suite.node(app);
        IntStream.range(0, count).forEach(i -> ready(app + "-" + i, app, app));
        suite.admin().create(BUDGETS, Json.parse("""
                {"metadata":{"name":"%1$s"},"spec":{"minAvailable":%2$d,"selector":{"matchLabels":{"app":"%1$s"}}}}"""
                .formatted(app, minAvailable)));
        await(app).atMost(MachineSuite.PATIENCE).untilAsserted(() -> {
            JsonNode status = suite.admin().get(BUDGETS + "/" + app).path("status");
            assertThat(status.path("observedGeneration").asInt()).isPositive();
            assertThat(status.path("currentHealthy").asInt()).as("" + status).isEqualTo(count);
        });
    }

    private static void declare(String group, int confirmed, String more) {
        suite.declare(group, """
                {'nodes':{'names':['%1$s']},'who':{'namespaces':['fig']},'confirmedPods':%2$d,'eviction':'Respect',
                 'enforcement':'Enforce',%3$s
                 'taint':{'key':'dedicated','value':'%1$s','effects':['NoSchedule','NoExecute']}}"""
                .formatted(group, confirmed, more));
    }

    private static Stream<String> guests(String app) {
        return suite.admin().get(GUESTS + "?labelSelector=app%3D" + app).path("items").valueStream()
                .map(pod -> pod.at("/metadata/name").asText());
    }

    /** Replaces each pod that is gone by one on another Node, which is soon ready, as a ReplicaSet and kubelets do. */
    private static int replaced(int before) {
        int replaced = before;
        for (int i = (int) guests("ten").count(); i < READY; i++) {
            ready("ten-new-" + replaced++, "ten", "other");
        }
        return replaced;
    }

    private static Stream<AuditRequest> evictions(AuditLog.Mark since, int code) {
        return suite.writes(since, "pods/eviction").stream()
                .filter(request -> request.is("create", "pods/eviction") && request.code() == code);
    }

    @Test
    void a_budget_of_one_of_ten_pods_keeps_nine_ready_until_all_strangers_are_gone_and_then_comes_no_execute() {
        strangers("ten", READY, READY - 1);
        AuditLog.Mark mark = suite.mark();
        declare("ten", READY, "");
        suite.awaitCondition("ten", "EvictionInProgress", "True");
        int[] replaced = {0};
        await("all").atMost(LONGEST).pollInterval(Duration.ofMillis(100)).until(() -> {
            boolean evicting = suite.taints("ten").contains("dedicated=ten:NoExecute");
            assertThat(evicting && guests("ten").anyMatch(pod -> !pod.startsWith("ten-new-")))
                    .as("a stranger beside NoExecute").isFalse();
            replaced[0] = replaced(replaced[0]);
            return replaced[0] == READY;
        });
        suite.awaitCondition("ten", "EvictionInProgress", "False");
        suite.awaitTaints("ten", "dedicated=ten:NoSchedule", "dedicated=ten:NoExecute");
        suite.awaitCondition("ten", "Ready", "True");
        int ready = READY;
        // An Eviction that met a conflict with the budget's controller is permitted long after it came in.
        for (AuditRequest each : suite.audited(mark).sorted(Comparator.comparing(
                request -> request.is("create", "pods/eviction") ? request.done() : request.at())).toList()) {
            boolean evicted = each.is("create", "pods/eviction") && each.code() == 201;
            boolean replacement = each.is("patch", "pods/status") && each.name().startsWith("ten-new-");
            ready += evicted ? -1 : replacement ? 1 : 0;
            assertThat(ready).as("" + each).isGreaterThanOrEqualTo(READY - 1);
        }
        assertThat(evictions(mark, 201)).hasSize(READY).extracting(AuditRequest::name).doesNotHaveDuplicates();
        assertThat(evictions(mark, 429)).as("what the budget held up").isNotEmpty();
        assertThat(suite.deleted(mark)).as("by anybody").isEmpty();
        ready("canary", "canary", "ten");
        await("Kubernetes evicts who comes in spite of it").atMost(MachineSuite.PATIENCE)
                .until(() -> suite.find("guests", "canary").isEmpty());
    }

    @Test
    void strangers_that_a_budget_holds_up_are_deleted_at_the_deadline() {
        strangers("late", 3, 3);
        AuditLog.Mark mark = suite.mark();
        declare("late", 3, "'deadlineSeconds':12,");
        suite.awaitCondition("late", "EvictionInProgress", "True");
        Instant since =
                Instant.parse(suite.condition("late", "EvictionInProgress").path("lastTransitionTime").asText());
        await("all").atMost(MachineSuite.PATIENCE).until(() -> guests("late").findAny().isEmpty());
        assertThat(suite.deleted(mark).filter(each -> each.name().startsWith("late-"))).hasSize(3)
                .allSatisfy(each -> assertThat(each.at()).isAfterOrEqualTo(since.plusSeconds(12)));
        assertThat(evictions(mark, 429)).hasSizeGreaterThanOrEqualTo(3)
                .allSatisfy(each -> assertThat(each.at()).isBefore(since.plusSeconds(16)));
        suite.awaitTaints("late", "dedicated=late:NoSchedule", "dedicated=late:NoExecute");
    }
}
