package io.nodeward.e2e.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.time.Duration;
import java.util.List;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Devices whose taints a monitor lists one by one, under the real scheduler. */
@Tag("deep")
class DeviceListsTest {
    private static final String KEY = "'key':'health.example.com/ecc'";
    private static final String TOLERATES = "[{'key':'health.example.com/ecc','operator':'Exists'}]";

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

    private static void eventually(String what, ThrowingRunnable check) {
        await(what).atMost(MachineSuite.PATIENCE).untilAsserted(check);
    }

    /** @param taints each of a device, as {@code DEVICE:EFFECT} */
    private static String taints(String... taints) {
        return List.of(taints).stream().map(taint -> taint.split(":", -1))
                .map(parts -> "{'device':'%s','taint':{%s,'effect':'%s'}}".formatted(parts[0], KEY, parts[1])).toList()
                .toString();
    }

    private static void running(String pool, String... devices) {
        for (String device : devices) {
            String name = pool + "-" + device;
            suite.claim(name, "[]");
            suite.pod(name, pool, name);
            suite.allocate(name, pool, device, "[]", name);
        }
    }

    private static String condition(String slice, String type, String field) {
        return suite.taintSlice(slice).at("/status/conditions").valueStream()
                .filter(condition -> condition.path("type").asText().equals(type)).findFirst()
                .map(condition -> condition.path(field).asText()).orElse("");
    }

    @Test
    void a_listed_device_goes_to_who_tolerates_its_taint_alone() {
        suite.readyNode("listed");
        suite.slice("listed", "listed", 1, "[{'name':'bad'},{'name':'good'}]");
        suite.taintSlice("listed", "listed", taints("bad:NoSchedule", "good:None"));
        eventually("enforced", () -> assertThat(condition("listed", "SchedulingEnforced", "status")).isEqualTo("True"));
        suite.claim("first", "[]");
        suite.pod("first", "", "first");
        eventually("the device that is left", () -> assertThat(suite.devices("first")).containsExactly("good"));
        suite.claim("second", "[]");
        suite.pod("second", "", "second");
        eventually("no device for it", () -> assertThat(suite.pod("second").at("/status/conditions/0/reason").asText())
                .isEqualTo("Unschedulable"));
        suite.claim("maintenance", TOLERATES);
        suite.pod("maintenance", "", "maintenance");
        eventually("the listed device", () -> assertThat(suite.devices("maintenance")).containsExactly("bad"));

        suite.taintSlice("listed", "[]");
        eventually("no server's rule", () -> assertThat(suite.serverRules("listed")).isEmpty());
        assertThat(condition("listed", "Ready", "status")).as("an empty list is valid").isEqualTo("True");
        List.of("first", "second", "maintenance").forEach(suite::deletePod); // a pod that waits takes the next device there is
    }

    @Test
    void no_execute_evicts_from_its_device_alone_until_the_effect_is_lowered() {
        suite.readyNode("evicted");
        suite.slice("evicted", "evicted", 1, "[{'name':'a'},{'name':'b'}]");
        running("evicted", "a", "b");
        AuditLog.Mark mark = suite.mark();
        suite.taintSlice("evicted", "evicted", taints("a:NoExecute", "b:NoSchedule"));
        eventually("it goes", () -> assertThat(suite.pods()).doesNotContain("evicted-a"));
        eventually("done", () -> assertThat(condition("evicted", "EvictionInProgress", "reason"))
                .isEqualTo("Completed"));
        assertThat(suite.writes(mark, "pods").stream().filter(request -> request.is("delete", "pods"))).hasSize(1);
        assertThat(suite.pods()).contains("evicted-b");
        JsonNode status = suite.taintSlice("evicted").path("status");
        assertThat(status.path("evictionBegan").asBoolean()).isTrue();
        assertThat(status.path("observedTaints")).hasSize(2);

        suite.taintSlice("evicted", taints("a:None", "b:None"));
        eventually("lowered", () -> assertThat(condition("evicted", "EvictionInProgress", "reason"))
                .isEqualTo("NoEffect"));
        suite.pod("next", "evicted", "evicted-a");
        suite.reserve("evicted-a", "next");
        suite.awaitQuiet(mark, "pods", Duration.ofSeconds(2));
        assertThat(suite.pods()).contains("next", "evicted-b");
    }

    @Test
    void a_newer_generation_of_the_pool_makes_names_unknown() {
        suite.slice("old", "generation", 1, "[{'name':'a'},{'name':'b'}]");
        suite.taintSlice("generation", "generation", taints("a:None", "b:None", "typo:None"));
        eventually("one is unknown", () -> {
            assertThat(suite.taintSlice("generation").at("/status/unknown").toString()).isEqualTo("[\"typo\"]");
            assertThat(suite.taintSlice("generation").at("/status/devices").asInt()).isEqualTo(2);
        });
        suite.slice("new", "generation", 2, "[{'name':'a'}]");
        eventually("two are unknown", () -> assertThat(suite.taintSlice("generation").at("/status/unknown").toString())
                .isEqualTo("[\"b\",\"typo\"]"));
    }

    @Test
    void what_stands_for_a_slice_goes_with_it() {
        suite.taintSlice("deleted", "deleted", taints("a:NoExecute", "b:NoSchedule", "c:None"));
        eventually("they", () -> assertThat(suite.serverRules("deleted")).hasSize(2));
        suite.deleteTaintSlice("deleted");
        eventually("none", () -> assertThat(suite.serverRules("deleted")).isEmpty());
    }
}
