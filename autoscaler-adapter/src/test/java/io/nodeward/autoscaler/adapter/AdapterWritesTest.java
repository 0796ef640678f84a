package io.nodeward.autoscaler.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.rules.capacity.Autoscaler;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is advertised to the autoscaler, and how many requests it costs. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class AdapterWritesTest extends AdapterFixture {
    @Test
    void each_kind_of_node_group_costs_one_request() throws Exception {
        List<String> kinds = List.of(DEPLOYMENTS, "machinesets", "machinepools");
        kinds.forEach(kind -> group(kind, "g", "a=1:NoSchedule", "o=2:NoExecute:OnInitialization"));
        start();

        kinds.forEach(kind -> awaitText(kind, "g", "a=1:NoSchedule,o=2:NoExecute"));
        settle();
        assertThat(writes()).hasSize(3).allSatisfy(request -> {
            assertThat(request.contentType()).startsWith("application/apply-patch+yaml");
            assertThat(request.query()).isEqualTo("fieldManager=nodeward-autoscaler&force=true");
            assertThat(request.body()).contains("\"resourceVersion\":\"", "\"uid\":\"").doesNotContain("\"spec\"");
        });
        assertThat(annotation(DEPLOYMENTS, "g", TRACKING)).isEqualTo("a=1:NoSchedule,o=2:NoExecute");
        assertThat(gauge("nodeward.autoscaler.groups")).isEqualTo(3);
        assertThat(gauge("nodeward.autoscaler.redundant.groups")).isEqualTo(3);
    }

    @Test
    void taints_declared_by_annotation_of_the_template_are_advertised_too() {
        group(DEPLOYMENTS, "g", "a=1:NoSchedule");
        management.mergePatch(DEPLOYMENTS, "fleet", "g", json(
                "{'spec':{'template':{'metadata':{'annotations':{'taint.nodeward.io/x':'x:NoExecute'}}}}}"));
        start();

        awaitText(DEPLOYMENTS, "g", "a=1:NoSchedule,x:NoExecute");
        assertThat(gauge("nodeward.autoscaler.groups")).isEqualTo(1);
        assertThat(gauge("nodeward.autoscaler.redundant.groups")).isZero();
    }

    @Test
    void a_group_whose_labels_are_advertised_is_not_redundant() {
        config.labels = true;
        group(DEPLOYMENTS, "g", "a=1:NoSchedule");
        group(DEPLOYMENTS, "h", "a=1:NoSchedule");
        management.mergePatch(DEPLOYMENTS, "fleet", "g", json(
                "{'spec':{'template':{'metadata':{'labels':{'node.cluster.x-k8s.io/zone':'z'}}}}}"));
        start();

        awaitText(DEPLOYMENTS, "g", "a=1:NoSchedule");
        await().until(() -> gauge("nodeward.autoscaler.redundant.groups") >= 1);
        await().until(() -> gauge("nodeward.autoscaler.groups") == 2);
        assertThat(gauge("nodeward.autoscaler.redundant.groups")).isEqualTo(1);
    }

    @Test
    void a_group_whose_annotation_outdoes_the_spec_is_not_redundant_and_an_event_says_so() {
        config.autoscaler = Autoscaler.READS_SPEC;
        group(DEPLOYMENTS, "g", "a=1:NoSchedule");
        annotate(DEPLOYMENTS, "g", TAINTS, "a=old:NoSchedule");
        start();

        await().untilAsserted(() -> assertThat(management.list("events"))
                .singleElement().satisfies(
                        event -> assertThat(event.path("reason").asText()).isEqualTo("CapacityEntryOverrides")));
        assertThat(gauge("nodeward.autoscaler.groups")).isEqualTo(1);
        assertThat(gauge("nodeward.autoscaler.redundant.groups")).isZero();
    }

    @Test
    void a_paused_group_is_counted_and_so_is_one_whose_write_is_refused() {
        group(DEPLOYMENTS, "g", "a=1:NoSchedule");
        group(DEPLOYMENTS, "paused", "a=1:NoSchedule");
        annotate(DEPLOYMENTS, "paused", "cluster.x-k8s.io/paused", "");
        group(DEPLOYMENTS, "refused", "a=1:NoSchedule");
        for (String name : List.of("paused", "refused")) {
            management.mergePatch(DEPLOYMENTS, "fleet", name, json(
                    "{'spec':{'template':{'metadata':{'annotations':{'taint.nodeward.io/x':'x:NoExecute'}}}}}"));
        }
        management.fault(1_000, r -> r.method().equals("PATCH") && r.path().endsWith("/refused"),
                Fault.status(422, "Invalid", "somebody's policy"));
        start();

        await().until(() -> gauge("nodeward.autoscaler.redundant.groups") == 1);
        await().until(() -> !management.list("events").isEmpty());
        assertThat(gauge("nodeward.autoscaler.groups")).isEqualTo(3);
        assertThat(gauge("nodeward.autoscaler.redundant.groups")).isEqualTo(1);
    }

    @Test
    void what_is_no_node_group_is_not_touched() throws Exception {
        group(DEPLOYMENTS, "g", "a=1:NoSchedule");
        group(DEPLOYMENTS, "plain", "a=1:NoSchedule");
        management.mergePatch(DEPLOYMENTS, "fleet", "plain", json("{'metadata':{'annotations':null}}"));
        group("machinesets", "owned", "a=1:NoSchedule");
        management.mergePatch("machinesets", "fleet", "owned", json("{'metadata':{'ownerReferences':[{'apiVersion':"
                + "'cluster.x-k8s.io/v1beta2','kind':'MachineDeployment','name':'g','uid':'u','controller':true}]}}"));
        start();

        awaitText(DEPLOYMENTS, "g", "a=1:NoSchedule");
        settle();
        assertThat(writes()).hasSize(1);
    }

    @Test
    void a_change_of_the_declaration_is_followed_in_place() throws Exception {
        group(DEPLOYMENTS, "g", "a=1:NoSchedule", "b=1:NoExecute");
        start();
        awaitText(DEPLOYMENTS, "g", "a=1:NoSchedule,b=1:NoExecute");

        declare(DEPLOYMENTS, "g", "a=2:NoSchedule");
        awaitText(DEPLOYMENTS, "g", "a=2:NoSchedule");
        declare(DEPLOYMENTS, "g");
        awaitText(DEPLOYMENTS, "g", null);
        settle();
        assertThat(annotation(DEPLOYMENTS, "g", TRACKING)).isNull();
        assertThat(writes()).hasSize(3);
    }

    @Test
    void what_a_user_writes_is_kept_and_wins_and_ours_goes_from_beside_it() throws Exception {
        group(DEPLOYMENTS, "g", "a=1:NoSchedule", "b=1:NoExecute");
        start();
        awaitText(DEPLOYMENTS, "g", "a=1:NoSchedule,b=1:NoExecute");

        annotate(DEPLOYMENTS, "g", TAINTS, "u=1:NoExecute,b=mine:NoExecute,a=1:NoSchedule");
        settle();
        assertThat(writes()).as("all is there, in another order").hasSize(1);
        declare(DEPLOYMENTS, "g");
        awaitText(DEPLOYMENTS, "g", "u=1:NoExecute,b=mine:NoExecute");
        assertThat(annotation(DEPLOYMENTS, "g", TRACKING)).isNull();
    }

    @Test
    void ours_goes_even_if_a_user_has_edited_the_text() {
        group(DEPLOYMENTS, "g", "a=1:NoSchedule", "b=1:NoExecute");
        start();
        awaitText(DEPLOYMENTS, "g", "a=1:NoSchedule,b=1:NoExecute");
        annotate(DEPLOYMENTS, "g", TAINTS, "b=1:NoExecute,a=1:NoSchedule");

        declare(DEPLOYMENTS, "g");
        awaitText(DEPLOYMENTS, "g", null);
    }

    @Test
    void a_text_written_by_hand_that_says_it_already_is_not_written() throws Exception {
        group(DEPLOYMENTS, "g", "a=1:NoSchedule");
        annotate(DEPLOYMENTS, "g", TAINTS, "a=1:NoSchedule");
        start();
        await().until(() -> gauge("nodeward.autoscaler.redundant.groups") == 1);
        settle();

        assertThat(writes()).isEmpty();
        assertThat(management.list("events")).isEmpty();
    }

    @Test
    void what_cannot_be_read_is_kept_and_named_in_an_event() {
        group(DEPLOYMENTS, "g", "a=1:NoSchedule");
        annotate(DEPLOYMENTS, "g", TAINTS, "u:NoExecute, v:NoExecute");
        start();

        awaitText(DEPLOYMENTS, "g", "a=1:NoSchedule,u:NoExecute, v:NoExecute");
        await().untilAsserted(() -> assertThat(management.list("events"))
                .singleElement().satisfies(event -> {
                    assertThat(event.path("reason").asText()).isEqualTo("UnreadableCapacityEntry");
                    assertThat(event.path("message").asText()).contains("a blank too many");
                    assertThat(event.at("/involvedObject/kind").asText()).isEqualTo("MachineDeployment");
                }));
    }

    @Test
    void what_another_manager_applies_is_left_to_it_with_an_event_that_says_the_text() throws Exception {
        group(DEPLOYMENTS, "g", "a=1:NoSchedule");
        start();
        awaitText(DEPLOYMENTS, "g", "a=1:NoSchedule");
        applyAs("capi-topology", "g", "u:NoExecute");

        await().untilAsserted(() -> assertThat(management.list("events"))
                .singleElement().satisfies(event -> {
                    assertThat(event.path("reason").asText()).isEqualTo("CapacityAppliedByOther");
                    assertThat(event.path("message").asText())
                            .contains("capi-topology", "set it there to: a=1:NoSchedule,u:NoExecute");
                }));
        settle();
        assertThat(annotation(DEPLOYMENTS, "g", TAINTS)).isEqualTo("u:NoExecute");
        assertThat(writes()).hasSize(1);
    }

    @Test
    void what_is_kept_in_a_manifest_that_a_client_applies_is_left_to_it() throws Exception {
        group(DEPLOYMENTS, "g", "a=1:NoSchedule");
        annotate(DEPLOYMENTS, "g", TAINTS, "u:NoExecute");
        annotate(DEPLOYMENTS, "g", "kubectl.kubernetes.io/last-applied-configuration",
                "{\"metadata\":{\"annotations\":{\"" + TAINTS + "\":\"u:NoExecute\"}}}");
        start();

        await().untilAsserted(() -> assertThat(management.list("events"))
                .singleElement().satisfies(event -> {
                    assertThat(event.path("reason").asText()).isEqualTo("CapacityAppliedByOther");
                    assertThat(event.path("message").asText()).contains(
                            "kubectl-client-side-apply", "set it there to: a=1:NoSchedule,u:NoExecute");
                }));
        settle();
        assertThat(writes()).isEmpty();
    }

    @Test
    void who_keeps_undoing_it_is_not_fought_for_ever() throws Exception {
        group(DEPLOYMENTS, "g", "a=1:NoSchedule");
        start();
        for (int i = 0; i < 5; i++) {
            awaitText(DEPLOYMENTS, "g", "a=1:NoSchedule");
            annotate(DEPLOYMENTS, "g", TAINTS, null);
        }
        await().untilAsserted(() -> assertThat(management.list("events"))
                .singleElement().satisfies(
                        event -> assertThat(event.path("reason").asText()).isEqualTo("DriftRecurring")));
        settle();
        assertThat(writes()).hasSize(5);

        declare(DEPLOYMENTS, "g", "a=2:NoSchedule");
        awaitText(DEPLOYMENTS, "g", "a=2:NoSchedule");
    }

    @Test
    void sizes_that_go_take_what_was_written_with_them() {
        group(DEPLOYMENTS, "g", "a=1:NoSchedule");
        start();
        awaitText(DEPLOYMENTS, "g", "a=1:NoSchedule");

        management.mergePatch(DEPLOYMENTS, "fleet", "g", json("{'metadata':{'annotations':{"
                + "'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size':null}}}"));
        awaitText(DEPLOYMENTS, "g", null);
    }

    @Test
    void a_paused_group_is_advertised_when_the_pause_ends() throws Exception {
        group(DEPLOYMENTS, "g", "a=1:NoSchedule");
        management.mergePatch("clusters", "fleet", "c", json("{'spec':{'paused':true}}"));
        start();
        settle();
        assertThat(writes()).isEmpty();

        management.mergePatch("clusters", "fleet", "c", json("{'spec':{'paused':false}}"));
        awaitText(DEPLOYMENTS, "g", "a=1:NoSchedule");
    }

    @Test
    void labels_are_advertised_if_asked_for_and_taken_back_if_not() throws Exception {
        group(DEPLOYMENTS, "g");
        management.mergePatch(DEPLOYMENTS, "fleet", "g", json(
                "{'spec':{'template':{'metadata':{'labels':{'node.cluster.x-k8s.io/zone':'z','team':'t'}}}}}"));
        config.labels = true;
        start();
        await().untilAsserted(() -> assertThat(
                annotation(DEPLOYMENTS, "g", CapacityAnnotations.LABELS)).isEqualTo("node.cluster.x-k8s.io/zone=z"));

        stopController();
        config.labels = false;
        start();
        await().untilAsserted(() -> assertThat(
                annotation(DEPLOYMENTS, "g", CapacityAnnotations.LABELS)).isNull());
        assertThat(annotation(DEPLOYMENTS, "g", CapacityAnnotations.LABELS_TRACKING)).isNull();
    }

    @Test
    void a_restart_writes_nothing_and_withdrawing_leaves_nothing() throws Exception {
        group(DEPLOYMENTS, "g", "a=1:NoSchedule");
        start();
        awaitText(DEPLOYMENTS, "g", "a=1:NoSchedule");
        stopController();
        management.clearRequests();
        start();
        await().until(() -> gauge("nodeward.autoscaler.redundant.groups") == 1);
        settle();
        assertThat(writes()).isEmpty();

        stopController();
        config.withdraw = true;
        start();
        awaitText(DEPLOYMENTS, "g", null);
        assertThat(annotation(DEPLOYMENTS, "g", TRACKING)).isNull();
    }

    @Test
    void how_much_is_left_to_withdraw_is_counted_paused_groups_included() throws Exception {
        group(DEPLOYMENTS, "g", "a=1:NoSchedule");
        group(DEPLOYMENTS, "paused", "a=1:NoSchedule");
        start();
        awaitText(DEPLOYMENTS, "g", "a=1:NoSchedule");
        awaitText(DEPLOYMENTS, "paused", "a=1:NoSchedule");
        await().until(() -> gauge("nodeward.autoscaler.advertised.groups") == 2);
        annotate(DEPLOYMENTS, "paused", "cluster.x-k8s.io/paused", "");

        stopController();
        config.withdraw = true;
        start();
        awaitText(DEPLOYMENTS, "g", null);
        await().until(() -> gauge("nodeward.autoscaler.advertised.groups") == 1);
        annotate(DEPLOYMENTS, "paused", "cluster.x-k8s.io/paused", null);
        await().until(() -> gauge("nodeward.autoscaler.advertised.groups") == 0);
    }

    @Test
    void a_machine_set_that_a_deployment_adopts_keeps_no_condition() {
        group("machinesets", "g", "a=1:NoSchedule");
        management.mergePatch("machinesets", "fleet", "g", json("{'status':{'conditions':[{'type':'"
                + AdapterReconciler.CONDITION + "','status':'True','reason':'CapacityRefused','message':'m',"
                + "'lastTransitionTime':'2026-11-22T10:00:00Z'}]},'metadata':{'ownerReferences':[{'apiVersion':"
                + "'cluster.x-k8s.io/v1beta2','kind':'MachineDeployment','name':'d','uid':'u','controller':true}]}}"));
        start();

        await().until(() -> management.requests().stream().anyMatch(
                r -> r.method().equals("PATCH") && r.path().endsWith("/machinesets/g/status")
                        && !r.body().contains("CapacityBlocked")));
        assertThat(annotation("machinesets", "g", TAINTS)).isNull();
    }

    @Test
    void a_write_that_is_refused_is_named_and_stops_no_other() {
        group(DEPLOYMENTS, "g", "a=1:NoSchedule");
        group(DEPLOYMENTS, "h", "a=1:NoSchedule");
        management.fault(1_000, AdapterWritesTest::isWriteOfG, Fault.status(422, "Invalid", "somebody's policy"));
        start();

        awaitText(DEPLOYMENTS, "h", "a=1:NoSchedule");
        await().untilAsserted(() -> assertThat(management.list("events"))
                .singleElement().satisfies(event -> {
                    assertThat(event.path("reason").asText()).isEqualTo("CapacityRefused");
                    assertThat(event.path("message").asText()).contains("somebody's policy");
                }));
    }

    private static boolean isWriteOfG(Request request) {
        return request.method().equals("PATCH") && request.path().endsWith("/g");
    }
}
