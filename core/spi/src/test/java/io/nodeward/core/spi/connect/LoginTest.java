package io.nodeward.core.spi.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.json.kubeconfig.Access;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoginTest {
    private static final String SECRET = "s3cr3t";

    @TempDir
    private Path folder;

    @Test
    void a_token_a_password_or_nothing_is_sent_with_the_user_agent() throws Exception {
        assertThat(headers("{token: t}")).containsExactly("User-Agent: agent", "Authorization: Bearer t");
        assertThat(headers("{username: ü, password: p}")).containsExactly(
                "User-Agent: agent", "Authorization: Basic w7w6cA==");
        assertThat(headers("{}")).containsExactly("User-Agent: agent");
    }

    @Test
    void whom_to_act_as_is_sent_in_headers_of_its_own() throws Exception {
        String user = "{token: t, as: jane doe, as-uid: '7', as-groups: [a, b], as-user-extra: {acme.com/x y: [v, w]}}";
        assertThat(headers(user)).containsExactly(
                "User-Agent: agent", "Impersonate-User: jane doe", "Impersonate-Uid: 7", "Impersonate-Group: a",
                "Impersonate-Group: b", "Impersonate-Extra-acme.com%2Fx%20y: v",
                "Impersonate-Extra-acme.com%2Fx%20y: w",
                "Authorization: Bearer t");
    }

    @Test
    void a_token_file_is_read_for_each_call() throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "one\n");
        Login login = login("{tokenFile: token}");
        assertThat(authorization(login)).isEqualTo("Bearer one");
        Files.writeString(token, "two");
        assertThat(authorization(login)).isEqualTo("Bearer two");
    }

    @Test
    void a_token_file_that_cannot_be_used_is_named_and_not_quoted() throws IOException {
        Login login = login("{tokenFile: token}");
        Path token = folder.resolve("token");
        assertThatThrownBy(login::now).isInstanceOf(IOException.class).hasMessage(token + " cannot be read");
        Files.write(token, new byte[]{'s', (byte) 0xff});
        assertThatThrownBy(login::now).isInstanceOf(IOException.class).hasMessage(token + " cannot be read");
        Files.writeString(token, SECRET + "\n" + SECRET);
        assertThatThrownBy(login::now).isInstanceOf(IOException.class)
                .hasMessageContaining(token + " is empty or holds characters no token has")
                .hasMessageNotContaining(SECRET);
        assertThat(Failures.words(new NoCredentialException("why"))).isEqualTo("no credential: why");
    }

    @Test
    void a_client_certificate_of_the_kubeconfig_is_shown() throws Exception {
        Login login = login("{token: t, client-certificate-data: " + Pems.base64("ec.crt") + ", client-key-data: "
                + Pems.base64("ec-sec1.pem") + "}");
        assertThat(login.now().certificate().orElseThrow().key().getAlgorithm()).isEqualTo("EC");
    }

    @Test
    void no_header_shows_its_value_when_printed() throws Exception {
        assertThat(login("{token: " + SECRET + "}").now()).asString().doesNotContain(SECRET);
    }

    private List<String> headers(String user) throws Exception {
        return login(user).now().headers().stream().map(header -> header.name() + ": " + header.value()).toList();
    }

    private static String authorization(Login login) throws Exception {
        return login.now().headers().getLast().value();
    }

    private Login login(String user) {
        String kubeconfig = """
                clusters: [{name: c, cluster: {server: 'https://host:6443'}}]
                users: [{name: u, user: %s}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                current-context: x
                """.formatted(user);
        Access access = Access.of(kubeconfig, Optional.of(folder.resolve("kubeconfig")));
        return new Login(access, "agent", InstantSource.system());
    }
}
