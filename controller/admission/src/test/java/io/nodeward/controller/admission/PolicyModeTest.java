package io.nodeward.controller.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.core.rules.validation.Enforcement;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyModeTest extends AdmissionFixture {
    private static final String INVALID = "nodeward-admission-invalid";
    private static final String LIFECYCLE = "nodeward-admission-lifecycle";
    private static final String GATE = "nodeward-admission-gate";

    @Test
    void policies_are_in_the_place_of_the_webhook() throws Exception {
        Runnable end = start(new AdmissionModule(config(), true, false, false), "", false);
        made(WEBHOOKS, NAME);
        end.run();

        start(policy(), true, "", false);
        made(BINDINGS, LIFECYCLE);
        passUntil(() -> management.list(WEBHOOKS).isEmpty() && management.list("secrets").isEmpty());
        assertThat(names(POLICIES)).containsExactly(INVALID, LIFECYCLE);
        assertThat(names(BINDINGS)).containsExactly(INVALID, LIFECYCLE);
        assertThat(made(BINDINGS, INVALID).at("/spec/validationActions/0").asText()).isEqualTo("Deny");
        assertThat(made(BINDINGS, LIFECYCLE).at("/spec/validationActions/0").asText()).isEqualTo("Warn");
        assertThat(made(POLICIES, INVALID).at("/spec/validations")).isNotEmpty();
        assertThat(made(POLICIES, INVALID).at("/spec/matchConditions/0/expression").asText()).contains("deletion");
    }

    @Test
    void and_the_webhook_in_the_place_of_policies() {
        Runnable end = start(new AdmissionModule(policy(), false, false, false), "", false);
        made(BINDINGS, GATE);
        end.run();

        start(config());
        made(WEBHOOKS, NAME);
        passUntil(() -> management.list(POLICIES).isEmpty() && management.list(BINDINGS).isEmpty());
        assertThat(management.list(WEBHOOKS)).hasSize(1);
    }

    @Test
    void the_gate_is_asked_of_kinds_that_nobody_else_validates() throws Exception {
        start(policy(), false, "", false);
        made(BINDINGS, GATE);
        assertThat(kinds(made(POLICIES, GATE))).contains("machines", "machinesets");

        management.create(WEBHOOKS, json("{'metadata':{'name':'u'},'webhooks':[{'name':'a.b.c','clientConfig':{'url':"
                + "'https://127.0.0.1:9443/validate-cluster-x-k8s-io-v1beta2-machine'},'rules':[{'apiGroups':"
                + "['cluster.x-k8s.io'],'apiVersions':['v1beta2'],'operations':['CREATE'],'resources':['machines']}]}]}"));
        passUntil(() -> !kinds(made(POLICIES, GATE)).contains("machines"));
        assertThat(kinds(made(POLICIES, GATE))).contains("machinesets");
        assertThat(kinds(made(POLICIES, INVALID))).contains("machines");
    }

    @Test
    void what_is_changed_or_deleted_is_put_right_and_what_is_off_is_not_there() {
        AdmissionConfig config = policy();
        config.enforcement = Enforcement.Warn;
        config.gate = Enforcement.Off;
        start(config, false, "", false);
        made(BINDINGS, LIFECYCLE);
        assertThat(names(POLICIES)).containsExactly(INVALID, LIFECYCLE);
        assertThat(made(BINDINGS, INVALID).at("/spec/validationActions/0").asText()).isEqualTo("Warn");

        management.mergePatch(POLICIES, "", INVALID, json("{'spec':{'failurePolicy':'Fail'}}"));
        passUntil(() -> made(POLICIES, INVALID).at("/spec/failurePolicy").asText().equals("Ignore"));
        management.delete(BINDINGS, "", INVALID);
        made(BINDINGS, INVALID);
        management.mergePatch(POLICIES, "", INVALID, json("{'metadata':{'labels':{'nodeward.io/component':null}}}"));
        passUntil(() -> made(POLICIES, INVALID).at("/metadata/labels").has("nodeward.io/component"));
    }

    @Test
    void nothing_is_written_when_all_is_as_it_should_be() throws Exception {
        Runnable end = start(new AdmissionModule(policy(), false, false, false), "", false);
        made(BINDINGS, GATE);
        settle();
        end.run();
        management.clearRequests();

        start(policy(), false, "", false);
        passUntil(() -> meters.get("nodeward.admission.in.force").gauge().value() == 1);
        settle();
        assertThat(writes()).isEmpty();
    }

    @Test
    void a_policy_of_somebody_else_by_this_name_is_left_alone_and_the_others_are_not_held_up() throws Exception {
        JsonNode theirs = management.create(POLICIES, json("{'metadata':{'name':'" + INVALID + "'},'spec':{}}"));
        start(policy(), true, "", false);
        made(BINDINGS, LIFECYCLE);
        settle();

        assertThat(management.get(POLICIES, "", INVALID)).contains(theirs);
        assertThat(names(BINDINGS)).containsExactly(LIFECYCLE);
        assertThat(meters.get("nodeward.admission.in.force").gauge().value()).isZero();
    }

    @Test
    void what_cannot_be_judged_is_stored_or_not_as_the_flag_says() {
        AdmissionConfig config = policy();
        config.failurePolicy = AdmissionConfig.FailurePolicy.Fail;
        start(config, false, "", false);
        made(BINDINGS, GATE);
        for (String policy : List.of(INVALID, LIFECYCLE, GATE)) {
            assertThat(made(POLICIES, policy).at("/spec/failurePolicy").asText()).isEqualTo("Fail");
        }
    }

    @Test
    void a_watch_filter_narrows_them() {
        start(policy(), true, "a", false);
        made(BINDINGS, INVALID + "-a");
        assertThat(made(POLICIES, INVALID + "-a").at("/spec/matchConstraints/objectSelector/matchLabels"))
                .isEqualTo(json("{'cluster.x-k8s.io/watch-filter':'a'}"));
    }

    private static AdmissionConfig policy() {
        AdmissionConfig config = config();
        config.mode = AdmissionConfig.Mode.policy;
        return config;
    }

    private List<String> names(String resource) {
        return management.list(resource).stream().map(o -> o.at("/metadata/name").asText()).toList();
    }

    private static List<String> kinds(JsonNode policy) {
        return policy.at("/spec/matchConstraints/resourceRules").findValues("resources").stream()
                .flatMap(resources -> resources.valueStream().map(JsonNode::asText)).toList();
    }
}
