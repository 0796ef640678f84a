package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import io.nodeward.core.rules.device.DeviceKey.Kind;
import io.nodeward.core.runtime.time.Pacer;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.StatusDetails;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RuleReconcilerTest {
    private static final String BROKEN = "device.attributes['gpu.example.com'].model == 'broken'";
    private final DevicesFixture cluster = DevicesFixture.started();

    @BeforeEach
    void devices() {
        cluster.slice("s", "gpu.example.com", "node-1", "a=broken", "b=good");
        cluster.claim("claim", "gpu.example.com/node-1/a", "pod");
        cluster.pod("pod", "node-1");
    }

    @Test
    void a_status_counts_the_devices_that_are_selected_and_the_pods_that_would_go() {
        cluster.rule("r", DevicesFixture.cel(BROKEN));
        Decision decision = cluster.reconcile("r");
        assertThat(decision).isInstanceOf(Decision.InEffect.class);
        StatusDetails shown = cluster.shown("r");
        assertThat(shown.fields().get("observedGeneration").integer()).hasValue(
                cluster.caches.rules().get(ObjectKey.clusterScoped("r")).orElseThrow().generation());
        assertThat(shown.fields().get("devices").integer()).hasValue(1);
        assertThat(shown.fields().get("pods").integer()).hasValue(1);
        assertThat(shown.fields().get("preview").at("devices").at("names").elements())
                .containsExactly(new Tree.Text("gpu.example.com/node-1/a"));
        assertThat(shown.fields().get("preview").at("evicted").at("names").elements())
                .containsExactly(new Tree.Text("ns/pod"));
        assertThat(cluster.shown("r").conditions()).containsOnlyKeys("EvictionInProgress");
    }

    @Test
    void without_a_selector_a_rule_selects_nothing_and_an_empty_one_selects_all() {
        cluster.rule("none", Optional.empty(), Map.of("timeAdded", "2026-01-01T00:00:00Z"));
        cluster.rule("all", DevicesFixture.ALL);
        assertThat(cluster.reconcile("none")).isInstanceOf(Decision.InEffect.class);
        assertThat(cluster.count("none", "devices")).contains(0L);
        assertThat(cluster.count("all", "devices")).contains(2L);
    }

    @Test
    void what_is_wrong_with_a_rule_is_told_with_its_fields_and_nothing_is_counted() {
        cluster.rule("r", Optional.of(DevicesFixture.cel("device.driver == 1", "true")),
                Map.of("effect", "PreferNoSchedule"));
        Decision decision = cluster.reconcile("r");
        assertThat(DevicesFixture.blocked(decision)).hasValueSatisfying(by -> {
            assertThat(by.reason()).isEqualTo("Invalid");
            assertThat(by.message()).startsWith("spec.deviceSelector.selectors[0].cel.expression: Invalid value: ")
                    .contains("; spec.taint.effect: Unsupported value: \"PreferNoSchedule\": supported values: ");
        });
        assertThat(((Decision.Blocked) decision).event()).isTrue();
        assertThat(cluster.shown("r").fields()).containsOnlyKeys("observedGeneration", "observedTaint");
        assertThat(cluster.devices.evaluations()).isZero();
    }

    /** Its selector alone is good, and would have the device of the claim. */
    @Test
    void a_rule_with_a_fault_selects_nothing() {
        cluster.rule("r", DevicesFixture.ALL);
        assertThat(cluster.settle()).containsExactly("r");
        cluster.rule("r", Optional.of(DevicesFixture.ALL), Map.of("effect", "PreferNoSchedule"));
        cluster.settle();
        cluster.pod("pod", "");
        assertThat(cluster.settle()).as("concerned by the pod").isEmpty();
        assertThat(cluster.source("r").orElseThrow().preview())
                .hasValueSatisfying(preview -> assertThat(preview.devices().count()).isZero());
    }

    @Test
    void a_class_that_is_missing_is_told_without_an_event_and_may_come_later() {
        cluster.rule("r", Map.of("deviceClassName", "gpus"));
        Decision decision = cluster.reconcile("r");
        assertThat(DevicesFixture.blocked(decision)).contains(new Blocked("DeviceClassNotFound",
                "spec.deviceSelector.deviceClassName: there is no DeviceClass gpus, so that the rule selects no device"));
        assertThat(((Decision.Blocked) decision).event()).isFalse();
        assertThat(cluster.count("r", "devices")).contains(0L);
        cluster.deviceClass("gpus", BROKEN);
        assertThat(cluster.reconcile("r")).isInstanceOf(Decision.InEffect.class);
        assertThat(cluster.count("r", "devices")).contains(1L);
    }

    @Test
    void devices_of_which_an_expression_has_no_answer_are_a_condition_with_the_first_of_them_and_the_error() {
        cluster.rule("r", DevicesFixture.cel("device.attributes['gpu.example.com'].serial == 'x'"));
        assertThat(cluster.reconcile("r")).isInstanceOf(Decision.InEffect.class);
        assertThat(cluster.count("r", "failed")).contains(2L);
        assertThat(cluster.count("r", "devices")).contains(0L);
        StatusDetails.Text condition = cluster.shown("r").conditions().get("EvaluationFailed");
        assertThat(condition.status()).isEqualTo(Condition.TRUE);
        assertThat(condition.why().reason()).isEqualTo("ExpressionError");
        assertThat(condition.why().message()).startsWith("no taint on 2 devices, for which an expression has no"
                + " answer. The first is gpu.example.com/node-1/a: ").contains("serial");
        assertThat(cluster.shown("r").conditions()).containsOnlyKeys("EvaluationFailed", "EvictionInProgress");
    }

    @Test
    void the_time_of_a_taint_is_set_once_to_the_second_and_holds_on_the_version_that_lacks_it() {
        cluster.rule("r", Optional.of(DevicesFixture.ALL), Map.of());
        Decision.Change change = (Decision.Change) cluster.reconcile("r");
        ObjectChange update = change.change();
        assertThat(update.verb()).isEqualTo(new Verb.Apply(Tree.of(
                Map.of("spec", Map.of("taint", Map.of("timeAdded", "2026-01-02T03:04:05Z")))), true));
        assertThat(update.preconditions()).isEqualTo(ObjectChange.Preconditions.of(
                cluster.caches.rules().get(ObjectKey.clusterScoped("r")).orElseThrow().metadata()));
        assertThat(update.seen().orElseThrow().cache()).isSameAs(cluster.caches.rules());
        assertThat(change.owner().details()).as("shown if the write is refused").isPresent();
        cluster.rule("r", DevicesFixture.ALL);
        assertThat(cluster.reconcile("r")).isInstanceOf(Decision.InEffect.class);
    }

    @Test
    void a_status_is_never_of_a_newer_spec_than_the_one_that_was_matched() {
        cluster.rule("r", DevicesFixture.ALL);
        cluster.reconcile("r");
        List<Decision> meanwhile = new ArrayList<>();
        cluster.meanwhile = () -> meanwhile.add(cluster.reconcile("r"));
        cluster.rule("r", DevicesFixture.cel(BROKEN));
        assertThat(meanwhile).isNotEmpty().hasOnlyElementsOfType(Decision.Waiting.class);
        cluster.meanwhile = () -> {};
        assertThat(cluster.count("r", "devices")).contains(1L);
    }

    @Test
    void the_gauges_of_a_rule_show_its_status_and_end_with_it() {
        cluster.rule("r", DevicesFixture.cel(BROKEN));
        cluster.reconcile("r");
        assertThat(gauge("nodeward.devices.selected")).isEqualTo(1);
        assertThat(gauge("nodeward.devices.pods")).isEqualTo(1);
        cluster.claim("lost", "gpu.example.com/node-2/gone", "pod");
        cluster.reconcile("r");
        assertThat(gauge("nodeward.devices.pods")).isNaN();
        assertThat(cluster.registry.get("nodeward.devices.evaluations").functionCounter().count()).isEqualTo(2);
        DevicesFixture.remove(cluster.caches.rules(), "", "r");
        assertThat(cluster.reconcile("r")).isInstanceOf(Decision.Gone.class);
        assertThat(cluster.registry.find("nodeward.devices.selected").gauges()).isEmpty();
        assertThat(cluster.registry.find("nodeward.devices.pods").gauges()).isEmpty();
    }

    @Test
    void each_rule_counts_as_what_was_decided_last() {
        cluster.rule("preview", DevicesFixture.ALL);
        cluster.rule("off", Optional.of(DevicesFixture.ALL),
                Map.of("effect", "NoSchedule", "timeAdded", "2026-11-01T12:00:00Z"));
        cluster.rule("faulty", Optional.of(DevicesFixture.ALL), Map.of("effect", "NoExecute", "key", "-"));
        cluster.server.serveNone();
        for (String rule : List.of("preview", "off", "faulty")) {
            cluster.reconcile(rule);
        }
        assertThat(List.of(rules("Preview"), rules("NotEnforced"), rules("Invalid"), rules("Waiting")))
                .containsExactly(1.0, 1.0, 1.0, 0.0);
        cluster.meanwhile = () -> cluster.reconcile("preview");
        cluster.rule("preview", DevicesFixture.cel(BROKEN));
        assertThat(List.of(rules("Preview"), rules("Waiting"))).containsExactly(0.0, 1.0);
        DevicesFixture.remove(cluster.caches.rules(), "", "faulty");
        cluster.meanwhile = () -> {};
        cluster.reconcile("faulty");
        assertThat(rules("Invalid")).isZero();
    }

    private double rules(String state) {
        return cluster.registry.get("nodeward.devices.rules").tag("state", state).gauge().value();
    }

    @Test
    void a_device_under_two_rules_of_an_effect_is_one_tainted_device() {
        cluster.rule("all", DevicesFixture.ALL);
        cluster.rule("broken", DevicesFixture.cel(BROKEN));
        cluster.rule("off", Optional.of(DevicesFixture.cel(BROKEN)), Map.of("effect", "NoSchedule"));
        cluster.rule("faulty", Optional.of(DevicesFixture.ALL), Map.of("effect", "NoExecute", "key", "-"));
        cluster.settle();
        assertThat(tainted("None")).isEqualTo(cluster.devices.tainted("None")).isEqualTo(2);
        assertThat(tainted("NoSchedule")).isEqualTo(1);
        assertThat(tainted("NoExecute")).isZero();
    }

    @Test
    void a_device_counts_once_whether_a_rule_selects_it_or_taint_slices_name_it() {
        cluster.rule("off", Optional.of(DevicesFixture.cel(BROKEN)), Map.of("effect", "NoSchedule"));
        String pool = "gpu.example.com/node-1";
        cluster.taintSlice("one", pool, "a:k:NoSchedule", "b:k:NoSchedule", "a:k:NoExecute", "b:k:NoExecute",
                "unknown:k:NoSchedule");
        cluster.taintSlice("other", pool, "b:other:NoSchedule");
        cluster.taintSlice("faulty", pool, "a:-:NoExecute");
        cluster.settle();
        assertThat(tainted("NoSchedule")).isEqualTo(2);
        assertThat(tainted("NoExecute")).as("a rule of another effect does not count").isEqualTo(2);
        assertThat(tainted("None")).isZero();
    }

    private double tainted(String effect) {
        return cluster.registry.get("nodeward.devices.tainted").tag("effect", effect).gauge().value();
    }

    private double gauge(String name) {
        return cluster.registry.get(name).tag("rule", "r").gauge().value();
    }

    @Test
    void nothing_is_counted_before_all_has_been_seen_and_the_status_says_what_is_awaited() {
        DevicesFixture starting = new DevicesFixture();
        starting.rule("r", DevicesFixture.ALL);
        List<String> kinds = List.copyOf(starting.caches.all().keySet());
        for (int seen = 0; seen < kinds.size(); seen++) {
            int next = seen;
            assertThat(starting.reconcile("r")).isInstanceOfSatisfying(Decision.Waiting.class, waiting -> {
                assertThat(waiting.reason()).isEqualTo("all " + String.join(", ", kinds.subList(next, kinds.size()))
                        + " of the cluster. The controller needs the right to list and watch them"
                        + (next == kinds.indexOf("pods") ? "" : "; Kubernetes serves resource.k8s.io/v1 from 1.34 on"));
                assertThat(waiting.owner().orElseThrow().details()).as("what is shown stays").isEmpty();
            });
            DevicesFixture.sync(starting.caches.all().get(kinds.get(seen)));
        }
        assertThat(starting.reconcile("r")).isInstanceOf(Decision.InEffect.class);
    }

    @Test
    void after_a_restart_the_pods_of_a_device_whose_slice_is_gone_are_unknown_and_not_none() {
        DevicesFixture.remove(cluster.caches.slices(), "", "s");
        cluster.rule("cel", DevicesFixture.cel(BROKEN));
        cluster.rule("names", Map.of("pool", "node-1"));
        cluster.rule("other", Map.of("pool", "node-2"));
        assertThat(cluster.count("cel", "unknown")).contains(1L);
        assertThat(cluster.count("cel", "pods")).isEmpty();
        StatusDetails.Text condition = cluster.shown("cel").conditions().get("DevicesUnknown");
        assertThat(condition.status()).isEqualTo(Condition.TRUE);
        assertThat(condition.why()).isEqualTo(new Blocked("NotPublished",
                "it is not known whether the rule selects 1 device that claims have, so the number of pods is unknown."
                        + " The first is gpu.example.com/node-1/a: ResourceClaim ns/claim has it; no ResourceSlice"
                        + " publishes the device"));
        assertThat(cluster.shown("cel").conditions()).containsOnlyKeys("DevicesUnknown", "EvictionInProgress");
        assertThat(cluster.count("names", "pods")).contains(1L);
        assertThat(cluster.count("other", "pods")).contains(0L);
        assertThat(cluster.count("other", "unknown")).contains(0L);
    }

    @Test
    void a_rule_that_waits_evicts_nobody_until_it_is_decided_on_again() {
        cluster.server.serve();
        cluster.slice("s", "gpu.example.com", "node-1", "d=any");
        cluster.claim("c", "gpu.example.com/node-1/d", "p");
        cluster.pod("p", "node-1");
        cluster.rule("r", Optional.of(Map.of("driver", "gpu.example.com", "pool", "node-1")),
                Map.of("effect", "NoExecute", "timeAdded", "2026-01-01T00:00:00Z"));
        CustomResource<DeviceTaintRule> rule = cluster.caches.rules().get(ObjectKey.clusterScoped("r")).orElseThrow();
        cluster.caches.rules().put(new CustomResource<>(rule.metadata().withResourceVersion("shown"), rule.generation(),
                rule.spec(),
                List.of(new Condition(TaintStatus.EVICTION, Condition.TRUE, "PodsPendingEviction", "",
                        Instant.EPOCH, rule.generation())),
                "{\"evictionBegan\":true}", rule.created()));
        cluster.settle();
        Evictions evictions = cluster.evictions(new Pacer<>(() -> 0), () -> 0, () -> Instant.EPOCH, true);
        TaintReconciler reconciler = cluster.reconciler(
                Kind.RULE, evictions, () -> Instant.EPOCH);
        DeviceName device = new DeviceName("gpu.example.com", "node-1", "d");
        reconciler.reconcile(rule.key());
        assertThat(evictions.of(device)).containsOnlyKeys("r");
        cluster.server.serveOther();
        assertThat(reconciler.reconcile(rule.key())).isInstanceOf(Decision.Waiting.class);
        assertThat(evictions.of(device)).isEmpty();
        cluster.server.serveNone();
        reconciler.reconcile(rule.key());
        assertThat(evictions.of(device)).containsOnlyKeys("r");
    }
}
