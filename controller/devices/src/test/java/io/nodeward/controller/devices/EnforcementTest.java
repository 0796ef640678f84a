package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.core.rules.device.DeviceKey.Kind;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.status.StatusDetails;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the server has of rules that have an effect. */
class EnforcementTest {
    private static final String BROKEN = "device.attributes['gpu.example.com'].model == 'broken'";
    private final DevicesFixture cluster = DevicesFixture.started();

    @BeforeEach
    void devices() {
        cluster.server.serve();
        cluster.slice("s", "gpu.example.com", "node-1", "a=broken", "b=good", "c=broken");
    }

    private void rule(String name, Map<String, Object> selector, String effect, String added) {
        cluster.rule(name, Optional.of(selector), Map.of("effect", effect, "timeAdded", added));
    }

    /** Does what is decided until there is nothing left to do. */
    private StatusDetails.Text enforced(String rule) {
        Decision decision = cluster.reconcile(rule);
        while (decision instanceof Decision.Change change) {
            assertThat(change.change().objectKind()).isEqualTo(ServerRules.kind("v1"));
            cluster.server.write(change.change());
            decision = cluster.reconcile(rule);
        }
        return DevicesFixture.target(decision).details().orElseThrow().conditions().get(ServerRules.CONDITION);
    }

    @Test
    void each_device_that_is_selected_has_a_rule_of_the_server_that_evicts_nobody() {
        rule("r", DevicesFixture.cel(BROKEN), "NoExecute", "2026-01-01T00:00:00Z");
        assertThat(enforced("r").why().reason()).isEqualTo("NotReported");
        assertThat(cluster.server.cache.all())
                .extracting(rule -> rule.spec().selector().orElseThrow().device().orElseThrow())
                .containsExactlyInAnyOrder("a", "c");
        assertThat(cluster.server.cache.all()).allSatisfy(rule -> {
            assertThat(rule.spec().taint().timeAdded().orElseThrow()).isAfter("2325-01-01T00:00:00Z");
            assertThat(rule.spec().taint().effect()).isEqualTo("NoExecute");
            assertThat(rule.metadata().owners()).extracting(OwnerRef::name).containsExactly("r");
        });
        cluster.server.report(0);
        assertThat(enforced("r").status()).as("what it says of an older spec").isEqualTo(Condition.FALSE);
        cluster.server.report(1);
        assertThat(enforced("r").status()).isEqualTo(Condition.TRUE);

        cluster.slice("s", "gpu.example.com", "node-1", "a=good", "b=broken", "c=broken");
        enforced("r");
        assertThat(cluster.server.cache.all())
                .extracting(rule -> rule.spec().selector().orElseThrow().device().orElseThrow())
                .containsExactlyInAnyOrder("b", "c");
    }

    @Test
    void devices_that_are_not_known_keep_the_rules_of_the_server_that_they_have_also_after_a_restart() {
        rule("r", DevicesFixture.cel(BROKEN), "NoSchedule", "2026-01-01T00:00:00Z");
        enforced("r");
        cluster.unknownSlice("s", "gpu.example.com", "node-1");
        assertThat(enforced("r").why().message()).startsWith("Kubernetes has reported on 0 of 2");
        assertThat(cluster.count("r", "devices")).as("as they were").contains(2L);

        DevicesFixture.remove(cluster.caches.slices(), "", "s");
        cluster.settle();
        cluster.unknownSlice("s", "gpu.example.com", "node-1");
        cluster.settle();
        assertThat(cluster.count("r", "devices")).as("nothing is known").contains(0L);
        assertThat(enforced("r").why().message()).startsWith("Kubernetes has reported on 0 of 2");
        StatusDetails.Text unknown = cluster.shown("r").conditions().get("DevicesUnknown");
        assertThat(unknown.why().reason()).isEqualTo("MemoryShort");
        assertThat(unknown.why().message()).contains("the devices of 1 ResourceSlices are not known");

        rule("r", DevicesFixture.cel(BROKEN), "NoExecute", "2026-01-01T00:00:00Z");
        enforced("r");
        assertThat(cluster.server.cache.all()).hasSize(2)
                .allMatch(rule -> rule.spec().taint().effect().equals("NoExecute"));
        cluster.slice("s", "gpu.example.com", "node-1", "a=good", "c=broken");
        assertThat(enforced("r").why().message()).startsWith("Kubernetes has reported on 0 of 1");
        assertThat(cluster.shown("r").conditions()).doesNotContainKey("DevicesUnknown");
        cluster.unknownSlice("s", "gpu.example.com", "node-1");
        rule("r", DevicesFixture.cel(BROKEN), "None", "2026-01-01T00:00:00Z");
        enforced("r");
        assertThat(cluster.server.cache.size()).isZero();
    }

    @Test
    void a_device_that_a_slice_publishes_loses_a_rule_of_the_server_although_another_slice_of_its_pool_is_not_known() {
        rule("r", DevicesFixture.cel(BROKEN), "NoSchedule", "2026-01-01T00:00:00Z");
        cluster.unknownSlice("t", "gpu.example.com", "node-1");
        enforced("r");
        assertThat(cluster.server.cache.all()).extracting(EnforcementTest::device).containsOnly("a", "c");

        cluster.slice("s", "gpu.example.com", "node-1", "a=good", "b=good");
        enforced("r");
        assertThat(cluster.server.cache.all()).as("c may be in the other slice").extracting(EnforcementTest::device)
                .containsOnly("c");
    }

    private static String device(CustomResource<DeviceTaintRule> rule) {
        return rule.spec().selector().orElseThrow().device().orElseThrow();
    }

    @Test
    void a_rule_that_has_not_asked_all_devices_keeps_the_rules_of_the_server_that_it_has() {
        cluster.sized("many", "a", "p", 100, size -> size);
        rule("r", DevicesFixture.cel("device.attributes['a'].size < 2"), "NoSchedule", "2026-01-01T00:00:00Z");
        enforced("r");
        assertThat(cluster.server.cache.size()).isEqualTo(2);

        cluster.slow();
        rule("r", DevicesFixture.cel("device.attributes['a'].size in [1, 97, 98]"), "NoSchedule",
                "2026-01-01T00:00:00Z");
        int slices = 0;
        while (cluster.reconcile("r") instanceof Decision.Waiting) {
            slices++;
            assertThat(cluster.devices.granted(Kind.RULE)).containsExactly("r");
        }
        assertThat(slices).isEqualTo((3 + 100) / DevicesFixture.IN_A_SLICE);
        assertThat(cluster.server.cache.size()).isEqualTo(2);
        enforced("r");
        assertThat(cluster.server.cache.all())
                .extracting(rule -> rule.spec().selector().orElseThrow().device().orElseThrow())
                .containsExactlyInAnyOrder("x1", "x97", "x98");
    }

    @Test
    void with_the_effect_none_a_fault_or_no_selector_the_server_has_nothing() {
        rule("r", DevicesFixture.cel(BROKEN), "NoSchedule", "2026-01-01T00:00:00Z");
        enforced("r");
        assertThat(cluster.server.cache.size()).isEqualTo(2);
        rule("r", DevicesFixture.cel(BROKEN), "None", "2026-01-01T00:00:00Z");
        assertThat(enforced("r")).as("nothing is to be enforced").isNull();
        assertThat(cluster.server.cache.size()).isZero();
        rule("r", Map.of("pool", "node-1"), "NoSchedule", "2026-01-01T00:00:00Z");
        enforced("r");
        assertThat(cluster.server.cache.size()).isOne();
        rule("r", DevicesFixture.cel("device.driver == 1"), "NoSchedule", "2026-01-01T00:00:00Z");
        assertThat(cluster.reconcile("r")).as("the fault is reported while rules of the server are left")
                .isInstanceOfSatisfying(Decision.Change.class,
                        deletion -> assertThat(deletion.findings()).singleElement().satisfies(fault -> {
                            assertThat(fault.reason()).isEqualTo("Invalid");
                            assertThat(fault.leftOut()).isTrue();
                        }));
        assertThat(enforced("r")).isNull();
        assertThat(cluster.server.cache.size()).isZero();
    }

    @Test
    void a_rule_that_comes_to_need_too_many_keeps_those_that_it_has() {
        rule("r", DevicesFixture.cel(BROKEN), "NoSchedule", "2026-01-01T00:00:00Z");
        enforced("r");
        cluster.slice("stolen", "gpu.example.com", "node-2", "x=broken", "y=broken");
        assertThat(enforced("r").why().reason()).isEqualTo("TooManyDevices");
        assertThat(cluster.server.cache.all()).extracting(EnforcementTest::device).containsOnly("a", "c");

        cluster.slice("s", "gpu.example.com", "node-1", "a=broken", "b=broken", "c=good");
        enforced("r");
        assertThat(cluster.server.cache.all()).as("it selects the other no more").extracting(EnforcementTest::device)
                .containsOnly("a");
        rule("r", DevicesFixture.cel(BROKEN), "NoExecute", "2026-01-01T00:00:00Z");
        enforced("r");
        assertThat(cluster.server.cache.all()).extracting(rule -> rule.spec().taint().effect())
                .containsExactly("NoExecute");
        DevicesFixture.remove(cluster.caches.slices(), "", "stolen");
        cluster.settle();
        enforced("r");
        assertThat(cluster.server.cache.all()).extracting(EnforcementTest::device).containsOnly("a", "b");
    }

    @Test
    void rules_that_come_to_need_too_many_together_keep_those_that_they_have() {
        rule("cel", DevicesFixture.cel(BROKEN), "NoSchedule", "2026-01-01T00:00:00Z");
        rule("names", Map.of("pool", "node-1"), "NoSchedule", "2026-01-02T00:00:00Z");
        enforced("cel");
        enforced("names");
        cluster.slice("stolen", "gpu.example.com", "node-2", "x=broken");
        enforced("cel");
        assertThat(enforced("names").why().reason()).isEqualTo("TooManyDevices");
        assertThat(cluster.server.cache.size()).isEqualTo(3);
    }

    @Test
    void a_rule_that_needs_too_many_has_none_until_an_older_one_goes() {
        rule("old", DevicesFixture.cel(BROKEN), "NoSchedule", "2026-01-02T00:00:00Z");
        rule("new", DevicesFixture.cel("true", BROKEN), "NoSchedule", "2026-01-01T00:00:00Z"); // as a stranger may edit it
        enforced("old");
        StatusDetails.Text tooMany = enforced("new");
        assertThat(tooMany.status()).isEqualTo(Condition.FALSE);
        assertThat(tooMany.why().reason()).isEqualTo("TooManyDevices");
        assertThat(tooMany.why().message()).contains("needs 2 ").contains("may have 3");
        assertThat(cluster.server.cache.size()).isEqualTo(2);
        cluster.settle();

        rule("old", DevicesFixture.cel(BROKEN), "None", "2026-01-01T00:00:00Z");
        assertThat(cluster.settle()).as("who hears of it").contains("new");
        enforced("old");
        enforced("new");
        assertThat(cluster.server.cache.all()).allSatisfy(
                rule -> assertThat(rule.metadata().owners()).extracting(OwnerRef::name).containsExactly("new"));
    }

    @Test
    void where_the_server_has_no_such_rules_the_condition_says_so_and_nothing_is_written() {
        DevicesFixture older = DevicesFixture.started();
        older.server.serveNone();
        older.slice("s", "gpu.example.com", "node-1", "a=broken");
        older.rule("r", Optional.of(DevicesFixture.cel(BROKEN)),
                Map.of("effect", "NoExecute", "timeAdded", "2026-01-01T00:00:00Z"));
        Decision decision = older.reconcile("r");
        assertThat(decision).isInstanceOf(Decision.InEffect.class);
        assertThat(DevicesFixture.target(decision).details().orElseThrow().conditions().get(ServerRules.CONDITION).why()
                .reason()).isEqualTo("NotServed");
    }

    @Test
    void before_the_server_has_said_whether_it_has_such_rules_nothing_is_said_of_a_rule_with_an_effect() {
        DevicesFixture starting = DevicesFixture.started();
        starting.rule("none", DevicesFixture.ALL);
        starting.rule("r", Optional.of(DevicesFixture.ALL),
                Map.of("effect", "NoExecute", "timeAdded", "2026-01-01T00:00:00Z"));
        assertThat(starting.reconcile("none")).isInstanceOf(Decision.InEffect.class);
        assertThat(starting.reconcile("r")).isInstanceOfSatisfying(Decision.Waiting.class, waiting -> {
            assertThat(waiting.reason()).contains("DeviceTaintRules of resource.k8s.io");
            assertThat(waiting.owner().orElseThrow().details()).as("what is shown stays").isEmpty();
        });
        starting.server.serve();
        assertThat(starting.reconcile("r")).isInstanceOf(Decision.Change.class);
    }

    @Test
    void what_the_server_had_is_not_in_force_when_it_has_it_no_more() {
        rule("r", DevicesFixture.cel(BROKEN), "NoSchedule", "2026-01-01T00:00:00Z");
        enforced("r");
        cluster.server.report(1);
        assertThat(enforced("r").status()).isEqualTo(Condition.TRUE);
        cluster.server.serveNone();
        StatusDetails.Text gone = enforced("r");
        assertThat(gone.status()).isEqualTo(Condition.FALSE);
        assertThat(gone.why().reason()).isEqualTo("NotServed");
    }

    @Test
    void rules_hear_of_it_when_the_server_gains_or_loses_its_rules() {
        rule("r", DevicesFixture.cel(BROKEN), "NoSchedule", "2026-01-01T00:00:00Z");
        List<String> heard = new ArrayList<>();
        cluster.serverRules.whenChanged(DeviceTaintRule.DEFINITION, () -> cluster.devices.granted(Kind.RULE),
                cluster.caches.rules(), rule -> heard.add(rule.name()));
        cluster.server.serveNone();
        assertThat(heard).contains("r");
        heard.clear();
        cluster.server.serve();
        assertThat(heard).contains("r");
    }
}
