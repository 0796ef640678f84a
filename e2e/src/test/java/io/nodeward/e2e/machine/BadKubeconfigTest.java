package io.nodeward.e2e.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Kubeconfig;
import io.nodeward.e2e.controlplane.MachineSpec;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kubeconfigs that cannot be used: named on their Cluster, and no trouble to any other. */
class BadKubeconfigTest extends InRunningController {
    private static final String TAINT = "example.com/a:NoSchedule";
    private final LogLines lines = LogLines.from(Level.WARN);

    BadKubeconfigTest() {
        super("secrets");
    }

    /** What is done to the text of a good kubeconfig, and what the Warning Event says of it. */
    enum Defect {
        EXEC("\"user\":{", "\"user\":{\"exec\":{\"command\":\"touch\",\"args\":[\"/tmp/x\"]},", "user.exec"),
        AUTH_PROVIDER("\"user\":{", "\"user\":{\"auth-provider\":{\"name\":\"oidc\"},", "user.auth-provider"),
        TOKEN_FILE("\"user\":{", "\"user\":{\"tokenFile\":\"/etc/passwd\",", "user.tokenFile"),
        CLIENT_CERTIFICATE_FILE(
                "\"user\":{", "\"user\":{\"client-certificate\":\"/etc/passwd\",", "user.client-certificate"),
        CLIENT_KEY_FILE("\"user\":{", "\"user\":{\"client-key\":\"/etc/passwd\",", "user.client-key"),
        AUTHORITY_FILE(
                "\"cluster\":{", "\"cluster\":{\"certificate-authority\":\"/etc/ssl/ca.pem\",",
                "cluster.certificate-authority"),
        AUTHORITY_THAT_IS_NO_CERTIFICATE(
                "authority-data\":\"[^\"]*", "authority-data\":\"bm8gY2VydGlmaWNhdGU=", "certificate-authority"),
        UNKNOWN_CONTEXT("current-context\":\"context", "current-context\":\"other", "current-context"),
        NO_SERVER("\"server\"", "\"sever\"", "cluster.server"),
        NO_YAML("{", "{{{", "YAML"),
        NO_MAPPING("(?s).*", "just words", "mapping"),
        NOTHING("(?s).*", "", "data.value");

        private final String find;
        private final String put;
        private final String named;

        Defect(String find, String put, String named) {
            this.find = find;
            this.put = put;
            this.named = named;
        }

        String cluster() {
            return "bad-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        String machine() {
            return "secrets-" + cluster();
        }

        String spoil(String kubeconfig) {
            String json = Json.yaml(kubeconfig).getFirst().toString();
            return this == NO_MAPPING || this == NOTHING ? put : json.replaceFirst(find.replace("{", "\\{"), put);
        }
    }

    @BeforeAll
    void spoil_a_kubeconfig_in_every_way() {
        for (Defect defect : Defect.values()) {
            suite.cluster(defect.cluster());
            suite.fleet().kubeconfigSecret(defect.cluster(), defect.spoil(suite.workload().toYaml()));
        }
    }

    @AfterAll
    void stopListening() {
        lines.close();
    }

    @ParameterizedTest
    @EnumSource
    void a_defect_is_named_in_a_warning_on_the_cluster_and_mending_it_connects(Defect defect) {
        await().atMost(MachineSuite.PATIENCE).until(() -> !suite.warnings("Cluster", defect.cluster()).isEmpty());
        assertThat(suite.warnings("Cluster", defect.cluster())).singleElement().satisfies(warning -> {
            assertThat(warning.getKey()).isEqualTo("KubeconfigRefused");
            assertThat(warning.getValue()).contains("secrets/" + defect.cluster() + "-kubeconfig", defect.named);
        });
        suite.fleet().pair(Taints.declare(MachineSpec.named(defect.machine(), defect.cluster()), TAINT + ":Always"));
        witness.awaitSeen();
        assertThat(Taints.tracking(suite.node(defect.machine()))).isNull();

        suite.fleet().kubeconfigSecret(defect.cluster(), suite.workload());
        awaitTaint(defect.machine());
    }

    @Test
    void a_good_cluster_among_them_is_served() {
        witness.settle();
        witness.pair(machine("secrets-good", TAINT + ":Always"));
        assertThat(Taints.on(suite.node("secrets-good"))).containsExactly(TAINT);
    }

    @Test
    void a_server_that_cannot_be_reached_is_named_in_the_log_and_served_when_it_can() {
        Kubeconfig good = suite.workload();
        connectWith("unreachable", new Kubeconfig("https://127.0.0.1:1", good.caPem(), good.credentials()));
        await().atMost(MachineSuite.PATIENCE).until(() -> lines.mention("secrets/unreachable"));
        mend("unreachable");
    }

    @Test
    void a_server_that_another_authority_signed_is_named_in_the_log_and_not_talked_to() {
        Kubeconfig good = suite.workload();
        connectWith("impostor", new Kubeconfig(good.server(), otherAuthority(), good.credentials()));
        await().atMost(MachineSuite.PATIENCE).until(() -> lines.mention("secrets/impostor"));
        mend("impostor");
    }

    @Test
    void a_user_without_the_role_is_named_in_the_log() {
        Kubeconfig nobody = suite.controlPlane().kubeconfigForUser("nobody", List.of());
        connectWith("forbidden", nobody);
        await().atMost(MachineSuite.PATIENCE)
                .until(() -> lines.mention("secrets/forbidden") && lines.mention("User \"nobody\" cannot"));
        mend("forbidden");
    }

    @Test
    void a_cluster_without_its_secret_is_let_go_and_taken_up_when_it_is_back() {
        connectWith("lost", suite.workload());
        awaitTaint("secrets-lost");
        double before = connected();
        suite.admin().delete("/api/v1/namespaces/secrets/secrets/lost-kubeconfig");
        await().atMost(MachineSuite.PATIENCE).until(() -> connected() == before - 1);
        patchNode("secrets-lost", Taints.patch());
        witness.awaitSeen();
        assertThat(Taints.on(suite.node("secrets-lost"))).isEmpty();
        suite.fleet().kubeconfigSecret("lost", suite.workload());
        awaitTaint("secrets-lost");
    }

    @Test
    void a_deleted_cluster_is_let_go_although_its_secret_is_still_there() {
        connectWith("deleted", suite.workload());
        awaitTaint("secrets-deleted");
        double before = connected();
        suite.admin().delete("/apis/cluster.x-k8s.io/v1beta2/namespaces/secrets/clusters/deleted");
        await().atMost(MachineSuite.PATIENCE).until(() -> connected() == before - 1);
        patchNode("secrets-deleted", Taints.patch());
        witness.awaitSeen();
        assertThat(Taints.on(suite.node("secrets-deleted"))).isEmpty();
    }

    private void connectWith(String cluster, Kubeconfig kubeconfig) {
        suite.fleet().cluster(cluster, kubeconfig);
        suite.fleet().pair(Taints.declare(MachineSpec.named("secrets-" + cluster, cluster), TAINT + ":Always"));
    }

    private void mend(String cluster) {
        assertThat(Taints.tracking(suite.node("secrets-" + cluster))).isNull();
        suite.fleet().kubeconfigSecret(cluster, suite.workload());
        awaitTaint("secrets-" + cluster);
    }

    private void awaitTaint(String node) {
        await("taint of " + node).atMost(MachineSuite.PATIENCE)
                .until(() -> Taints.on(suite.node(node)).equals(List.of(TAINT)));
    }

    private static String otherAuthority() {
        try (InputStream in = BadKubeconfigTest.class.getResourceAsStream("other-authority.crt")) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private double connected() {
        return nodeward.metric("nodeward_clusters_connected ");
    }
}
