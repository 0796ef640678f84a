package io.nodeward.backend.fabric8;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.core.spi.ClusterAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubeconfigReaderTest {
    private static final String SECRET = "s3cr3t";

    @TempDir
    private Path folder;

    @Test
    void the_current_context_of_the_text_wins_over_the_first_one() {
        String text = """
                clusters:
                - {name: c1, cluster: {server: 'https://first:6443'}}
                - {name: c2, cluster: {server: 'https://second:6443/prefix/'}}
                users: [{name: u1, user: {token: one}}, {name: u2, user: {token: two}}]
                contexts: [{name: x1, context: {cluster: c1, user: u1}}, {name: x2, context: {cluster: c2, user: u2}}]
                current-context: x2
                """;
        Access access = KubeconfigReader.read(new ClusterAccess(text, Optional.empty(), "agent"));
        assertThat(access.server()).isEqualTo("https://second:6443/prefix");
        assertThat(access.config().getAutoOAuthToken()).isEqualTo("two");
    }

    @Test
    void relative_paths_are_resolved_against_the_kubeconfig_not_the_working_directory() throws IOException {
        Path file = Files.writeString(folder.resolve("kubeconfig"), "");
        String user = "client-certificate: ../a.crt, client-key: /abs/a.key";
        Access access = read("certificate-authority: pki/ca.crt", user, file);
        assertThat(access.config().getCaCertFile()).isEqualTo(folder.resolve("pki/ca.crt").toString());
        assertThat(access.config().getClientCertFile()).isEqualTo(folder.resolveSibling("a.crt").toString());
        assertThat(access.config().getClientKeyFile()).isEqualTo("/abs/a.key");
    }

    @Test
    void a_token_file_is_known_by_its_path_as_its_content_changes() {
        Path file = folder.resolve("kubeconfig");
        assertThat(read("", "tokenFile: token", file).tokenFile()).contains(folder.resolve("token"));
    }

    @Test
    void impersonation_of_an_operators_own_file_is_carried_over() {
        String user = "token: t, as: jane, as-groups: [a, b], as-uid: '7', as-user-extra: {k: [v]}";
        Access access = read("", user, folder.resolve("kubeconfig"));
        assertThat(access.config().getImpersonateUsername()).isEqualTo("jane");
        assertThat(access.config().getImpersonateGroups()).containsExactly("a", "b");
        assertThat(access.config().getImpersonateExtras()).containsEntry("k", List.of("v"));
        assertThat(access.config().getCustomHeaders()).containsEntry("Impersonate-Uid", "7");
    }

    @Test
    void a_proxy_is_used_for_an_https_server_too() {
        assertThat(read("proxy-url: 'http://proxy:3128'", "token: t").config().getHttpsProxy())
                .isEqualTo("http://proxy:3128");
    }

    @ParameterizedTest(name = "cluster {0} with user {1}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
            tls-server-name: other | token: s3cr3t | tls-server-name is not supported
            proxy-url: 'socks5://p:1' | token: s3cr3t | proxy-url is not of the form
            proxy-url: 'http://p' | token: s3cr3t | proxy-url is not of the form
            proxy-url: 'http://u:s3cr3t@p:1' | token: t | proxy-url
            server: 's3cr3t.example' | token: t | server is
            server: 'https://u:s3cr3t@h' | token: t | server
            server: '' | token: t | server is missing
            '' | {token: s3cr3t, username: u, password: s3cr3t} | both a token and a username
            '' | username: u | username and
            '' | client-certificate-data: YQ== | one of client-certificate
            '' | client-key-data: s3cr3t | one of client-certificate
            """)
    void a_defect_is_named_and_no_credential_with_it(String cluster, String user, String why) {
        for (Optional<Path> file : List.of(Optional.<Path>empty(), Optional.of(folder.resolve("kubeconfig")))) {
            ClusterAccess access = new ClusterAccess(kubeconfig(cluster, user), file, "agent");
            assertThatThrownBy(() -> KubeconfigReader.read(access))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(why)
                    .hasMessageNotContaining(SECRET)
                    .hasNoCause();
        }
    }

    @ParameterizedTest(name = "cluster {0} with user {1}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
            '' | exec: {apiVersion: v1, command: rm} | user.exec would run a program
            '' | auth-provider: {name: oidc} | user.auth-provider is not supported
            '' | tokenFile: /etc/s3cr3t | user.tokenFile names a file
            '' | {token: s3cr3t, as: jane} | user.as (impersonation) is not supported
            certificate-authority: /etc/s3cr3t | token: s3cr3t | cluster.certificate-authority names a file
            """)
    void what_is_an_operators_alone_is_refused_from_a_secret(String cluster, String user, String why) {
        assertThatThrownBy(() -> read(cluster, user))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why)
                .hasMessageNotContaining(SECRET)
                .hasNoCause();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``                                                            | the kubeconfig is empty
            {token: s3cr3t                                                | no YAML of a kubeconfig
            [s3cr3t]                                                      | no YAML of a kubeconfig
            users: s3cr3t                                                 | no YAML of a kubeconfig
            current-context: x                                            | there is no context x
            contexts: [{name: x, context: {cluster: c}}]                  | current-context is missing
            current-context: x; contexts: [{name: x}]                     | there is no context x
            current-context: x; contexts: [{name: x}, {name: x, context: {cluster: c}}] | two entries of context x
            current-context: x; contexts: [{name: x, context: {user: u}}] | cluster of the context is missing
            current-context: x; contexts: [{name: x, context: {cluster: c, user: u}}] | there is no cluster c
            """)
    void a_broken_file_is_refused_without_quoting_it(String text, String why) {
        Optional<Path> file = Optional.of(folder.resolve("kubeconfig"));
        ClusterAccess access = new ClusterAccess(text.replace("; ", "\n"), file, "agent");
        assertThatThrownBy(() -> KubeconfigReader.read(access))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why)
                .hasMessageNotContaining(SECRET)
                .hasNoCause();
    }

    @Test
    void an_exec_plugin_of_an_operators_own_file_is_asked() throws IOException {
        Path plugin = Files.writeString(folder.resolve("plugin.sh"), """
                #!/bin/sh
                echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential",'
                echo ' "status":{"token":"from-plugin"}}'
                """);
        assertThat(plugin.toFile().setExecutable(true)).isTrue();
        Path file = folder.resolve("kubeconfig");
        String user = "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin.sh}";
        Files.writeString(file, kubeconfig("", user));
        Access access = read("", user, file);
        assertThat(access.plugin()).isTrue();
        assertThat(access.config().getAutoOAuthToken()).isEqualTo("from-plugin");
    }

    private static Access read(String cluster, String user) {
        return KubeconfigReader.read(new ClusterAccess(kubeconfig(cluster, user), Optional.empty(), "agent"));
    }

    private static Access read(String cluster, String user, Path file) {
        return KubeconfigReader.read(new ClusterAccess(kubeconfig(cluster, user), Optional.of(file), "agent"));
    }

    private static String kubeconfig(String cluster, String user) {
        String server = cluster.startsWith("server:") ? "" : "server: 'https://host:6443', ";
        return """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {%s%s}}]
                users: [{name: u, user: {%s}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                current-context: x
                """.formatted(server, cluster, user.replaceAll("^\\{(token.*)}$", "$1"));
    }
}
