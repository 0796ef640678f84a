package io.nodeward.e2e.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Kubeconfig;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kubeconfig Secrets that must not be used: said on their Cluster, nothing sent to where they point, mended. */
class RefusedKubeconfigTest extends InRunningController {
    private static final String NAME_LABEL = "cluster.x-k8s.io/cluster-name";

    private final Map<Refusal, Tenant> refused = new EnumMap<>(Refusal.class);
    private final AuditLog.Mark start = suite.mark();

    RefusedKubeconfigTest() {
        super("refused", "--cluster-servers=127.0.0.1,192.0.2.0/24");
    }

    /** What is done to the kubeconfig or its Secret, and how it is called. */
    enum Refusal {
        EXEC("user.exec", with("\"user\":{", "\"user\":{\"exec\":{\"command\":\"touch\",\"args\":[\"/tmp/x\"]},")),
        INSECURE_TLS(
                "cluster.insecure-skip-tls-verify",
                with("\"certificate-authority-data\":\"[^\"]*\"", "\"insecure-skip-tls-verify\":true")),
        OTHER_SERVER("cluster.server: host localhost", with("127.0.0.1", "localhost")),
        OTHER_PROXY(
                "cluster.proxy-url: host localhost",
                with("\"cluster\":{", "\"cluster\":{\"proxy-url\":\"http://localhost:3128\",")),
        PLAIN_HTTP("cluster.server is http", with("https://127.0.0.1", "http://192.0.2.1")),
        TOO_LARGE("longer than 256 KiB", text -> text + " ".repeat(256 << 10)),
        OTHER_TYPE("type is Opaque", Map.of("type", "Opaque")),
        OTHER_LABEL("names Cluster other", Map.of("metadata", Map.of("labels", Map.of(NAME_LABEL, "other")))),
        OTHER_OWNER("belongs to Cluster other", Map.of("metadata", Map.of("ownerReferences", List.of(Map.of(
                "apiVersion", "cluster.x-k8s.io/v1beta2", "kind", "Cluster", "name", "other", "uid", "OTHER")))));

        private final String named;
        private final UnaryOperator<String> spoil;
        /** Differs from what the Secret should be; not what its text says. */
        private final Map<String, Object> secret;

        Refusal(String named, UnaryOperator<String> spoil) {
            this.named = named;
            this.spoil = spoil;
            this.secret = Map.of();
        }

        Refusal(String named, Map<String, Object> secret) {
            this.named = named;
            this.spoil = text -> text;
            this.secret = secret;
        }

        private static UnaryOperator<String> with(String find, String put) {
            return text -> text.replaceFirst(find.replace("{", "\\{"), put);
        }

        String cluster() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @BeforeAll
    void refuse_one_for_each_reason() {
        suite.fleet().cluster("other"); // a real owner, as one that does not exist would take what it owns along
        for (Refusal refusal : Refusal.values()) {
            Tenant tenant = tenants.unbound(refusal.cluster());
            tenants.bind(tenant);
            refused.put(refusal, tenant);
            suite.fleet().cluster(tenant.name());
            suite.admin().create(suite.core() + "/secrets", secret(tenant, refusal));
        }
    }

    @ParameterizedTest
    @EnumSource
    void what_is_refused_is_said_and_sends_nothing_until_it_is_mended(Refusal refusal) {
        Tenant tenant = refused.get(refusal);
        JsonNode blocked = conditions.awaitBlocked(tenant.path(), "KubeconfigRefused");
        String place = "Secret " + suite.fleet().namespace() + "/" + tenant.name() + "-kubeconfig";
        assertThat(blocked.path("message").asText()).startsWith(place).contains(refusal.named);
        assertThat(suite.warnings("Cluster", tenant.name())).singleElement().satisfies(warning -> {
            assertThat(warning.getKey()).isEqualTo("KubeconfigRefused");
            assertThat(warning.getValue()).isEqualTo(blocked.path("message").asText())
                    .doesNotContain(((Kubeconfig.Token) tenant.direct().credentials()).value());
        });
        awaitLaterOneConnected();
        assertThat(tenant.relay().accepted()).isZero();
        assertThat(tenant.requestsSince(start)).isEmpty();

        if (!refusal.secret.isEmpty()) { // a type cannot be changed
            suite.admin().delete(suite.core() + "/secrets/" + tenant.name() + "-kubeconfig");
        }
        suite.fleet().kubeconfigSecret(tenant.name(), tenant.kubeconfig());
        tenant.pair(1, A);
        awaitTaints(tenant.node(1), A);
        conditions.awaitNotBlocked(tenant.path());
    }

    private JsonNode secret(Tenant tenant, Refusal refusal) {
        String text = Json.yaml(tenant.kubeconfig().toYaml()).getFirst().toString();
        String value = Base64.getEncoder()
                .encodeToString(refusal.spoil.apply(text).getBytes(StandardCharsets.UTF_8));
        ObjectNode secret = (ObjectNode) Json.tree(Map.of(
                "type", "cluster.x-k8s.io/secret",
                "metadata", Map.of(
                        "name", tenant.name() + "-kubeconfig", "labels", Map.of(NAME_LABEL, tenant.name())),
                "data", Map.of("value", value)));
        JsonNode change = Json.parse(Json.tree(refusal.secret).toString().replace("OTHER", uidOfOther()));
        if (change.has("type")) {
            secret.set("type", change.path("type"));
        }
        ((ObjectNode) secret.path("metadata")).setAll(change.withObject("metadata"));
        return secret;
    }

    private String uidOfOther() {
        return suite.admin().get(suite.clusterApi() + "/clusters/other").path("metadata").path("uid").asText();
    }
}
