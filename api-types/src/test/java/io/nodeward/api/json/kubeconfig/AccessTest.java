package io.nodeward.api.json.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessTest {
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
        for (Optional<Path> file : List.of(Optional.<Path>empty(), Optional.of(folder.resolve("kubeconfig")))) {
            Access access = Access.of(text, file);
            assertThat(access.server()).isEqualTo("https://second:6443/prefix");
            assertThat(access.credential()).isEqualTo(new Access.Token("two"));
        }
    }

    @Test
    void relative_paths_are_resolved_against_the_kubeconfig_not_the_working_directory() throws IOException {
        Files.createDirectory(folder.resolve("pki"));
        Files.write(folder.resolve("pki/ca.crt"), Keys.bytes("rsa.crt"));
        Files.write(folder.resolve("a.crt"), Keys.bytes("ec.crt"));
        Path key = Files.write(folder.resolve("a.key"), Keys.bytes("ec-sec1.pem"));
        Path file = Files.createDirectory(folder.resolve("kube")).resolve("kubeconfig");
        Access access = read(
                "certificate-authority: ../pki/ca.crt", "client-certificate: ../a.crt, client-key: " + key, file);
        assertThat(subjects(((Access.Authorities) access.trust()).certificates())).containsExactly("CN=rsa-test");
        assertThat(subjects(access.certificate().orElseThrow().chain())).containsExactly("CN=ec-test");
        assertThat(access.certificate().orElseThrow().key().getAlgorithm()).isEqualTo("EC");
    }

    @Test
    void data_wins_over_a_file() throws IOException {
        Access access = read("certificate-authority: none, certificate-authority-data: " + base64("ec.crt"), "token: t",
                folder.resolve("kubeconfig"));
        assertThat(subjects(((Access.Authorities) access.trust()).certificates())).containsExactly("CN=ec-test");
    }

    @Test
    void a_file_that_is_not_there_is_named() {
        Path file = folder.resolve("kubeconfig");
        assertThatThrownBy(() -> read("certificate-authority: ca.crt", "token: t", file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cluster.certificate-authority: " + folder.resolve("ca.crt") + " cannot be read");
    }

    @Test
    void all_authorities_of_a_bundle_are_read() throws IOException {
        byte[] bundle = (text("ec.crt") + text("rsa.crt")).getBytes(StandardCharsets.US_ASCII);
        String data = "certificate-authority-data: " + Base64.getEncoder().encodeToString(bundle);
        assertThat(((Access.Authorities) read(data, "token: t").trust()).certificates()).hasSize(2);
    }

    @Test
    void a_token_file_is_known_by_its_path_as_its_content_changes_and_wins_over_a_token() {
        Path file = folder.resolve("kubeconfig");
        assertThat(read("", "token: old, tokenFile: token", file).credential())
                .isEqualTo(new Access.TokenFile(folder.resolve("token")));
    }

    @Test
    void an_empty_text_of_an_operators_own_file_counts_as_absent() {
        String user = "token: t, username: '', client-certificate-data: '', as: '', tokenFile: ''";
        Access access = read("certificate-authority: '', tls-server-name: '', proxy-url: ''", user,
                folder.resolve("kubeconfig"));
        assertThat(access.credential()).isEqualTo(new Access.Token("t"));
        assertThat(access.trust()).isEqualTo(new Access.PublicAuthorities());
        assertThat(access.proxy()).isEmpty();
        assertThat(access.certificate()).isEmpty();
        assertThat(access.impersonation()).isEmpty();
    }

    @Test
    void a_context_without_a_user_logs_nobody_in() {
        String text = kubeconfig("", "token: t").replace(", user: u}", "}");
        assertThat(Access.of(text, Optional.of(folder.resolve("kubeconfig"))).credential())
                .isEqualTo(new Access.Nothing());
    }

    @Test
    void impersonation_of_an_operators_own_file_is_carried_over() {
        String user = "token: t, as: jane, as-groups: [a, b], as-uid: '7', as-user-extra: {k: [v]}";
        Access access = read("", user, folder.resolve("kubeconfig"));
        assertThat(access.impersonation())
                .contains(new Access.Impersonation("jane", "7", List.of("a", "b"), Map.of("k", List.of("v"))));
    }

    @Test
    void a_proxy_is_taken() {
        assertThat(read("proxy-url: 'http://proxy:3128'", "token: t").proxy())
                .contains(new Access.Proxy("proxy", 3128));
    }

    @Test
    void an_operators_own_file_may_be_written_with_anchors_and_merges() {
        String text = """
                base: &base {server: 'https://h:6443'}
                login: &login {token: t}
                clusters: [{name: c, cluster: {<<: *base, insecure-skip-tls-verify: true}}]
                users: [{name: u, user: *login}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                current-context: x
                """;
        Access access = Access.of(text, Optional.of(folder.resolve("kubeconfig")));
        assertThat(access.server()).isEqualTo("https://h:6443");
        assertThat(access.trust()).isEqualTo(new Access.Anyone());
        assertThat(access.credential()).isEqualTo(new Access.Token("t"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0123", "1e3", "2026-01-01", "~x", "0x1f"})
    void a_token_that_looks_like_something_else_stays_as_it_was_written(String token) {
        for (Optional<Path> file : List.of(Optional.<Path>empty(), Optional.of(folder.resolve("kubeconfig")))) {
            assertThat(Access.of(kubeconfig("", "token: " + token), file).credential())
                    .isEqualTo(new Access.Token(token));
        }
    }

    @Test
    void a_file_that_contains_itself_is_refused() {
        String text = "a: &a {b: *a}\n" + kubeconfig("", "token: t");
        assertThatThrownBy(() -> Access.of(text, Optional.of(folder.resolve("kubeconfig"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nested too deep");
    }

    @ParameterizedTest(name = "cluster {0} with user {1}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
            tls-server-name: other | token: s3cr3t | tls-server-name is not supported
            proxy-url: 'socks5://p:1' | token: s3cr3t | proxy-url is not of the form
            proxy-url: 'http://p' | token: s3cr3t | proxy-url is not of the form
            proxy-url: 'http://u:s3cr3t@p:1' | token: t | proxy-url
            server: 's3cr3t.example' | token: t | server is missing or is no
            server: 'https://u:s3cr3t@h' | token: t | server
            server: '' | token: t | server is missing
            '' | {token: s3cr3t, username: u, password: s3cr3t} | both a token and a username
            '' | username: u | one of username and password
            '' | client-certificate-data: YQ== | one of client-
            '' | client-key-data: s3cr3t | one of client-
            """)
    void a_defect_is_named_and_no_credential_with_it(String cluster, String user, String why) {
        for (Optional<Path> file : List.of(Optional.<Path>empty(), Optional.of(folder.resolve("kubeconfig")))) {
            assertThatThrownBy(() -> Access.of(kubeconfig(cluster, user), file))
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
            users: s3cr3t                                                 | current-context is missing
            current-context: x                                            | there is no context x
            contexts: [{name: x, context: {cluster: c}}]                  | current-context is missing
            current-context: x; contexts: [{name: x}]                     | there is no context x
            current-context: x; contexts: [{name: x}, {name: x, context: {cluster: c}}] | two entries of context x
            current-context: x; contexts: [{name: x, context: {user: u}}] | cluster of the context is missing
            current-context: x; contexts: [{name: x, context: {cluster: c, user: u}}] | there is no cluster c
            """)
    void a_broken_file_is_refused_without_quoting_it(String text, String why) {
        Optional<Path> file = Optional.of(folder.resolve("kubeconfig"));
        assertThatThrownBy(() -> Access.of(text.replace("; ", "\n"), file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why)
                .hasMessageNotContaining(SECRET)
                .hasNoCause();
    }

    @Test
    void an_exec_plugin_of_an_operators_own_file_is_read_with_what_it_is_told() {
        Path file = folder.resolve("kubeconfig");
        String exec = "apiVersion: client.authentication.k8s.io/v1, command: ./plugin.sh, args: [a, ''],"
                + " env: [{name: N, value: v}], interactiveMode: IfAvailable";
        ExecPlugin plugin = plugin("", exec, file);
        assertThat(plugin.command()).containsExactly(folder.resolve("plugin.sh").toString(), "a", "");
        assertThat(plugin.environment()).containsOnly(Map.entry("N", "v"));
        assertThat(plugin.info()).isEqualTo("{\"apiVersion\":\"client.authentication.k8s.io/v1\","
                + "\"kind\":\"ExecCredential\",\"spec\":{\"interactive\":false}}");
        assertThat(plugin).hasToString("ExecPlugin[" + folder.resolve("plugin.sh") + "]");
    }

    @Test
    void a_plugin_that_asks_for_it_is_told_about_the_cluster() {
        String cluster = "insecure-skip-tls-verify: true, extensions: [{name: client.authentication.k8s.io/exec,"
                + " extension: {audience: a}}]";
        String exec = "apiVersion: client.authentication.k8s.io/v1beta1, command: on-path, provideClusterInfo: true";
        ExecPlugin plugin = plugin(cluster, exec, folder.resolve("kubeconfig"));
        assertThat(plugin.command()).containsExactly("on-path");
        assertThat(plugin.info()).contains("\"cluster\":{\"server\":\"https://host:6443\","
                + "\"insecure-skip-tls-verify\":true,\"config\":{\"audience\":\"a\"}}");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            auth-provider: {name: oidc, config: {id-token: s3cr3t}}     | user.auth-provider is not supported
            exec: {command: s3cr3t}                                     | exec.apiVersion is none of
            exec: {apiVersion: V1, args: [s3cr3t]}                      | exec.command is missing
            exec: {apiVersion: V1, command: a, interactiveMode: Always} | exec.interactiveMode is Always
            exec: {apiVersion: V1, command: a, args: [[s3cr3t]]}        | an entry of exec.args is no text
            exec: {apiVersion: V1, command: a, env: [{value: s3cr3t}]}  | an entry of exec.env has no name
            exec: {apiVersion: V1, command: a}, token: s3cr3t           | both exec and a token
            token: t, as-groups: [s3cr3t]                               | user.as is missing
            token: t, as: "s3cr3t\\n"                                  | visible ASCII
            token: t, as: j, as-user-extra: {k: [s3cr3té]}              | visible ASCII
            tokenFile: "s3cr3t\\0"                                      | user.tokenFile is no path
            """)
    void a_defect_that_an_operators_own_file_alone_can_have_is_named(String user, String why) {
        String with = user.replace("V1", "client.authentication.k8s.io/v1");
        assertThatThrownBy(() -> read("", with, folder.resolve("kubeconfig")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why)
                .hasMessageNotContaining(SECRET)
                .hasNoCause();
    }

    private static ExecPlugin plugin(String cluster, String exec, Path file) {
        return ((Access.Plugin) read(cluster, "exec: {" + exec + "}", file).credential()).exec();
    }

    private static List<String> subjects(List<X509Certificate> certificates) {
        return certificates.stream().map(c -> c.getSubjectX500Principal().getName()).toList();
    }

    private static String base64(String name) throws IOException {
        return Base64.getEncoder().encodeToString(Keys.bytes(name));
    }

    private static String text(String name) throws IOException {
        return new String(Keys.bytes(name), StandardCharsets.US_ASCII);
    }

    private static Access read(String cluster, String user) {
        return Access.of(kubeconfig(cluster, user), Optional.empty());
    }

    private static Access read(String cluster, String user, Path file) {
        return Access.of(kubeconfig(cluster, user), Optional.of(file));
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
