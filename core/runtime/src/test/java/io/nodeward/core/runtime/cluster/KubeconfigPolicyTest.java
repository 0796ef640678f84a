package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class KubeconfigPolicyTest {
    private static final String SECRET_TOKEN = "do-not-show-me";

    private static String kubeconfig(String cluster, String user) {
        return """
                apiVersion: v1
                kind: Config
                clusters:
                - name: c
                  cluster: {%s}
                - name: other
                  cluster: {certificate-authority: /etc/passwd}
                users:
                - name: u
                  user: {%s}
                contexts:
                - name: x
                  context: {cluster: c, user: u}
                current-context: x
                """
                .formatted(cluster, user);
    }

    private static final String SERVER = "server: 'https://10.0.0.1:6443'";
    private static final String TOKEN = "token: " + SECRET_TOKEN;

    static Stream<Arguments> defects() {
        return Stream.of(
                Arguments.of("", "data.value"),
                Arguments.of("{", "valid YAML"),
                Arguments.of("- a", "mapping"),
                Arguments.of("a: b", "current-context"),
                Arguments.of("current-context: x", "contexts"),
                Arguments.of(kubeconfig(SERVER, TOKEN).replace("cluster: c,", "cluster: nope,"), "clusters"),
                Arguments.of(kubeconfig(SERVER, TOKEN).replace("user: u}", "user: nope}"), "users"),
                Arguments.of(kubeconfig("a: b", TOKEN), "cluster.server"),
                Arguments.of(kubeconfig("server: 'ftp://x'", TOKEN), "cluster.server"),
                Arguments.of(kubeconfig("server: 'https://'", TOKEN), "cluster.server"),
                Arguments.of(kubeconfig(SERVER + ", certificate-authority: /etc/passwd", TOKEN), "cluster.certificate-authority"),
                Arguments.of(kubeconfig(SERVER + ", certificate-authority-data: '%%%'", TOKEN), "cluster.certificate-authority-data"),
                Arguments.of(kubeconfig(SERVER + ", tls-server-name: x", TOKEN), "cluster.tls-server-name"),
                Arguments.of(kubeconfig(SERVER + ", proxy-url: 'socks5://p:1'", TOKEN), "cluster.proxy-url"),
                Arguments.of(kubeconfig(SERVER, TOKEN + ", exec: {command: sh}"), "user.exec"),
                Arguments.of(kubeconfig(SERVER, TOKEN + ", auth-provider: {name: gcp}"), "user.auth-provider"),
                Arguments.of(kubeconfig(SERVER, TOKEN + ", as: root"), "user.as"),
                Arguments.of(kubeconfig(SERVER, "tokenFile: /var/run/secrets/token"), "user.tokenFile"),
                Arguments.of(kubeconfig(SERVER, "client-certificate: /a, client-key: /b"), "user.client-certificate"),
                Arguments.of(kubeconfig(SERVER, TOKEN + ", client-key: /b"), "user.client-key"),
                Arguments.of(kubeconfig(SERVER, "client-certificate-data: QQ=="), "client-key-data"),
                Arguments.of(kubeconfig(SERVER, "client-certificate-data: '???', client-key-data: QQ=="), "user.client-certificate-data"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("defects")
    void each_defect_is_named_by_its_field_and_shows_no_credential(String kubeconfig, String named) {
        assertThat(KubeconfigPolicy.defect(kubeconfig)).hasValueSatisfying(defect ->
                assertThat(defect).contains(named).doesNotContain(SECRET_TOKEN));
    }

    @Test
    void tokens_and_certificates_are_used_and_entries_outside_the_context_do_not_matter() {
        assertThat(KubeconfigPolicy.defect(kubeconfig(SERVER, TOKEN))).isEmpty();
        assertThat(KubeconfigPolicy.defect(kubeconfig(
                        SERVER + ", certificate-authority-data: QQ==, proxy-url: 'http://p:3128'",
                        "client-certificate-data: QQ==, client-key-data: QQ==")))
                .isEmpty();
        assertThat(KubeconfigPolicy.defect(kubeconfig(SERVER, "username: a, password: b"))).isEmpty();
    }
}
