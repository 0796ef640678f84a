package io.nodeward.e2e.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.clusters.ControllerProcess;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A tenant who may create pods in one namespace stores pods with as many tolerations as fit, before Nodeward reviews pods. The
 * controller is a process with the heap that it has by default.
 */
class OversizedPodsTest {
    private static final int TOLERATIONS = 45_000;
    /** Pods that took more than the default heap when all of their tolerations were kept. */
    private static final int PODS = 40;
    private static final int MANY = 300;
    /** Pods of 250 labels each, about 110 kB, that take more than the default heap has. */
    private static final int LARGE = 2_500;
    private static final Duration RECOVERY = Duration.ofMinutes(3);
    private static final int ROUNDS = 5;
    private static final Duration MARGIN = Duration.ofSeconds(1);
    private static final String NODES = "{'nodes':{'selector':{'matchLabels':{'pool':'%1$s'}}},'enforcement':'Enforce',"
            + "'who':{'namespaces':['%1$s']},'taint':{'key':'dedicated','value':'%1$s','effects':['NoSchedule']}}";

    private static DedicatedSuite suite;
    /** Such pods of all groups: each may tolerate the taint of any. */
    private static int stored;
    private int nodes;

    @BeforeAll
    static void start() {
        suite = new DedicatedSuite();
        suite.grantPods();
    }

    @AfterAll
    static void stop() {
        suite.close();
    }

    @Test
    void forty_stored_pods_of_45_000_tolerations_each_keep_no_node_from_its_taint(@TempDir Path directory)
            throws Exception {
        prepare("few");
        try (ControllerProcess running = suite.process(directory)) {
            awaitTainted(node("few"));
            store("few", PODS, TOLERATIONS);
            assertLooksIntoNone(running, "few");
        }
        try (ControllerProcess restarted = suite.process(directory)) {
            assertLooksIntoNone(restarted, "few");
        }
    }

    @Test
    void admission_refuses_to_create_one_or_to_make_one_larger_and_lets_go_on_who_changes_something_else() {
        prepare("reviewed");
        store("reviewed", 1, 70); // API servers take too long to update one of 45,000
        try (RunningNodeward nodeward = suite.runForPods("Fail")) {
            suite.awaitCondition("reviewed", "Ready", "True");
            AdminClient.Reply refused = post("refused", 65);
            assertThat(refused.code()).isEqualTo(422);
            assertThat(refused.body().path("message").asText())
                    .contains("Pod tenant-reviewed/refused", "spec.tolerations (64 distinct)");
            assertThat(post("fits", 62).code()).as("with two of Kubernetes' own").isEqualTo(201);
            String pod = DedicatedSuite.podPath("tenant-reviewed", "p0");
            JsonNode tolerations = suite.admin().get(pod).at("/spec/tolerations");
            assertThat(patch(pod, "add", tolerations.size(), "{'key':'more','operator':'Exists'}").code())
                    .isEqualTo(422);
            assertThat(patch(pod, "replace", last(tolerations, "not-ready"), "{'key':'node.kubernetes.io/not-ready',"
                    + "'operator':'Exists','effect':'NoExecute','tolerationSeconds':7}").code()).isEqualTo(200);
        }
    }

    /** A tenant may label the own pod, which is a member by its claim and waits for a scheduling gate, as often as it likes. */
    @Test
    void labels_that_a_pod_gets_later_do_not_let_its_claim_be_made_again_without_the_device() {
        suite.namespace("gated");
        suite.declare("gpus", "{'nodes':{'names':['gpu']},'who':{'deviceClasses':['gpu']},'enforcement':'Enforce',"
                + "'taint':{'key':'dedicated','value':'gpus','effects':['NoSchedule']}}");
        String claims = "/apis/resource.k8s.io/v1/namespaces/gated/resourceclaims";
        try (RunningNodeward nodeward = suite.runForPods("Fail")) {
            suite.awaitCondition("gpus", "Ready", "True");
            suite.admin().create(claims, claim("gpu"));
            await("a member").atMost(MachineSuite.PATIENCE).until(() -> suite.post("gated", "p",
                    "'schedulingGates':[{'name':'e2e/gate'}],'tolerations':[{'key':'dedicated','value':'gpus'}],"
                            + "'resourceClaims':[{'name':'d','resourceClaimName':'c'}]",
                    "").isOk());
            suite.admin().delete(claims + "/c");
            suite.admin().mergePatch(DedicatedSuite.podPath("gated", "p"), IntStream.range(0, 257)
                    .mapToObj(i -> "\"l" + i + "\":\"x\"")
                    .collect(Collectors.joining(",", "{\"metadata\":{\"labels\":{", "}}}")));
            await("the labels in the cache").atMost(MachineSuite.PATIENCE).untilAsserted(() -> {
                AdminClient.Reply refused = suite.admin().send("POST", claims + "?dryRun=All", AdminClient.JSON,
                        claim("nic").toString());
                assertThat(refused.code()).isEqualTo(403);
                assertThat(refused.body().path("message").asText())
                        .contains("pod p ", "has more than Nodeward keeps of one pod (metadata.labels (256))");
            });
            suite.admin().create(claims, claim("gpu"));
        }
        suite.delete("gpus");
    }

    private static JsonNode claim(String deviceClass) {
        return Json.parse("""
                {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"c"},"spec":{"devices":{
                 "requests":[{"name":"r","exactly":{"deviceClassName":"%s"}}]}}}""".formatted(deviceClass));
    }

    private static AdminClient.Reply post(String name, int tolerations) {
        return suite.post("tenant-reviewed", name, "'tolerations':[" + tolerations(tolerations) + "]", "");
    }

    private static AdminClient.Reply patch(String pod, String operation, int index, String toleration) {
        return suite.admin().send("PATCH", pod, AdminClient.JSON_PATCH,
                "[{'op':'%s','path':'/spec/tolerations/%d','value':%s}]".formatted(operation, index, toleration)
                        .replace('\'', '"'));
    }

    private static int last(JsonNode tolerations, String key) {
        return IntStream.range(0, tolerations.size())
                .filter(i -> tolerations.get(i).path("key").asText().endsWith(key)).max().orElseThrow();
    }

    @Test
    @Tag("deep")
    void three_hundred_of_them_cost_a_node_and_a_probe_no_second(@TempDir Path directory) throws Exception {
        prepare("many");
        Duration without;
        try (ControllerProcess running = suite.process(directory)) {
            without = longest(running);
            store("many", MANY, TOLERATIONS);
            assertLooksIntoNone(running, "many");
            assertThat(longest(running)).as("with the pods").isLessThan(without.plus(MARGIN));
        }
        try (ControllerProcess restarted = suite.process(directory)) {
            assertLooksIntoNone(restarted, "many");
            assertThat(longest(restarted)).as("after a restart").isLessThan(without.plus(MARGIN));
        }
    }

    @Test
    @Tag("deep")
    void less_is_kept_of_a_namespace_that_takes_too_much_and_all_of_others(@TempDir Path directory)
            throws Exception {
        prepare("full");
        try (ControllerProcess running = suite.process(directory)) {
            awaitTainted(node("full"));
            fill("tenant-full");
            assertKeepsLess(running, "before");
        }
        try (ControllerProcess restarted = suite.process(directory)) {
            assertKeepsLess(restarted, "after");
            IntStream.range(0, LARGE - 10).parallel().forEach(i -> suite.admin()
                    .delete(DedicatedSuite.podPath("tenant-full", "p" + i) + "?gracePeriodSeconds=0"));
            await("the pods that are left to be read again").atMost(RECOVERY).pollInterval(Duration.ofSeconds(5))
                    .until(() -> {
                        awaitTainted(node("full")); // no pod that is no member and on no Node makes a preview new
                        return suite.status("full").at("/preview/notLookedInto/count").asInt() == stored;
                    });
        }
    }

    /** A pod that comes last of another namespace is looked into. */
    private void assertKeepsLess(ControllerProcess nodeward, String pod) {
        nodeward.awaitMetric("nodeward_heap_full{account=\"tenant-full\"}", 1);
        assertThat(suite.post("full", pod, "'schedulerName':'none'", "").code()).isEqualTo(201);
        awaitTainted(node("full"));
        await("the pod of another namespace").atMost(MachineSuite.PATIENCE)
                .until(() -> suite.previewed("full", "withoutToleration").contains("full/" + pod));
        assertThat(suite.status("full").at("/preview/notLookedInto/count").asInt()).isGreaterThan(stored);
        assertThat(nodeward.probe("/healthz")).isEqualTo(200);
    }

    private static void fill(String namespace) {
        String prefix = "x".repeat(60);
        IntStream.range(0, LARGE).parallel().forEach(i -> {
            String labels = IntStream.range(0, 250).mapToObj(label -> "'%s.p%d.l%d/%s':'%sp%dl%d'".formatted(
                    String.join(".", prefix, prefix, prefix), i, label, prefix,
                    prefix.substring(10), i, label))
                    .collect(Collectors.joining(","));
            AdminClient.Reply reply = suite.admin().send("POST", "/api/v1/namespaces/" + namespace + "/pods",
                    AdminClient.JSON, """
                            {'metadata':{'name':'p%d','labels':{%s}},'spec':{'schedulerName':'none',
                             'containers':[{'name':'c','image':'i'}]}}""".formatted(i, labels).replace('\'', '"'));
            assertThat(reply.code()).as("" + reply.body().path("message")).isEqualTo(201);
        });
    }

    private static void prepare(String group) {
        suite.namespace("tenant-" + group);
        suite.namespace(group);
        suite.declare(group, NODES.formatted(group));
    }

    /** Another Node gets its taint, and the preview counts the pods and names them. */
    private void assertLooksIntoNone(ControllerProcess nodeward, String group) {
        awaitTainted(node(group));
        await("the preview").atMost(MachineSuite.PATIENCE).untilAsserted(() -> {
            assertThat(nodeward.probe("/healthz")).isEqualTo(200);
            assertThat(suite.status(group).at("/preview/notLookedInto/count").asInt()).isEqualTo(stored);
        });
        assertThat(suite.previewed(group, "notLookedInto")).hasSize(10).allMatch(pod -> pod.startsWith("tenant-"));
        assertThat(suite.previewed(group, "refused")).isEmpty();
    }

    /** Returns the longest of some rounds of a Node that gets its taint and a probe that is answered. */
    private Duration longest(ControllerProcess nodeward) {
        List<Duration> rounds = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            long start = System.nanoTime();
            awaitTainted(node("many"));
            assertThat(nodeward.probe("/healthz")).isEqualTo(200);
            rounds.add(Duration.ofNanos(System.nanoTime() - start));
        }
        return rounds.stream().max(Duration::compareTo).orElseThrow();
    }

    private String node(String group) {
        String name = group + "-" + nodes++;
        suite.node(name, "pool=" + group);
        return name + "=" + group;
    }

    /** @param named as {@code node=group} */
    private static void awaitTainted(String named) {
        String[] parts = named.split("=");
        await("the taint of " + parts[0]).atMost(MachineSuite.PATIENCE).pollInterval(Duration.ofMillis(20))
                .until(() -> suite.taints(parts[0]).contains("dedicated=" + parts[1] + ":NoSchedule"));
    }

    private static String tolerations(int many) {
        return IntStream.range(0, many).mapToObj(i -> "{'key':'k','operator':'Equal','value':'v" + i + "'}")
                .collect(Collectors.joining(","));
    }

    private static void store(String group, int pods, int distinct) {
        String tolerations = tolerations(distinct);
        stored += pods;
        IntStream.range(0, pods).parallel().forEach(i -> {
            AdminClient.Reply reply = suite.post("tenant-" + group, "p" + i, "'tolerations':[" + tolerations + "]", "");
            assertThat(reply.code()).as("" + reply.body().path("message")).isEqualTo(201);
        });
    }
}
