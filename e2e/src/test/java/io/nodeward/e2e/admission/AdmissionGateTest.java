package io.nodeward.e2e.admission;

import static io.nodeward.e2e.admission.AdmissionSuite.MACHINES;
import static io.nodeward.e2e.admission.AdmissionSuite.REGISTRATION;
import static io.nodeward.e2e.admission.AdmissionSuite.SECRETS;
import static io.nodeward.e2e.admission.AdmissionSuite.SETS;
import static io.nodeward.e2e.admission.AdmissionSuite.WEBHOOK;
import static io.nodeward.e2e.admission.AdmissionSuite.machine;
import static io.nodeward.e2e.admission.AdmissionSuite.set;
import static io.nodeward.e2e.admission.AdmissionSuite.soon;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.machine.RunningNodeward;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The gate on, off and on again; and what is left of it in the cluster each time. */
class AdmissionGateTest {
    private static final String RESERVED = "node.cluster.x-k8s.io/uninitialized:NoSchedule";
    private static final String PLAIN = "example.com/a:NoSchedule";
    private static final List<String> KINDS = List.of("validatingwebhookconfigurations", "validatingadmissionpolicies",
            "validatingadmissionpolicybindings");

    private AdmissionSuite suite;

    @Test
    void what_it_leaves_outside_goes_with_it_and_nothing_of_anybody_else() {
        try (AdmissionSuite opened = new AdmissionSuite(DeclaringCrds.all())) {
            suite = opened;
            others();
            try (RunningAdmission on = RunningAdmission.start(suite.kubeconfig(), "")) {
                soon().until(() -> !isTaken(RESERVED));
                assertThat(isTaken(PLAIN)).isTrue();
                assertThat(on.metric("kubernetes_feature_enabled{name=\"MachineTaintAdmission\"")).isOne();
            }
            assertThat(left()).containsExactly("nodeward-admission", "nodeward-admission");
            try (RunningNodeward off = RunningNodeward.start(suite.kubeconfig())) {
                soon().until(() -> left().isEmpty());
                soon().until(() -> isTaken(RESERVED));
                assertOthersAreThere();
                assertThat(off.isReady()).isTrue();
            }
            String noTaints = "MachineTaintPropagation=false";
            try (RunningAdmission onAgain =
                    RunningAdmission.start(suite.kubeconfig(), noTaints, "--admission-mode=policy")) {
                soon().until(() -> !isTaken(RESERVED) && !isTaken(PLAIN));
                assertThat(suite.offered(SETS, set("new", PLAIN)).body().path("message").asText())
                        .contains("the gate MachineTaintPropagation is off");
                assertThat(onAgain.metric("nodeward_admission_in_force")).isOne();
                assertThat(left()).hasSize(6);
            }
            try (RunningAdmission webhook = RunningAdmission.start(suite.kubeconfig(), noTaints)) {
                soon().until(() -> left().size() == 2);
                soon().until(() -> !isTaken(PLAIN));
                assertThat(suite.admin().find(WEBHOOK)).isPresent();
                assertThat(webhook.metric("nodeward_admission_certificate_expiry_seconds")).isPositive();
            }
            try (RunningNodeward off = RunningNodeward.start(suite.kubeconfig())) {
                soon().until(() -> left().isEmpty());
                assertOthersAreThere();
                assertThat(off.isReady()).isTrue();
            }
        }
    }

    private boolean isTaken(String taint) {
        return suite.offered(MACHINES, machine("new", taint)).isOk();
    }

    /** Objects with the controller's labels. */
    private List<String> left() {
        String selector = "?labelSelector=app.kubernetes.io/managed-by=nodeward,nodeward.io/component=admission";
        return List.of(REGISTRATION + KINDS.get(0), REGISTRATION + KINDS.get(1), REGISTRATION + KINDS.get(2), SECRETS)
                .stream()
                .flatMap(path -> suite.admin().get(path + selector).path("items").valueStream())
                .map(object -> object.at("/metadata/name").asText())
                .filter(name -> !name.startsWith("others"))
                .toList();
    }

    private void others() {
        for (String labels : List.of("", "\"app.kubernetes.io/managed-by\":\"nodeward\"",
                "\"app.kubernetes.io/managed-by\":\"nodeward\",\"nodeward.io/component\":\"admission\","
                        + "\"nodeward.io/watch-filter\":\"another\"")) {
            String metadata =
                    "{\"metadata\":{\"name\":\"others-%d\",\"labels\":{%s}}".formatted(labels.length(), labels);
            suite.admin().create(REGISTRATION + KINDS.get(0), Json.parse(metadata + "}"));
            suite.admin().create(REGISTRATION + KINDS.get(2), Json.parse(
                    metadata + ",\"spec\":{\"policyName\":\"none\",\"validationActions\":[\"Warn\"]}}"));
            suite.admin().create(SECRETS, Json.parse(metadata + "}"));
        }
    }

    private void assertOthersAreThere() {
        for (String path : List.of(REGISTRATION + KINDS.get(0), REGISTRATION + KINDS.get(2), SECRETS)) {
            assertThat(suite.admin().get(path).path("items").valueStream().map(o -> o.at("/metadata/name"))
                    .map(JsonNode::asText).filter(name -> name.startsWith("others"))).as(path).hasSize(3);
        }
    }
}
