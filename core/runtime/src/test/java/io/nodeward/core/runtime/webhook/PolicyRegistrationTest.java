package io.nodeward.core.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.core.fakeapi.Fault;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Policies of both kinds, by which API servers decide without a call. */
class PolicyRegistrationTest extends WebhookFixture {
    private static final String MUTATING = "mutatingadmissionpolicies";
    private static final String VALIDATING = "validatingadmissionpolicies";
    private static final Map<String, Object> PARAM_KIND = Map.of("apiVersion", "v1", "kind", "ConfigMap");
    private static final AdmissionPolicyDefinition MUTATE = new AdmissionPolicyDefinition(
            AdmissionPhase.MUTATING, "holding",
            Map.of("paramKind", PARAM_KIND, "reinvocationPolicy", "Never", "failurePolicy", "Fail"),
            List.of(new AdmissionPolicyDefinition.Binding("holding", Map.of("paramRef", Map.of(
                    "name", "p", "namespace", "n", "parameterNotFoundAction", "Deny")))));
    private static final AdmissionPolicyDefinition VALIDATE = new AdmissionPolicyDefinition(
            AdmissionPhase.VALIDATING, "guard", Map.of("paramKind", PARAM_KIND, "failurePolicy", "Fail"),
            List.of(new AdmissionPolicyDefinition.Binding("guard", Map.of("validationActions", List.of("Deny"),
                    "paramRef", Map.of("selector", Map.of("matchLabels", Map.of("a", "b")),
                            "parameterNotFoundAction", "Allow")))));

    private static final JsonNode OLD =
            json("{'metadata':{'name':'old','labels':{'app.kubernetes.io/managed-by':'nodeward',"
                    + "'nodeward.io/component':'test','nodeward.io/watch-filter':''}},'spec':{}}");

    private volatile List<AdmissionPolicyDefinition> wanted = List.of(MUTATE, VALIDATE);
    private volatile Runnable changed = () -> {};

    @Test
    void both_kinds_are_registered_with_the_parameters_of_their_bindings() {
        start();
        assertThat(made(MUTATING, "nodeward-test-holding").at("/spec/paramKind/kind").asText()).isEqualTo("ConfigMap");
        assertThat(made(MUTATING.replace("policies", "policybindings"), "nodeward-test-holding").path("spec"))
                .isEqualTo(json("""
                        {'policyName':'nodeward-test-holding',
                         'paramRef':{'name':'p','namespace':'n','parameterNotFoundAction':'Deny'}}"""));
        assertThat(made(VALIDATING.replace("policies", "policybindings"), "nodeward-test-guard").path("spec"))
                .isEqualTo(json("""
                        {'policyName':'nodeward-test-guard','validationActions':['Deny'],
                         'paramRef':{'selector':{'matchLabels':{'a':'b'}},'parameterNotFoundAction':'Allow'}}"""));
        quiet.passUntil(() -> meters.get("nodeward.test.in.force").gauge().value() == 1);
    }

    @Test
    void a_changed_or_deleted_object_comes_back_and_one_that_is_not_wanted_any_more_goes() {
        start();
        JsonNode spec = made(MUTATING, "nodeward-test-holding").path("spec");
        made(VALIDATING, "nodeward-test-guard");
        server.mergePatch(MUTATING, "", "nodeward-test-holding", json("{'spec':{'failurePolicy':'Ignore'}}"));
        quiet.passUntil(() -> made(MUTATING, "nodeward-test-holding").path("spec").equals(spec));
        server.delete("mutatingadmissionpolicybindings", "", "nodeward-test-holding");
        made("mutatingadmissionpolicybindings", "nodeward-test-holding");

        wanted = List.of(VALIDATE);
        changed.run();
        quiet.passUntil(() -> server.list(MUTATING).isEmpty()
                && server.list("mutatingadmissionpolicybindings").isEmpty());
        assertThat(server.list(VALIDATING)).hasSize(1);
        wanted = List.of();
        changed.run();
        quiet.passUntil(() -> server.list(VALIDATING).isEmpty());
    }

    @Test
    void with_nothing_wanted_from_the_start_an_earlier_policy_goes() {
        server.create(VALIDATING, OLD);
        wanted = List.of();
        start();
        quiet.passUntil(() -> server.list(VALIDATING).isEmpty());
    }

    @Test
    void a_kind_that_the_server_does_not_serve_holds_up_no_other_and_is_registered_when_it_is_served() {
        server.fault(1_000, r -> r.path().contains("/mutatingadmission"), Fault.status(404, "", "404 page not found"));
        quiet.leaveOut(MUTATING);
        quiet.leaveOut("mutatingadmissionpolicybindings");
        start();
        made("validatingadmissionpolicybindings", "nodeward-test-guard");
        quiet.await();
        assertThat(meters.get("nodeward.test.in.force").gauge().value()).isZero();

        server.clearFaults();
        made("mutatingadmissionpolicybindings", "nodeward-test-holding");
        quiet.passUntil(() -> meters.get("nodeward.test.in.force").gauge().value() == 1);
    }

    @Test
    void what_is_not_wanted_goes_although_the_server_does_not_serve_another_kind() {
        server.create(VALIDATING, OLD);
        server.fault(1_000, r -> r.path().contains("/mutatingadmission"), Fault.status(404, "", "404 page not found"));
        quiet.leaveOut(MUTATING);
        quiet.leaveOut("mutatingadmissionpolicybindings");
        wanted = List.of(MUTATE);
        start();
        quiet.passUntil(() -> server.get(VALIDATING, "", "old").isEmpty());
    }

    @ParameterizedTest
    @CsvSource({"403,Forbidden", "422,Invalid"})
    void a_refused_policy_holds_up_no_other_and_is_registered_when_it_is_taken(int code, String reason) {
        server.create(VALIDATING, OLD);
        refuseWritesOf(MUTATING, code, reason);
        start();
        made("validatingadmissionpolicybindings", "nodeward-test-guard");
        quiet.passUntil(() -> server.get(VALIDATING, "", "old").isEmpty());
        quiet.await();
        assertThat(server.list("mutatingadmissionpolicybindings")).isEmpty();
        assertThat(meters.get("nodeward.test.in.force").gauge().value()).isZero();

        server.clearFaults();
        made("mutatingadmissionpolicybindings", "nodeward-test-holding");
        quiet.passUntil(() -> meters.get("nodeward.test.in.force").gauge().value() == 1);
    }

    @Test
    void a_policy_of_somebody_else_is_left_alone_and_ours_comes_when_it_has_gone() {
        JsonNode theirs = server.create(MUTATING, json("{'metadata':{'name':'nodeward-test-holding'},'spec':{}}"));
        start();
        made("validatingadmissionpolicybindings", "nodeward-test-guard");
        quiet.await();
        assertThat(server.list(MUTATING)).containsExactly(theirs);

        server.delete(MUTATING, "", "nodeward-test-holding");
        made("mutatingadmissionpolicybindings", "nodeward-test-holding");
        quiet.passUntil(() -> meters.get("nodeward.test.in.force").gauge().value() == 1);
    }

    @Test
    void what_is_not_wanted_any_more_stays_until_what_replaces_it_is_in_force() {
        AtomicInteger asked = new AtomicInteger();
        refuseWritesOf(VALIDATING, 422, "Invalid");
        start(() -> asked.getAndIncrement() < 2 ? List.of(MUTATE) : List.of(VALIDATE));
        made("mutatingadmissionpolicybindings", "nodeward-test-holding");
        quiet.await();
        assertThat(server.list(MUTATING)).hasSize(1);
        assertThat(server.list("mutatingadmissionpolicybindings")).hasSize(1);

        server.clearFaults();
        made("validatingadmissionpolicybindings", "nodeward-test-guard");
        quiet.passUntil(() -> server.list(MUTATING).isEmpty()
                && server.list("mutatingadmissionpolicybindings").isEmpty());
    }

    private void refuseWritesOf(String plural, int code, String reason) {
        server.fault(1_000, r -> r.method().equals("PATCH") && r.path().contains("/" + plural + "/"),
                Fault.status(code, reason, "not so"));
    }

    @Test
    void a_component_with_a_webhook_too_has_its_policies_before_it_has_a_certificate() {
        server.fault(1_000, r -> r.path().contains("/secrets"), Fault.status(403, "Forbidden", "not yet"));
        quiet.leaveOut("secrets");
        start(AdmissionRegistration.of(OBJECTS, serving(), true)
                .withWebhooks(List.of(allowing(AdmissionPhase.VALIDATING, "/v")))
                .withPolicies(() -> wanted));
        made("mutatingadmissionpolicybindings", "nodeward-test-holding");
        assertThat(server.list("validatingwebhookconfigurations")).isEmpty();

        server.clearFaults();
        made("validatingwebhookconfigurations", NAME);
        quiet.passUntil(() -> meters.get("nodeward.test.in.force").gauge().value() == 1);
        assertThat(server.list(MUTATING)).hasSize(1);
    }

    private void start() {
        start(() -> wanted);
    }

    private void start(Supplier<List<AdmissionPolicyDefinition>> policies) {
        start(AdmissionRegistration.of(OBJECTS, serving(), true).withPolicies(policies)
                .withInputs((known, onChange) -> {
                    changed = onChange;
                    known.run();
                }));
    }
}
