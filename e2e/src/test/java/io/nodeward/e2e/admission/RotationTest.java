package io.nodeward.e2e.admission;

import static io.nodeward.e2e.admission.AdmissionSuite.SECRETS;
import static io.nodeward.e2e.admission.AdmissionSuite.WEBHOOK;
import static io.nodeward.e2e.admission.AdmissionSuite.soon;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.runtime.https.KeyRing;
import io.nodeward.e2e.controlplane.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Keys and authorities change while an API server asks all the time, and must be answered: each failed call is seen. */
@Tag("deep")
class RotationTest {
    private static final String FAIL = "--admission-failure-policy=Fail";
    private static final List<String> NAMES = List.of("127.0.0.1");
    private static final Duration LIFE = Duration.ofDays(90);

    private static AdmissionSuite suite;

    @BeforeAll
    static void start() {
        suite = new AdmissionSuite(DeclaringCrds.all());
    }

    @AfterAll
    static void stop() {
        suite.close();
    }

    @Test
    void no_call_is_lost_while_our_own_authority_is_replaced() throws Exception {
        // The authority is due, and the server's certificate too, as after a long pause.
        Duration tenth = LIFE.dividedBy(10);
        Instant now = Instant.now();
        KeyRing due = KeyRing.made(NAMES, now.minus(tenth.multipliedBy(87)), LIFE)
                .renewed(NAMES, now.minus(tenth.multipliedBy(8)), LIFE).orElseThrow();
        store(due);
        try (RunningAdmission nodeward = RunningAdmission.start(suite.kubeconfig(), "", FAIL)) {
            Calls calls = Calls.begin(suite);
            soon().until(() -> !stored("nodeward-admission").equals(text(due)));
            soon().until(() -> nodeward.metric("nodeward_admission_certificate_expiry_seconds") > Duration.ofDays(80)
                    .toSeconds());
            calls.endAfter(20);
        }
    }

    /** The clock of the process that made it was ahead by more than the life of an authority. */
    @Test
    void a_certificate_that_is_not_valid_yet_is_replaced() throws Exception {
        store(KeyRing.made(NAMES, Instant.now().plus(Duration.ofDays(1000)), LIFE));
        try (RunningAdmission nodeward = RunningAdmission.start(suite.kubeconfig(), "", FAIL)) {
            Calls.begin(suite).endAfter(20);
        }
    }

    @Test
    void no_call_is_lost_while_a_given_secret_changes_with_its_authority() throws Exception {
        KeyRing first = KeyRing.made(NAMES, Instant.now(), Duration.ofDays(30));
        suite.admin().create(SECRETS, secret("given", first, Map.of()));
        allow("given");
        try (RunningAdmission nodeward = RunningAdmission.start(suite.kubeconfig(), "", FAIL,
                "--admission-secret=nodeward-system/given")) {
            Calls calls = Calls.begin(suite);
            KeyRing second = KeyRing.made(NAMES, Instant.now(), Duration.ofDays(60));
            suite.admin().mergePatch(SECRETS + "/given", "{\"data\":" + data(second) + "}");
            soon().until(() -> nodeward.metric("nodeward_admission_certificate_expiry_seconds") > Duration.ofDays(40)
                    .toSeconds());
            String trusted = Base64.getEncoder().encodeToString(second.data().get("ca.crt"));
            soon().until(() -> bundle().equals(trusted));
            calls.endAfter(20);
        }
    }

    /** Stores the ring as the process itself would have. */
    private static void store(KeyRing ring) {
        suite.admin().delete(SECRETS + "/nodeward-admission");
        suite.admin().create(SECRETS, secret("nodeward-admission", ring, Map.of(
                "app.kubernetes.io/managed-by", "nodeward", "nodeward.io/component", "admission",
                "nodeward.io/watch-filter", "")));
    }

    /** The role of the controller names its own Secret alone. */
    private static void allow(String name) {
        suite.admin().jsonPatch(
                "/apis/rbac.authorization.k8s.io/v1/namespaces/nodeward-system/roles/nodeward-admission",
                "[{\"op\":\"add\",\"path\":\"/rules/1/resourceNames/-\",\"value\":\"" + name + "\"}]");
    }

    private static String bundle() {
        return suite.admin().get(WEBHOOK).at("/webhooks/0/clientConfig/caBundle").asText();
    }

    private static String stored(String name) {
        return suite.admin().get(SECRETS + "/" + name).at("/data/tls.crt").asText();
    }

    private static String text(KeyRing ring) {
        return Base64.getEncoder().encodeToString(ring.data().get("tls.crt"));
    }

    private static JsonNode secret(String name, KeyRing ring, Map<String, String> labels) {
        ObjectNode secret = (ObjectNode) Json.tree(Map.of(
                "metadata", Map.of("name", name, "labels", labels), "type", "kubernetes.io/tls"));
        return secret.set("data", data(ring));
    }

    private static JsonNode data(KeyRing ring) {
        Map<String, String> data = new TreeMap<>();
        ring.data().forEach((part, bytes) -> data.put(part, Base64.getEncoder().encodeToString(bytes)));
        return Json.tree(data);
    }
}
