package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.device.DeviceKey.Kind;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A device that a rule no longer selects keeps the rule's taint for a while. */
class UntaintAfterTest {
    private static final ObjectKey RULE = ObjectKey.clusterScoped("r");
    private final DevicesFixture cluster = DevicesFixture.started();
    private TaintReconciler reconciler = cluster.reconciler;

    @BeforeEach
    void twoBrokenDevices() {
        cluster.server.serve();
        devices("a=broken", "c=broken");
        rule("10m", Map.of("effect", "NoSchedule"));
        assertThat(tainted()).containsExactly("a", "c");
    }

    private void devices(String... devices) {
        cluster.slice("s", "gpu.example.com", "node-1", devices);
    }

    private void rule(String untaintAfter, Map<String, Object> taint) {
        Map<String, Object> whole = new HashMap<>(
                Map.of("key", "example.com/broken", "timeAdded", "2026-01-01T00:00:00Z"));
        whole.putAll(taint);
        cluster.put("r", Map.of("taint", whole, "untaintAfter", untaintAfter, "deviceSelector",
                DevicesFixture.cel("device.attributes['gpu.example.com'].model == 'broken'")));
    }

    /** Does what is decided until there is nothing left to do. Returns the devices that the server keeps off new pods. */
    private List<String> tainted() {
        Decision decision = decide();
        while (decision instanceof Decision.Change change) {
            cluster.server.write(change.change());
            decision = decide();
        }
        return cluster.server.cache.all().stream()
                .map(rule -> rule.spec().selector().orElseThrow().name().device()).sorted().toList();
    }

    private Decision decide() {
        cluster.settle();
        return reconciler.reconcile(RULE);
    }

    private List<String> recovering() {
        Tree names = DevicesFixture.target(decide()).details().orElseThrow().fields().get("recovering").at("names");
        return new ArrayList<>(names.elements()).stream().map(Tree::string).toList();
    }

    private void pass(Duration time) {
        cluster.nanos += time.toNanos();
    }

    @Test
    void a_device_keeps_the_taint_until_the_time_is_over_and_no_pod_is_evicted_for_it() {
        rule("10m", Map.of("effect", "NoExecute"));
        assertThat(tainted()).containsExactly("a", "c");
        devices("a=good", "c=broken");
        cluster.claim("claim", "gpu.example.com/node-1/a", "pod");
        cluster.pod("pod", "node-1");
        assertThat(tainted()).containsExactly("a", "c");
        assertThat(recovering()).containsExactly("gpu.example.com/node-1/a");
        assertThat(cluster.count("r", "devices")).contains(1L);
        assertThat(cluster.count("r", "pods")).contains(0L);
        assertThat(cluster.source("r").orElseThrow().evicting().get("r").devices()).isEmpty();
        assertThat(cluster.server.cache.all()).as("for Kubernetes, which would evict")
                .allSatisfy(rule -> assertThat(rule.spec().taint().timeAdded().orElseThrow())
                        .isAfter("2325-01-01T00:00:00Z"));

        pass(Duration.ofMinutes(9));
        assertThat(decide()).isInstanceOfSatisfying(Decision.InEffect.class, decision -> assertThat(decision.recheck())
                .contains(new Result.RequeueAfter(Duration.ofMinutes(1), "untaintAfter")));
        pass(Duration.ofMinutes(1));
        assertThat(tainted()).containsExactly("c");
        assertThat(recovering()).isEmpty();
    }

    @Test
    void the_time_of_each_device_begins_when_the_rule_no_longer_selects_it() {
        devices("a=good", "c=broken");
        assertThat(tainted()).containsExactly("a", "c");
        pass(Duration.ofMinutes(6));
        devices("a=good", "c=good");
        assertThat(tainted()).containsExactly("a", "c");
        pass(Duration.ofMinutes(4));
        assertThat(tainted()).containsExactly("c");
        pass(Duration.ofMinutes(6));
        assertThat(tainted()).isEmpty();
    }

    @Test
    void a_device_that_is_selected_again_has_all_its_time_again() {
        devices("a=good", "c=broken");
        assertThat(tainted()).containsExactly("a", "c");
        pass(Duration.ofMinutes(9));
        devices("a=broken", "c=broken");
        assertThat(tainted()).containsExactly("a", "c");
        assertThat(recovering()).isEmpty();
        devices("a=good", "c=broken");
        pass(Duration.ofMinutes(9));
        assertThat(tainted()).containsExactly("a", "c");
    }

    @Test
    void a_device_that_no_slice_publishes_keeps_the_taint_too() {
        devices("c=broken");
        assertThat(tainted()).containsExactly("a", "c");
        pass(Duration.ofMinutes(10));
        assertThat(tainted()).containsExactly("c");
    }

    @Test
    void an_edit_of_the_rule_ends_it_at_once_and_the_time_of_its_taint_does_not() {
        devices("a=good", "c=broken");
        assertThat(tainted()).containsExactly("a", "c");
        rule("10m", Map.of("effect", "NoSchedule", "timeAdded", "2026-01-01T00:00:01Z"));
        assertThat(tainted()).as("which Nodeward itself sets").containsExactly("a", "c");
        rule("11m", Map.of("effect", "NoSchedule"));
        assertThat(tainted()).containsExactly("c");
    }

    @Test
    void without_the_field_a_device_loses_the_taint_at_once() {
        rule("", Map.of("effect", "NoSchedule"));
        assertThat(tainted()).containsExactly("a", "c");
        devices("a=good", "c=broken");
        assertThat(tainted()).containsExactly("c");
        assertThat(DevicesFixture.target(decide()).details().orElseThrow().fields()).doesNotContainKey("recovering");
    }

    @Test
    void after_a_restart_the_rule_of_the_server_proves_it_and_the_time_begins_anew() {
        devices("a=good", "c=broken");
        assertThat(tainted()).containsExactly("a", "c");
        pass(Duration.ofMinutes(9));
        store(decide());
        restart();
        assertThat(tainted()).containsExactly("a", "c");
        pass(Duration.ofMinutes(9));
        assertThat(tainted()).containsExactly("a", "c");
        pass(Duration.ofMinutes(1));
        assertThat(tainted()).containsExactly("c");
    }

    @Test
    void after_a_restart_a_rule_that_was_edited_meanwhile_keeps_nothing() {
        store(decide());
        CustomResource<DeviceTaintRule> rule = cluster.caches.rules().get(RULE).orElseThrow();
        cluster.caches.rules().put(new CustomResource<>(rule.metadata(), rule.generation() + 1, rule.spec(), List.of(),
                rule.status(), rule.created()));
        devices("a=good", "c=broken");
        restart();
        assertThat(tainted()).containsExactly("c");
    }

    /** The rules of the server go one by one after an edit. */
    @Test
    void a_rule_that_is_killed_before_all_of_an_earlier_spec_are_gone_keeps_nothing_of_that() {
        devices("a=good", "c=good");
        rule("11m", Map.of("effect", "NoSchedule"));
        Decision.Change first = (Decision.Change) decide();
        cluster.server.write(first.change());
        assertThat(cluster.server.cache.size()).isOne();
        store(first);
        restart();
        assertThat(tainted()).isEmpty();
        store(decide());
        devices("a=broken", "c=good");
        assertThat(tainted()).containsExactly("a");
        devices("a=good", "c=good");
        restart();
        assertThat(tainted()).as("none was left when the status was written").containsExactly("a");
    }

    private void restart() {
        reconciler = cluster.reconciler(Kind.RULE, cluster.evictions, () -> Instant.parse("2026-01-02T03:04:05Z"));
    }

    /** Stores what a decision shows of recovering devices. */
    private void store(Decision decision) {
        Tree shown = DevicesFixture.target(decision).details().orElseThrow().fields().get("recovering");
        CustomResource<DeviceTaintRule> rule = cluster.caches.rules().get(RULE).orElseThrow();
        cluster.caches.rules().put(new CustomResource<>(rule.metadata(), rule.generation(), rule.spec(), List.of(),
                Trees.text(Tree.of(Map.of("recovering", shown))), rule.created()));
    }

    @Test
    void without_rules_of_the_server_nothing_recovers_and_nothing_is_asked_again() {
        devices("a=good", "c=broken");
        assertThat(tainted()).containsExactly("a", "c");
        store(decide());
        cluster.server.serveNone();
        pass(Duration.ofMinutes(11));
        assertThat(recovering()).as("a restart needs what is shown").containsExactly("gpu.example.com/node-1/a");
        assertThat(decide()).isInstanceOfSatisfying(Decision.InEffect.class,
                decision -> assertThat(decision.recheck()).isEmpty());
    }

    @Test
    void a_device_that_is_broken_gets_the_place_of_the_one_that_has_recovered_longest() {
        devices("a=good", "c=broken");
        assertThat(tainted()).containsExactly("a", "c");
        pass(Duration.ofMinutes(1));
        devices("a=good", "c=good");
        assertThat(tainted()).containsExactly("a", "c");
        devices("a=good", "c=good", "x=broken");
        assertThat(tainted()).as("one place stays free for other rules").containsExactly("c", "x");
        devices("a=good", "c=good", "x=broken", "y=broken", "z=broken");
        assertThat(tainted()).containsExactly("x", "y", "z");
        assertThat(condition()).isEqualTo("NotReported");
    }

    private String condition() {
        return DevicesFixture.target(decide()).details().orElseThrow().conditions().get(ServerRules.CONDITION).why()
                .reason();
    }

    @Test
    void a_rule_gives_up_what_it_keeps_when_another_rule_has_taken_the_last_place() {
        devices("a=good", "c=good");
        assertThat(tainted()).containsExactly("a", "c");
        Set<String> heard = new HashSet<>();
        cluster.serverRules.whenChanged(DeviceTaintRule.DEFINITION, () -> cluster.devices.granted(Kind.RULE),
                cluster.caches.rules(), rule -> heard.add(rule.name()));
        heard.clear();
        cluster.rule("other", Optional.of(Map.of("pool", "node-1")),
                Map.of("effect", "NoSchedule", "timeAdded", "2026-01-01T00:00:00Z"));
        Decision decision = cluster.reconcile("other");
        while (decision instanceof Decision.Change change) {
            cluster.server.write(change.change());
            decision = cluster.reconcile("other");
        }
        assertThat(cluster.server.cache.size()).isEqualTo(DevicesFixture.SERVER_RULES);
        assertThat(heard).as("it selects no device, and needs no rule of the server").contains("r");
        assertThat(tainted()).as("with the one of the pool, which names no device").hasSize(2).contains("");
    }

    @Test
    void a_rule_that_selects_nothing_any_more_says_so_while_devices_recover() {
        devices("a=good", "c=good");
        assertThat(tainted()).containsExactly("a", "c");
        assertThat(condition()).isEqualTo("NoDevices");
    }

    @Test
    void a_rule_whose_class_is_gone_keeps_its_devices_for_as_long() {
        cluster.deviceClass("gpus", "device.attributes['gpu.example.com'].model == 'broken'");
        cluster.put("r", Map.of("taint", Map.of("key", "example.com/broken", "effect", "NoSchedule", "timeAdded",
                "2026-01-01T00:00:00Z"), "untaintAfter", "10m", "deviceSelector", Map.of("deviceClassName", "gpus")));
        assertThat(tainted()).containsExactly("a", "c");
        DevicesFixture.remove(cluster.caches.classes(), "", "gpus");
        assertThat(tainted()).containsExactly("a", "c");
        assertThat(decide()).isInstanceOfSatisfying(Decision.Blocked.class, decision -> assertThat(decision.recheck())
                .contains(new Result.RequeueAfter(Duration.ofMinutes(10), "untaintAfter")));
        pass(Duration.ofMinutes(10));
        assertThat(tainted()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'key':'other','effect':'NoSchedule'}",
            "{'key':'example.com/broken','effect':'NoExecute'}",
            "{'key':'example.com/broken','value':'x','effect':'NoSchedule'}"})
    void a_rule_of_the_server_that_another_client_has_edited_or_deleted_is_not_kept(String taint) {
        RuleTaint edit = DeviceTaintRule.of(Trees.read("{'taint':%s}".formatted(taint).replace('\'', '"'))).taint();
        devices("a=good", "c=good");
        CustomResource<DeviceTaintRule> edited = cluster.server.cache.all().stream()
                .filter(rule -> rule.spec().selector().orElseThrow().device().equals(Optional.of("a"))).findFirst()
                .orElseThrow();
        cluster.server.cache.put(new CustomResource<>(edited.metadata().withResourceVersion("8"), 2,
                new DeviceTaintRule(edited.spec().selector(), edit), List.of()));
        assertThat(tainted()).containsExactly("c");
        cluster.server.remove(cluster.server.cache.all().iterator().next().key());
        assertThat(tainted()).isEmpty();
    }

    @Test
    void a_rule_that_is_being_deleted_keeps_nothing() {
        devices("a=good", "c=broken");
        assertThat(tainted()).containsExactly("a", "c");
        CustomResource<DeviceTaintRule> rule = cluster.caches.rules().get(RULE).orElseThrow();
        Metadata metadata = rule.metadata();
        cluster.caches.rules().put(new CustomResource<>(
                new Metadata(RULE, metadata.uid(), "9", Map.of(), Map.of(), List.of(), true), rule.generation(),
                rule.spec(), List.of(), rule.status(), rule.created()));
        assertThat(tainted()).isEmpty();
    }

    @Test
    void a_rule_that_is_wrong_keeps_nothing() {
        devices("a=good", "c=broken");
        assertThat(tainted()).containsExactly("a", "c");
        rule("10 min", Map.of("effect", "NoSchedule"));
        assertThat(decide()).isInstanceOfSatisfying(Decision.Change.class,
                change -> assertThat(change.findings().toString()).contains("spec.untaintAfter: Invalid value: "
                        + "\"10 min\": must be a time in hours, minutes and seconds, from 1s to 8760h"));
        assertThat(tainted()).isEmpty();
    }
}
