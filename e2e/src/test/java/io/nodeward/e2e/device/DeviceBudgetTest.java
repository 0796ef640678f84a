package io.nodeward.e2e.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.LoggedProcess;
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

/** Rules that respect the PodDisruptionBudgets of the pods, which Kubernetes' own controller keeps. */
@Tag("deep")
class DeviceBudgetTest {
    private static final String BUDGETS = "/apis/policy/v1/namespaces/ml/poddisruptionbudgets";
    private static final String PODS = "/api/v1/namespaces/ml/pods";
    private static final int READY = 10;
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private static DeviceSuite suite;
    private static LoggedProcess budgets;
    private static RunningNodeward nodeward;

    @BeforeAll
    static void start() {
        suite = DeviceSuite.scheduled();
        budgets = suite.controlPlane().controllerManager(List.of("disruption-controller"));
        nodeward = suite.run();
    }

    @AfterAll
    static void stop() throws Exception {
        nodeward.close();
        budgets.close();
        suite.stop();
    }

    /** Waits until the budget has counted its pods. */
    private static void budget(String name, String app, int minAvailable, int allowed) {
        suite.admin().create(BUDGETS, DeviceSuite.parse("""
                {'metadata':{'name':'%s'},'spec':{'minAvailable':%d,'selector':{'matchLabels':{'app':'%s'}}}}"""
                .formatted(name, minAvailable, app)));
        await(name).atMost(MachineSuite.PATIENCE).untilAsserted(() -> {
            JsonNode status = suite.admin().get(BUDGETS + "/" + name).path("status");
            assertThat(status.path("observedGeneration").asInt()).isPositive();
            assertThat(status.path("disruptionsAllowed").asInt()).as("" + status).isEqualTo(allowed);
        });
    }

    /** Pods that are ready and use a device each, of the pool that is named as the app. */
    private static void pods(String app, int count) {
        suite.pods(app, count, "[]");
        IntStream.range(0, count).forEach(i -> ready(app + "-" + i, app));
    }

    private static void ready(String pod, String app) {
        suite.admin().mergePatch(PODS + "/" + pod, "{\"metadata\":{\"labels\":{\"app\":\"" + app + "\"}}}");
        suite.podStatus(pod, "{'phase':'Running','conditions':[{'type':'Ready','status':'True'}]}");
    }

    private static void declare(String pool, String mode) {
        suite.declare(pool, """
                {'deviceSelector':{'driver':'gpu.example.com','pool':'%s'},%s,
                 'taint':{'key':'example.com/broken','effect':'NoExecute'}}""".formatted(pool, mode));
    }

    private static Stream<AuditRequest> evictions(AuditLog.Mark since, int code) {
        return suite.writes(since, "pods/eviction").stream()
                .filter(request -> request.is("create", "pods/eviction") && request.code() == code);
    }

    private static List<AuditRequest> deletions(AuditLog.Mark since) {
        return suite.audited(since).filter(request -> request.is("delete", "pods")).toList();
    }

    private static String progress(String rule, String field) {
        return suite.condition(rule, "EvictionInProgress").path(field).asText();
    }

    private static void awaitMessage(String rule, String part) {
        await(part).atMost(MachineSuite.PATIENCE)
                .untilAsserted(() -> assertThat(progress(rule, "message")).contains(part));
    }

    /** Replaces each pod that is gone by another one, which is soon ready, as a ReplicaSet and kubelets do. */
    private static int replaced(int before) {
        List<String> left = suite.pods().stream().filter(pod -> pod.startsWith("ten-")).toList();
        int replaced = before;
        for (int i = left.size(); i < READY; i++) {
            String pod = "ten-new-" + replaced++;
            suite.pod(pod, "ten");
            ready(pod, "ten");
        }
        return replaced;
    }

    @Test
    void a_budget_of_one_of_ten_pods_keeps_nine_of_them_ready_until_all_are_gone() {
        pods("ten", READY);
        budget("ten", "ten", READY - 1, 1);
        AuditLog.Mark mark = suite.mark();
        declare("ten", "'eviction':'Respect'");
        awaitMessage("ten", "PodDisruptionBudgets hold up 9, which is tried again; of Pod ml/ten-");
        assertThat(progress("ten", "message")).contains("The disruption budget ten needs 9 healthy pods");
        int[] replaced = {0};
        await("all").atMost(LONGEST).pollInterval(Duration.ofMillis(100)).until(() -> {
            replaced[0] = replaced(replaced[0]);
            return replaced[0] == READY;
        });
        suite.awaitCondition("ten", "EvictionInProgress", "False");
        assertThat(progress("ten", "reason")).isEqualTo("Completed");
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
        assertThat(evictions(mark, 429)).hasSizeGreaterThanOrEqualTo(READY - 1);
        assertThat(deletions(mark)).isEmpty();
        await("an Event for each that was evicted").atMost(MachineSuite.PATIENCE).untilAsserted(
                () -> assertThat(suite.writes(mark, "events")).hasSize(READY));
    }

    @Test
    void pods_that_a_budget_holds_up_are_deleted_at_the_deadline() {
        pods("late", 3);
        budget("late", "late", 3, 0);
        AuditLog.Mark mark = suite.mark();
        declare("late", "'eviction':'Respect','deadlineSeconds':12");
        await("all").atMost(MachineSuite.PATIENCE)
                .until(() -> suite.pods().stream().noneMatch(pod -> pod.startsWith("late-")));
        Instant added = Instant.parse(suite.admin().get(suite.path("late")).at("/spec/taint/timeAdded").asText());
        assertThat(deletions(mark)).hasSize(3)
                .allSatisfy(each -> assertThat(each.at()).isAfterOrEqualTo(added.plusSeconds(12)));
        assertThat(evictions(mark, 429)).hasSizeGreaterThanOrEqualTo(3)
                .allSatisfy(each -> assertThat(each.at()).isBefore(added.plusSeconds(13)));
        suite.awaitCondition("late", "EvictionInProgress", "False");
    }

    @Test
    void a_pod_of_two_budgets_stays_until_it_has_one() {
        pods("two", 1);
        budget("two", "two", 0, 1);
        budget("too", "two", 0, 1);
        AuditLog.Mark mark = suite.mark();
        declare("two", "'eviction':'Respect'");
        awaitMessage("two", "hold up 1, which is tried again; of Pod ml/two-0 This pod has more than one");
        assertThat(evictions(mark, 500)).isNotEmpty();
        suite.admin().delete(BUDGETS + "/too");
        suite.awaitCondition("two", "EvictionInProgress", "False");
        assertThat(evictions(mark, 201)).hasSize(1);
        assertThat(deletions(mark)).isEmpty();
    }
}
