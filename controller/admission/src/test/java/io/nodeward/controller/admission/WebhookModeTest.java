package io.nodeward.controller.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.rules.validation.Enforcement;
import io.nodeward.core.runtime.webhook.WebhookClientConfig;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

class WebhookModeTest extends AdmissionFixture {
    private static final String RESERVED = "node.cluster.x-k8s.io/uninitialized";

    @Test
    void it_is_registered_where_it_answers_and_with_whom_to_trust() throws Exception {
        start(config());
        JsonNode webhook = made(WEBHOOKS, NAME).at("/webhooks/0");

        assertThat(webhook.path("failurePolicy").asText()).isEqualTo("Ignore");
        assertThat(webhook.path("timeoutSeconds").asInt()).isEqualTo(3);
        assertThat(webhook.path("sideEffects").asText()).isEqualTo("None");
        assertThat(webhook.path("rules")).hasSize(2);
        JsonNode refused = Caller.create(made(WEBHOOKS, NAME), "Machine", RESERVED);
        assertThat(refused.path("allowed").asBoolean()).isFalse();
        assertThat(refused.at("/status/message").asText()).contains("managed by Cluster API");
        assertThat(Caller.create(made(WEBHOOKS, NAME), "Machine", "gpu").path("allowed").asBoolean()).isTrue();
        assertThat(reviews("Machine", "refused")).isOne();
        assertThat(reviews("Machine", "allowed")).isOne();
        assertThat(meters.get("nodeward.admission.certificate.expiry").gauge().value()).isBetween(89 * 86400.0,
                90 * 86400.0);
        passUntil(() -> meters.get("nodeward.admission.in.force").gauge().value() == 1);
    }

    private double reviews(String kind, String verdict) {
        return meters.get("nodeward.admission.reviews").tag("kind", kind).tag("verdict", verdict).counter().count();
    }

    @Test
    void a_service_is_called_by_its_name() {
        AdmissionConfig config = config();
        config.service = WebhookClientConfig.parse("ops/webhook:8443");
        config.failurePolicy = AdmissionConfig.FailurePolicy.Fail;
        management.create("namespaces", json("{'metadata':{'name':'ops'}}"));
        start(config);

        JsonNode webhook = made(WEBHOOKS, NAME).at("/webhooks/0");
        assertThat(webhook.at("/clientConfig/service"))
                .isEqualTo(json("{'namespace':'ops','name':'webhook','port':8443,'path':'/admission/machine-taints'}"));
        assertThat(webhook.path("failurePolicy").asText()).isEqualTo("Fail");
        assertThat(management.get("secrets", "ops", NAME)).isPresent();
    }

    @Test
    void nothing_is_written_when_all_is_as_it_should_be() throws Exception {
        AdmissionConfig config = config();
        Runnable end = start(new AdmissionModule(config, true, false, false), "", false);
        JsonNode before = made(WEBHOOKS, NAME);
        settle();
        end.run();
        management.clearRequests();
        meters.clear(); // or the gauge would be that of the one that has ended

        start(config);
        passUntil(() -> meters.get("nodeward.admission.in.force").gauge().value() == 1);
        settle();
        assertThat(writes()).isEmpty();
        assertThat(made(WEBHOOKS, NAME)).isEqualTo(before);
    }

    @Test
    void what_somebody_changes_or_deletes_is_put_right() {
        start(config());
        JsonNode before = content(made(WEBHOOKS, NAME));

        ObjectNode changed = ((ObjectNode) made(WEBHOOKS, NAME)).deepCopy();
        ((ObjectNode) changed.at("/webhooks/0")).put("failurePolicy", "Fail");
        management.mergePatch(WEBHOOKS, "", NAME, json("{}").set("webhooks", changed.path("webhooks")));
        passUntil(() -> content(made(WEBHOOKS, NAME)).equals(before));

        management.mergePatch(WEBHOOKS, "", NAME, json("{'metadata':{'labels':null}}"));
        passUntil(() -> made(WEBHOOKS, NAME).at("/metadata/labels").has("nodeward.io/component"));

        management.delete(WEBHOOKS, "", NAME);
        assertThat(content(made(WEBHOOKS, NAME))).isEqualTo(before);
    }

    private static JsonNode content(JsonNode configuration) {
        return configuration.path("webhooks");
    }

    @Test
    void what_others_add_to_it_stays() throws Exception {
        start(config());
        made(WEBHOOKS, NAME);
        management.mergePatch(WEBHOOKS, "", NAME, json("{'metadata':{'annotations':{'example.com/note':'x'}}}"));
        settle();

        assertThat(made(WEBHOOKS, NAME).at("/metadata/annotations").has("example.com/note")).isTrue();
        int before = writes().size();
        management.mergePatch(WEBHOOKS, "", NAME, json("{'metadata':{'annotations':{'example.com/note':'y'}}}"));
        settle();
        assertThat(writes()).hasSize(before);
    }

    @Test
    void somebody_elses_configuration_of_this_name_is_left_alone() throws Exception {
        JsonNode theirs = management.create(WEBHOOKS, json("{'metadata':{'name':'nodeward-admission'},'webhooks':[]}"));
        start(config());
        made("secrets", NAME);
        settle();

        assertThat(management.get(WEBHOOKS, "", NAME)).contains(theirs);
        assertThat(meters.get("nodeward.admission.in.force").gauge().value()).isZero();
        management.delete(WEBHOOKS, "", NAME);
        passUntil(() -> made(WEBHOOKS, NAME).path("webhooks").size() == 1);
    }

    @Test
    void a_dry_run_writes_nothing() throws Exception {
        start(config(), true, "", true);
        passUntil(() -> meters.get("nodeward.admission.certificate.expiry").gauge().value() > 0);
        settle();

        assertThat(writes()).isEmpty();
        assertThat(management.list(WEBHOOKS)).isEmpty();
        assertThat(meters.get("nodeward.admission.in.force").gauge().value()).isZero();
    }

    @Test
    void what_can_no_longer_be_looked_at_is_not_called_in_force() {
        start(config());
        passUntil(() -> meters.get("nodeward.admission.in.force").gauge().value() == 1);
        management.fault(1_000, r -> r.path().endsWith("/" + NAME) && r.path().contains(WEBHOOKS),
                Fault.status(500, "InternalError", "not now"));
        management.mergePatch(WEBHOOKS, "", NAME, json("{'metadata':{'annotations':{'a':'b'}}}"));
        passUntil(() -> meters.get("nodeward.admission.in.force").gauge().value() == 0);
        management.clearFaults();
        passUntil(() -> meters.get("nodeward.admission.in.force").gauge().value() == 1);
    }

    @Test
    void a_watch_filter_has_objects_of_its_own_and_asks_for_those_it_selects() {
        start(config(), true, "Team_A", false);
        start(config());

        JsonNode filtered = made(WEBHOOKS, "nodeward-admission-team-a");
        assertThat(filtered.at("/webhooks/0/objectSelector/matchLabels"))
                .isEqualTo(json("{'cluster.x-k8s.io/watch-filter':'Team_A'}"));
        assertThat(made(WEBHOOKS, NAME).at("/webhooks/0").has("objectSelector")).isFalse();
        made("secrets", "nodeward-admission-team-a");
    }

    @Test
    void with_the_gate_off_setting_is_blocked_but_for_kinds_that_cluster_api_validates() throws Exception {
        upstream("machine", "machines");
        management.create(WEBHOOKS, configuration("kyverno", "/validate/fail", "machinesets"));
        management.create(WEBHOOKS, configuration("partial", "/validate-cluster-x-k8s-io-v1beta2-machinepool", "x"));
        start(config(), false, "", false);
        JsonNode own = made(WEBHOOKS, NAME);

        assertThat(Caller.create(own, "Machine", "gpu").path("allowed").asBoolean()).isTrue();
        assertThat(Caller.create(own, "Machine", RESERVED).path("allowed").asBoolean()).isFalse();
        assertThat(Caller.create(own, "MachineSet", "gpu").at("/status/message").asText())
                .contains("MachineTaintPropagation is off");
        assertThat(Caller.create(own, "MachinePool", "gpu").path("allowed").asBoolean()).isFalse();
        management.delete(WEBHOOKS, "", "upstream-machines");
        passUntil(() -> !Caller.create(own, "Machine", "gpu").path("allowed").asBoolean());
        upstream("machine", "machines");
        passUntil(() -> Caller.create(own, "Machine", "gpu").path("allowed").asBoolean());
    }

    @Test
    void faults_and_the_gate_may_be_told_instead_or_left_alone() throws Exception {
        AdmissionConfig config = config();
        config.enforcement = Enforcement.Warn;
        config.gate = Enforcement.Off;
        start(config, false, "", false);

        JsonNode told = Caller.create(made(WEBHOOKS, NAME), "Machine", RESERVED);
        assertThat(told.path("allowed").asBoolean()).isTrue();
        assertThat(told.path("warnings")).hasSize(1);
        assertThat(Caller.create(made(WEBHOOKS, NAME), "Machine", "gpu").has("warnings")).isFalse();
        assertThat(reviews("Machine", "warned")).isOne();
    }

    private void upstream(String singular, String plural) {
        management.create(WEBHOOKS, configuration(
                "upstream-" + plural, "/validate-cluster-x-k8s-io-v1beta2-" + singular, plural));
    }

    private static JsonNode configuration(String name, String path, String plural) {
        return json("{'metadata':{'name':'" + name
                + "'},'webhooks':[{'name':'a.b.c','clientConfig':{'service':{'path':'"
                + path + "'}},'rules':[{'apiGroups':['cluster.x-k8s.io'],'apiVersions':['v1beta2'],'operations':"
                + "['CREATE','UPDATE'],'resources':['" + plural + "']}]}]}");
    }

    @Test
    void an_address_that_is_taken_is_waited_for_before_anything_is_registered() throws Exception {
        AdmissionConfig config = config();
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(config.address);
            start(config);
            made("secrets", NAME);
            settle();
            assertThat(management.list(WEBHOOKS)).isEqualTo(List.of());
        }
        made(WEBHOOKS, NAME);
    }
}
