package io.nodeward.e2e.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.rules.validation.DeclaringKind;
import io.nodeward.core.rules.validation.TaintPolicies;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** By the policies that are shipped as files. */
class PolicyVectorsTest extends VectorsSuite {
    private static final String REGISTRATION = "/apis/admissionregistration.k8s.io/v1/";

    @BeforeAll
    static void install() throws IOException {
        prepared();
        for (TaintPolicies.Rules rules : TaintPolicies.Rules.values()) {
            install(rules);
        }
        awaitInForce();
    }

    @Test
    void a_refusal_names_each_taint_and_why() {
        ObjectNode machine = object(DeclaringKind.MACHINE, "told", ON);
        fill(machine, Json.parse("{\"spec\":{\"clusterName\":\"c\",\"taints\":" + RESERVED + "}}"));
        AdminClient.Reply reply = post(machine, ON);

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.body().path("message").asText()).contains("machine-taints-invalid.nodeward.io",
                "taints: the key is managed by Cluster API itself of node.cluster.x-k8s.io/uninitialized:NoSchedule");
    }

    private static void install(TaintPolicies.Rules rules) throws IOException {
        String file =
                "../deploy/admission/machine-taints-" + rules.name().toLowerCase(Locale.ROOT) + ".nodeward.io.yaml";
        for (JsonNode document : Json.yaml(Files.readString(Path.of(file)))) {
            boolean binding = document.path("kind").asText().endsWith("Binding");
            if (binding && rules == TaintPolicies.Rules.GATE) {
                ((ObjectNode) document).withObject("/spec/matchResources/namespaceSelector/matchLabels")
                        .put("kubernetes.io/metadata.name", OFF);
            }
            admin.create(REGISTRATION + (binding ? "validatingadmissionpolicybindings" : "validatingadmissionpolicies"),
                    document);
        }
    }
}
