package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What no backend can do is refused by all of them before anything is sent, and the defect is called by its field. */
abstract class RefusedTopic extends TransportTopic {
    private static final String SERVER = "server: 'https://127.0.0.1:1'";
    /** A word that stands wherever a secret might, and in no message. */
    private static final String WORD = "w0rd0fth3c0ntract";

    @ParameterizedTest(name = "{0}: {1}, {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            proxy-url                  | server: 'https://127.0.0.1:1', proxy-url: 'socks5://127.0.0.1:1080' | token: t
            proxy-url                  | server: 'https://127.0.0.1:1', proxy-url: 'https://127.0.0.1:3128'  | token: t
            proxy-url                  | server: 'https://127.0.0.1:1', proxy-url: 'http://u:WORD@127.0.0.1:3128' | token: t
            proxy-url                  | server: 'https://127.0.0.1:1', proxy-url: 'http://127.0.0.1'        | token: t
            proxy-url                  | server: 'https://127.0.0.1:1', proxy-url: 'proxy'                   | token: t
            tls-server-name            | server: 'https://127.0.0.1:1', tls-server-name: other.contract.test | token: t
            server                     | {}                                                                  | token: t
            server                     | server: ''                                                          | token: t
            server                     | server: 'ftp://127.0.0.1'                                           | token: t
            server                     | server: '127.0.0.1:6443'                                            | token: t
            server                     | server: 'https://u:WORD@127.0.0.1:6443'                             | token: t
            server                     | server: 'https://127.0.0.1:6443/?a=b'                               | token: t
            certificate-authority      | server: 'https://127.0.0.1:1', certificate-authority-data: V09SRA== | token: t
            token                      | server: 'https://127.0.0.1:1' | token: WORD, username: u, password: WORD
            password                   | server: 'https://127.0.0.1:1' | username: u
            client-key                 | server: 'https://127.0.0.1:1' | client-certificate-data: CERTIFICATE
            client-key                 | server: 'https://127.0.0.1:1' | client-certificate-data: CERTIFICATE, client-key-data: V09SRA==
            client-certificate         | server: 'https://127.0.0.1:1' | client-certificate-data: V09SRA==, client-key-data: KEY
            client-key                 | server: 'https://127.0.0.1:1' | client-certificate-data: RSA, client-key-data: KEY
            """)
    void what_cannot_be_used_is_called_by_its_field(String field, String cluster, String user, @TempDir Path folder)
            throws IOException {
        String text = Kubeconfigs.with(cluster.equals("{}") ? "" : filled(cluster), filled(user));
        assertRefused(text, folder, field);
    }

    private static String filled(String text) throws IOException {
        return text.replace("WORD", WORD)
                .replace("CERTIFICATE", TlsServer.base64("ec.crt"))
                .replace("RSA,", TlsServer.base64("rsa.crt") + ",")
                .replace("KEY", TlsServer.base64("ec-sec1.key"));
    }

    /** As from a Secret, and as from an operator's own file. */
    private void assertRefused(String text, Path folder, String... words) {
        for (Optional<Path> file : List.of(Optional.<Path>empty(), Optional.of(folder.resolve("kubeconfig")))) {
            assertThatThrownBy(() -> transport(text, file))
                    .as("from %s", file)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll(words)
                    .hasMessageNotContaining(WORD);
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            current-context | contexts: [{name: x, context: {cluster: c, user: u}}]
            context         | current-context: y; contexts: [{name: x, context: {cluster: c, user: u}}]
            cluster         | current-context: x; contexts: [{name: x, context: {cluster: nowhere, user: u}}]
            user            | current-context: x; contexts: [{name: x, context: {cluster: c, user: nobody}}]
            """)
    void a_name_that_leads_nowhere_is_refused(String field, String rest, @TempDir Path folder) {
        String text = "clusters: [{name: c, cluster: {%s}}]\nusers: [{name: u, user: {token: %s}}]\n"
                .formatted(SERVER, WORD) + rest.replace("; ", "\n");
        assertRefused(text, folder, field);
    }

    static Stream<Arguments> of_the_controller() {
        return Stream.of(
                Arguments.of("exec", "", "exec: {apiVersion: client.authentication.k8s.io/v1, command: 'FILE'}"),
                Arguments.of("auth-provider", "", "auth-provider: {name: gcp, config: {cmd-path: 'FILE'}}"),
                Arguments.of("certificate-authority", ", certificate-authority: 'FILE'", "token: t"),
                Arguments.of("client-certificate", "", "client-certificate: 'FILE', client-key-data: KEY"),
                Arguments.of("client-key", "", "client-certificate-data: CERTIFICATE, client-key: 'FILE'"),
                Arguments.of("tokenFile", "", "tokenFile: 'FILE'"),
                Arguments.of("tokenFile", "", "token: t, tokenFile: 'FILE'"),
                Arguments.of("as", "", "token: t, as: admin"),
                Arguments.of("as-uid", "", "token: t, as-uid: '0'"),
                Arguments.of("as-groups", "", "token: t, as-groups: ['system:masters']"),
                Arguments.of("as-user-extra", "", "token: t, as-user-extra: {scopes: [all]}"));
    }

    // Whoever may write a Secret must not read, run or be what the controller may.
    @ParameterizedTest(name = "{0}")
    @MethodSource("of_the_controller")
    void a_kubeconfig_from_a_secret_names_nothing_of_the_controllers(
            String field, String cluster, String user, @TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), WORD);
        String text = Kubeconfigs.with(SERVER + cluster.replace("FILE", file.toString()),
                filled(user.replace("FILE", file.toString())));
        assertThatThrownBy(() -> transport(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(field)
                .hasMessageNotContaining(WORD);
    }

    @Test
    void a_key_that_no_backend_can_sign_with_is_refused(@TempDir Path folder) throws IOException {
        String encrypted =
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\n" + Base64.getEncoder().encodeToString(bytes(WORD))
                        + "\n-----END ENCRYPTED PRIVATE KEY-----\n";
        String text = Kubeconfigs.with(SERVER, "client-certificate-data: %s, client-key-data: %s".formatted(
                TlsServer.base64("ec.crt"), Base64.getEncoder().encodeToString(bytes(encrypted))));
        assertRefused(text, folder, "client-key", "encrypted");
    }

    @Test
    void nothing_is_sent_to_the_server_of_a_refused_kubeconfig() throws IOException {
        FaultyServer server = faulty(Replying.with(200, "{}"));
        String at = "server: 'http://127.0.0.1:" + server.port() + "', tls-server-name: other.contract.test";
        assertThatThrownBy(() -> transport(Kubeconfigs.with(at, "token: t")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(server.openConnections()).isZero();
    }
}
