package io.nodeward.e2e.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.cli.Typed;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.Command.Result;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Devices tainted as somebody types it, by the command and by kubectl, under the real scheduler. */
@Tag("deep")
class DeviceCommandTest {
    private static final Path GUIDE = Path.of("..", "docs", "guide", "device-taints.md");
    private static final String DELETIONS = "device_taint_eviction_controller_pod_deletion";
    private static final String RULES = "/apis/nodeward.io/v1alpha1/devicetaintrules";
    private static final String PODS = "/api/v1/namespaces/ml/pods";
    private static final String BROKEN = "example.com/broken:NoExecute";

    private static DeviceSuite suite;
    private static RunningNodeward nodeward;
    private static Typed typed;

    @BeforeAll
    static void start() {
        suite = DeviceSuite.scheduled();
        nodeward = suite.run();
        typed = suite.typed();
    }

    @AfterAll
    static void stop() throws Exception {
        nodeward.close();
        suite.stop();
    }

    private static String run(String... words) {
        Result result = typed.run(Stream.concat(Stream.of("device"), Stream.of(words)).toArray(String[]::new));
        assertThat(result.exit()).as(result.err()).isZero();
        return result.out();
    }

    private static void eventually(String what, ThrowingRunnable check) {
        await(what).atMost(MachineSuite.PATIENCE).untilAsserted(check);
    }

    @Test
    void a_device_is_emptied_by_one_line_and_given_back_by_another() {
        suite.readyNode("typed");
        suite.slice("typed", "typed", 1, "[{'name':'d0'}]");
        suite.claim("typed", "[]");
        suite.pod("first", "", "typed");
        eventually("the device", () -> assertThat(suite.devices("typed")).containsExactly("d0"));
        eventually("a Node", () -> assertThat(suite.pod("first").at("/spec/nodeName").asText()).isEqualTo("typed"));

        Result refused = typed.run("device", "taint", "typed/d0", BROKEN);
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err())
                .contains("error: NoExecute would evict 1 pod: ml/first; --yes says that this is meant");
        assertThat(run("list", "--tainted")).as("rules").doesNotContain(BROKEN);

        double before = nodeward.metric(DELETIONS + "s_total");
        String rule = run("taint", "typed/d0", BROKEN, "--yes", "-o", "name").strip();
        suite.kubectl().run("wait", rule, "--for=condition=EvictionInProgress=false", "--timeout=60s").orThrow("wait");
        assertThat(suite.pods()).as("pods when the wait ends").doesNotContain("first");
        assertThat(nodeward.metric(DELETIONS + "s_total")).isEqualTo(before + 1);
        assertThat(nodeward.metric(DELETIONS + "_duration_seconds_count")).isEqualTo(before + 1);
        eventually("the claim is given back", () -> assertThat(suite.devices("typed")).isEmpty());
        suite.pod("second", "", "typed");
        eventually("no device for it", () -> assertThat(suite.pod("second").at("/status/conditions/0/reason").asText())
                .isEqualTo("Unschedulable"));
        assertThat(run("list", "--tainted", "-o", "wide")).contains("gpu.example.com/typed/d0", BROKEN, rule
                .substring(rule.indexOf('/') + 1));

        assertThat(run("untaint", BROKEN + "-")).isEqualTo(
                "devicetaintrule.nodeward.io \"" + rule.substring(rule.indexOf('/') + 1) + "\" deleted\n");
        eventually("the device again", () -> assertThat(suite.devices("typed")).containsExactly("d0"));
    }

    @Test
    void a_rule_that_expires_goes_by_itself_and_not_before() {
        suite.slice("expiring", "expiring", 1, "[{'name':'d0'}]");
        AuditLog.Mark mark = suite.mark();
        String rule =
                run("taint", "expiring/d0", "example.com/broken:NoSchedule", "--expires", "5s", "-o", "name").strip();
        String name = rule.substring(rule.indexOf('/') + 1);
        Instant expires = Instant.parse(suite.admin().get(suite.path(name))
                .at("/metadata/annotations/nodeward.io~1expires").asText());
        suite.kubectl().run("wait", rule, "--for=delete", "--timeout=60s").orThrow("wait");
        eventually("by the controller", () -> assertThat(suite.writes(mark, "devicetaintrules"))
                .filteredOn(request -> request.is("delete", "devicetaintrules") && request.name().equals(name))
                .singleElement().satisfies(request -> {
                    assertThat(request.code()).isEqualTo(200);
                    assertThat(request.at()).isAfterOrEqualTo(expires);
                }));
        eventually("nothing is left", () -> assertThat(suite.serverRules(name)).isEmpty());
    }

    /** Each line of the guide for kubectl, in its order; what is seen in between is what the guide says. */
    @Test
    void the_guides_safe_eviction_is_true() throws IOException {
        suite.readyNode("node-1");
        suite.slice("node-1", "node-1", 1, "[" + firmware("gpu-0", "1.2") + "," + firmware("gpu-1", "1.2") + ","
                + firmware("gpu-2", "1.3") + ",{'name':'gpu-3'}]");
        String tolerates = "[{'key':'example.com/broken','operator':'Exists'}]";
        use("trainer", "train", "gpu-0", "[]");
        use("watcher", "watch", "gpu-1", tolerates);
        String guide = Files.readString(GUIDE);
        suite.kubectl().apply(between(guide, "```yaml\n", "```\n"));
        suite.awaitCounts("broken", 2, 1);

        List<String> shown = new ArrayList<>();
        for (String line : lines(guide, "## See what would be evicted", "## Respect PodDisruptionBudgets")) {
            shown.add(suite.kubectl().shell(line).orThrow(line).out());
            if (line.contains("condition=EvictionInProgress")) {
                assertThat(suite.pods()).as("when '" + line + "' ends").contains("watcher").doesNotContain("trainer");
            }
        }
        assertThat(shown.getFirst()).containsPattern("NAME +EFFECT +DEVICES +PODS +AGE\nbroken +None +2 +1 +");
        assertThat(shown)
                .anySatisfy(text -> assertThat(text).contains("pod/trainer", "evicted by DeviceTaintRule broken"));
        assertThat(shown).anySatisfy(text -> assertThat(text).contains("nodeward-broken-"));
        assertThat(shown.getLast()).contains("\"broken\" deleted");
        eventually("nothing is left", () -> assertThat(suite.serverRules("broken")).isEmpty());
    }

    @Test
    void a_monitor_taints_the_device_that_it_knows_with_the_guides_role() throws IOException {
        suite.readyNode("monitored");
        suite.slice("monitored", "monitored", 1,
                "[{'name':'d0','attributes':{'uuid':{'string':'7f3a'}}},{'name':'d1'}]");
        String section = section(Files.readString(GUIDE), "## Let a monitor taint devices", "## Before you use it");
        suite.kubectl().apply(between(section, "```yaml\n", "```\n"));
        String rule = between(section, "<<END\n", "    END\n").replaceAll("(?m)^ {4}", "");
        try (AdminClient monitor = suite.user("monitor", "device-monitor")) {
            await("the right").atMost(MachineSuite.PATIENCE).until(() -> monitor.send(
                    "POST", RULES, AdminClient.JSON, Json.yaml(rule).getFirst().toString()).isOk());
            assertThat(monitor.send("GET", PODS, AdminClient.JSON, "").code()).isEqualTo(403);
        }
        suite.awaitCounts("gpu-7f3a", 1, 0);
        suite.awaitCondition("gpu-7f3a", "SchedulingEnforced", "True");
        assertThat(suite.names("gpu-7f3a", "devices")).containsExactly("gpu.example.com/monitored/d0");
    }

    private static String section(String guide, String from, String to) {
        assertThat(guide).contains(from, to);
        return guide.substring(guide.indexOf(from), guide.indexOf(to));
    }

    private static String between(String text, String from, String to) {
        int start = text.indexOf(from) + from.length();
        return text.substring(start, text.indexOf(to, start));
    }

    private static String firmware(String device, String version) {
        return "{'name':'%s','attributes':{'firmware':{'string':'%s'}}}".formatted(device, version);
    }

    private static void use(String pod, String claim, String device, String tolerations) {
        suite.claim(claim, tolerations);
        suite.pod(pod, "node-1", claim);
        suite.allocate(claim, "node-1", device, tolerations, pod);
    }

    /** What is typed between two headings, with its shown output left out. */
    private static List<String> lines(String guide, String from, String to) {
        List<String> lines = section(guide, from, to).lines()
                .filter(line -> line.matches(" {4}(\\$ )?kubectl .*"))
                .map(line -> line.strip().replaceAll("^\\$ | \\| .*", ""))
                .toList();
        assertThat(lines).hasSizeGreaterThan(6);
        return lines;
    }
}
