package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.rules.device.EvictionState.Shown;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whether a rule evicts, and what it says of that. */
class EvictionStatusTest {
    private static final Map<String, Object> ANY =
            DevicesFixture.cel("device.attributes['gpu.example.com'].model == 'any'");
    private final EvictionFixture cluster = new EvictionFixture();

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void a_rule_that_is_deleted_or_whose_effect_is_lowered_evicts_nobody_more() {
        cluster.pods(30);
        cluster.start();
        cluster.declare("NoExecute", 1);
        cluster.work();
        cluster.effect("NoSchedule");
        cluster.pass(30);
        assertThat(cluster.deleted).hasSize(10);
        assertThat(cluster.progress("reason")).isEqualTo("OtherEffect");
        cluster.effect("NoExecute");
        cluster.pass(3);
        assertThat(cluster.deleted).as("without a burst").hasSizeBetween(13, 14);
        int before = cluster.deleted.size();
        cluster.rule.delete();
        cluster.pass(30);
        assertThat(cluster.deleted).hasSize(before);
    }

    @Test
    void a_rule_that_is_deleted_while_the_server_answers_evicts_nobody() {
        cluster.pods(1);
        cluster.start();
        cluster.declare("NoExecute", 1);
        cluster.whileMarked = cluster.rule::delete;
        cluster.work();
        assertThat(cluster.marked).hasSize(1);
        assertThat(cluster.deleted).isEmpty();
    }

    @Test
    void a_rule_whose_effect_is_lowered_while_the_server_answers_evicts_nobody() {
        cluster.pods(1);
        cluster.start();
        cluster.declare("NoExecute", 1);
        cluster.whileMarked = () -> cluster.effect("NoSchedule");
        cluster.work();
        assertThat(cluster.marked).hasSize(1);
        assertThat(cluster.deleted).isEmpty();
    }

    @Test
    void a_device_that_is_not_selected_any_more_while_the_server_answers_costs_no_pod() {
        cluster.pods(1);
        cluster.start();
        cluster.declare(ANY, "NoExecute", 1, Map.of());
        cluster.whileMarked = () -> cluster.devices.slice("s", EvictionFixture.DRIVER, "node-1", "d0=other");
        cluster.work();
        assertThat(cluster.marked).hasSize(1);
        cluster.pass(2);
        assertThat(cluster.deleted).isEmpty();
        assertThat(cluster.progress("status")).isEqualTo("False");
    }

    @Test
    void while_a_rule_asks_other_devices_it_evicts_nobody() {
        cluster.pods(1);
        cluster.start();
        cluster.declare(ANY, "NoExecute", 1, Map.of());
        cluster.whileMarked = () -> {
            cluster.whileMarked = () -> {};
            cluster.devices.slow();
            cluster.devices.sized("many", EvictionFixture.DRIVER, "node-2", 100, size -> size);
        };
        cluster.work();
        assertThat(cluster.deleted).isEmpty();
        cluster.pass(2);
        assertThat(cluster.marked).as("once before, and again when all had been asked").containsExactly("p0", "p0");
        assertThat(cluster.deleted).containsExactly("p0");
    }

    @Test
    void when_the_server_loses_its_rules_while_it_answers_nobody_goes_until_it_has_them_again() {
        cluster.config.evictUnenforced = false;
        cluster.devices.server.serve();
        cluster.pods(30);
        cluster.start();
        cluster.declare("NoExecute", 1);
        cluster.work();
        assertThat(cluster.progress("reason")).isEqualTo("NotEnforced");
        cluster.devices.server.report(1);
        cluster.work();
        assertThat(cluster.deleted).hasSize(10);
        cluster.whileMarked = cluster.devices.server::serveNone;
        cluster.pass(30);
        assertThat(cluster.marked).hasSize(11);
        assertThat(cluster.deleted).hasSize(10);
        assertThat(cluster.rule.condition(ServerRules.CONDITION, "reason")).isEqualTo("NotServed");
        assertThat(cluster.progress("status")).isEqualTo("False");
        cluster.whileMarked = () -> {};
        cluster.devices.server.versions.all().getFirst().following();
        cluster.work();
        assertThat(cluster.deleted).hasSizeGreaterThan(10);
    }

    /** The scheduler would give the new device to the next pod, and the others to nobody. */
    @Test
    void pods_of_a_device_that_is_not_kept_off_yet_wait_and_others_go_on() {
        cluster.config.evictUnenforced = false;
        cluster.devices.server.serve();
        cluster.pods(1);
        for (int i = 0; i < 20; i++) {
            cluster.devices.claim("more" + i, EvictionFixture.DRIVER + "/node-1/d0", "more" + i);
            cluster.devices.pod("more" + i, "node-1");
        }
        cluster.start();
        cluster.declare(ANY, "NoExecute", 1, Map.of());
        cluster.work();
        cluster.devices.server.report(1);
        cluster.work();
        assertThat(cluster.deleted).hasSize(10);
        cluster.pods(1, 2);
        cluster.pass(20);
        assertThat(cluster.rule.condition(ServerRules.CONDITION, "reason")).isEqualTo("NotReported");
        assertThat(cluster.deleted).hasSize(21).doesNotContain("p1");
        assertThat(cluster.progress("status")).isEqualTo("True");
        cluster.devices.server.report(1);
        cluster.pass(3);
        assertThat(cluster.deleted).contains("p1");
        assertThat(cluster.progress("reason")).isEqualTo("Completed");
    }

    @Test
    void before_any_pod_goes_the_scheduler_knows_of_all_devices() {
        cluster.config.evictUnenforced = false;
        cluster.devices.server.serve();
        cluster.pods(2);
        cluster.start();
        cluster.declare(ANY, "NoExecute", 10, Map.of());
        cluster.work();
        cluster.devices.server.report(cluster.devices.server.cache.all().iterator().next(), 1);
        cluster.pass(5);
        assertThat(cluster.progress("reason")).isEqualTo("NotEnforced");
        assertThat(cluster.deleted).isEmpty();
        cluster.devices.server.report(1);
        cluster.pass(5);
        assertThat(cluster.deleted).hasSize(2);
    }

    @Test
    void a_process_that_comes_later_knows_that_pods_were_evicted() {
        cluster.pods(3);
        cluster.start();
        cluster.declare("NoExecute", 10);
        cluster.work();
        cluster.pass(1);
        assertThat(cluster.progress("message")).isEqualTo("3 pods evicted since the controller started");
        cluster.start();
        cluster.edit(Map.of("taint", Map.of("description", "seen by another process")));
        cluster.work();
        assertThat(cluster.progress("reason")).isEqualTo("Completed");
        assertThat(cluster.progress("message")).isEqualTo("no pod is left that has to be evicted");
    }

    /** A process that comes later would not know of the pods that are gone. */
    @Test
    void nobody_goes_before_the_status_shows_it() {
        cluster.rule.server.fault(1000, request -> request.path().endsWith("/status"),
                Fault.status(503, "ServiceUnavailable", "not now"));
        cluster.pods(3);
        cluster.start();
        cluster.declare("NoExecute", 1);
        cluster.work();
        cluster.pass(5);
        assertThat(cluster.deleted).isEmpty();
        cluster.rule.server.clearFaults();
        cluster.pass(60);
        assertThat(cluster.deleted).hasSize(3);
    }

    @Test
    void without_enforcement_nobody_goes_unless_that_is_asked_for() {
        cluster.config.evictUnenforced = false;
        cluster.pods(3);
        cluster.start();
        cluster.declare("NoExecute", 1);
        cluster.work();
        cluster.pass(30);
        assertThat(cluster.deleted).isEmpty();
        assertThat(cluster.marked).isEmpty();
        assertThat(cluster.progress("status")).isEqualTo("False");
        assertThat(cluster.progress("reason")).isEqualTo("NotEnforced");
    }

    @Test
    void a_rule_for_every_device_evicts_no_more_than_is_confirmed() {
        cluster.pods(3);
        cluster.start();
        cluster.declare(Map.of(), "NoExecute", 10, Map.of("confirmedPods", 2));
        cluster.work();
        cluster.pass(30);
        assertThat(cluster.deleted).isEmpty();
        assertThat(cluster.progress("message")).contains("would evict 3 pods").contains("confirmedPods to 3");
        cluster.edit(Map.of("confirmedPods", 3));
        cluster.pass(1);
        assertThat(cluster.deleted).hasSize(3);
    }

    /** Of a client that writes the time that is none, as Go does. */
    @Test
    void pods_of_a_taint_that_was_added_before_all_times_count() {
        cluster.pods(3);
        cluster.start();
        cluster.declare("None", 10);
        cluster.edit(Map.of("taint", Map.of("effect", "NoExecute", "timeAdded", "0001-01-01T00:00:00Z")));
        cluster.work();
        cluster.pass(1);
        assertThat(cluster.deleted).hasSize(3);
        assertThat(cluster.progress("message")).startsWith("3 pods evicted");
        assertThat(cluster.devices.registry.get("device.taint.eviction.controller.pod.deletions").counter().count())
                .isEqualTo(3);
        assertThat(cluster.devices.registry.get("device.taint.eviction.controller.pod.deletion.duration").timer()
                .totalTime(TimeUnit.DAYS)).isEqualTo(3);
    }

    /** An edit that lowers the effect is no less one because the next raises it before anybody has looked. */
    @Test
    void an_effect_that_was_lowered_and_raised_evicts_nobody_before_its_status_is_seen() {
        cluster.pods(1);
        cluster.start();
        cluster.declare("NoExecute", 1);
        List<Boolean> reported = new ArrayList<>();
        cluster.whileMarked = () -> {
            cluster.whileMarked = () -> reported.add(TaintStatus.shown(cluster.rule.seen()) == Shown.NOW);
            cluster.effect("None");
            cluster.effect("NoExecute");
        };
        cluster.work();
        assertThat(cluster.deleted).containsExactly("p0");
        assertThat(reported).as("once more, as the status showed it").containsExactly(true);
    }

    /** Another client may edit the status: an effect that becomes NoExecute would count from when the taint was added. */
    @Test
    void a_status_that_loses_what_the_next_decision_reads_is_written_again() {
        cluster.pods(1);
        cluster.start();
        cluster.declare("NoSchedule", 1);
        cluster.pass(31);
        JsonNode observed = cluster.rule.stored().at("/status/observedTaint");
        assertThat(observed.at("/effect").asText()).isEqualTo("NoSchedule");
        cluster.rule.server.mergePatch("devicetaintrules", "", "r", RuleFixture.MAPPER.createObjectNode()
                .set("status", RuleFixture.MAPPER.createObjectNode().putNull("observedTaint")));
        assertThat(cluster.rule.stored().at("/status/observedTaint").isMissingNode()).isTrue();
        cluster.pass(11);
        assertThat(cluster.rule.stored().at("/status/observedTaint")).isEqualTo(observed);
    }

    @Test
    void an_event_names_rule_taint_and_device() {
        cluster.rule.server.create("namespaces",
                RuleFixture.MAPPER.valueToTree(Map.of("metadata", Map.of("name", "ns"))));
        cluster.pods(1);
        cluster.start();
        cluster.declare("NoExecute", 10);
        cluster.work();
        assertThat(cluster.deleted).containsExactly("p0");
        await().until(cluster.rule.events::isIdle);
        JsonNode event = cluster.rule.server.list("events").getFirst();
        assertThat(event.path("message").asText()).contains("DeviceTaintRule r").contains("gpu.example.com/node-1/d0")
                .contains("example.com/broken:NoExecute").contains("ResourceClaim c0");
        assertThat(event.at("/involvedObject/name").asText()).isEqualTo("p0");
    }
}
