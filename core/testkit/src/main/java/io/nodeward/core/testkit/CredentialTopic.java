package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

abstract class CredentialTopic extends TransportTopic {
    private static final String SECRET = "s3cr3t-0f-th3-c0ntract";
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final ObjectKey A = ObjectKey.clusterScoped("a");

    @Test
    void a_token_goes_with_every_request_and_so_does_the_user_agent() throws IOException {
        FaultyServer server = faulty(Replying.with(200, "{}"));
        ApiServer api = api(server.kubeconfig(SECRET));
        api.get(NODES, A);
        api.patch(NODES, A, merge("{}"));
        api.watch(NODES, "", ListOptions.page("", 0, "")).close();
        assertThat(server.requests()).hasSize(3).allSatisfy(request -> assertThat(request.headers())
                .containsEntry("authorization", "Bearer " + SECRET)
                .containsEntry("user-agent", "nodeward/contract (" + backend().name() + ")"));
    }

    @Test
    void a_username_and_password_go_with_every_request() throws IOException {
        FaultyServer server = faulty(Replying.with(200, "{}"));
        String user = "username: u, password: " + SECRET;
        api(Kubeconfigs.of("http://127.0.0.1:" + server.port(), user)).get("/version");
        String encoded = Base64.getEncoder().encodeToString(bytes("u:" + SECRET));
        assertThat(server.requests().getFirst().headers()).containsEntry("authorization", "Basic " + encoded);
    }

    @Test
    void a_token_file_is_read_again_as_it_changes(@TempDir Path folder) throws IOException {
        FaultyServer server = faulty(Replying.with(200, "{}"));
        Path token = Files.writeString(folder.resolve("token"), "one\n");
        ApiServer api = api(Kubeconfigs.of("http://127.0.0.1:" + server.port(), "tokenFile: token"), folder);
        api.get("/version");
        Files.writeString(token, "two\n");
        api.get("/version");
        assertThat(server.requests()).extracting(r -> r.headers().get("authorization"))
                .containsExactly("Bearer one", "Bearer two");
    }

    @Test
    void after_a_rotation_a_new_token_in_the_file_is_used_and_the_open_watch_goes_on(@TempDir Path folder)
            throws Exception {
        AtomicReference<String> accepted = new AtomicReference<>("Bearer one");
        CountDownLatch goOn = new CountDownLatch(1);
        FaultyServer.Reply watch = Replying.inTwoParts("", goOn, "{}");
        FaultyServer server = faulty((request, out) -> {
            boolean known = Objects.equals(accepted.get(), request.headers().get("authorization"));
            (!known ? Replying.status(401, "Unauthorized", "Unauthorized")
                    : request.target().contains("watch=") ? watch : Replying.with(200, "{}")).answer(request, out);
        });
        Path token = Files.writeString(folder.resolve("token"), "one\n");
        ApiServer api = api(Kubeconfigs.of("http://127.0.0.1:" + server.port(), "tokenFile: token"), folder);
        Response open = closing(api.watch(NODES, "", ListOptions.watchFrom("", "7", Duration.ofMinutes(5))));
        accepted.set("Bearer two");
        assertThatThrownBy(() -> api.get("/version")).isInstanceOf(ApiFailure.Unauthorized.class);
        Files.writeString(token, "two\n");
        assertThat(api.get("/version")).asString().isEqualTo("{}");
        goOn.countDown();
        assertThat(text(open)).isEqualTo("{}");
        assertThat(server.requests()).hasSize(3);
    }

    @Test
    void no_failure_shows_a_credential() throws IOException {
        ApiServer cut = api(faulty(Replying.nothing()).kubeconfig(SECRET));
        ApiServer unauthorized = api(faulty(Replying.status(401, "Unauthorized", "no")).kubeconfig(SECRET));
        ApiServer noTls = api(Kubeconfigs.of(
                "https://127.0.0.1:" + faulty(Replying.nothing()).port(), "username: u, password: " + SECRET));
        ApiServer nobody = api(Kubeconfigs.of("https://nobody.invalid:1", "token: " + SECRET));
        for (ApiServer api : new ApiServer[]{cut, unauthorized, noTls, nobody}) {
            assertHidden(() -> api.get(NODES, A));
            assertHidden(() -> api.patch(NODES, A, merge("{}")));
        }
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {
            "token: \"" + SECRET + "\\u0001\"", "token: \"" + SECRET + "\\n" + SECRET + "\"",
            "client-certificate-data: " + SECRET + ", client-key-data: " + SECRET,
            "token: " + SECRET + ", username: u, password: " + SECRET,
            "username: u, password: [" + SECRET, "tokenFile: {a: " + SECRET + "}"
    })
    void a_kubeconfig_that_cannot_be_used_is_refused_without_showing_a_credential(String user) throws IOException {
        int port = faulty(Replying.with(200, "{}")).port();
        for (String scheme : new String[]{"http", "https"}) {
            assertHidden(() -> transport(Kubeconfigs.of(scheme + "://127.0.0.1:" + port, user)).exchange(
                    get("/version", SOON)));
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            user      | c | users: [{name: u, user: {PLUGIN}}]
            alias     | c | evil: &evil {PLUGIN}; users: [{name: u, user: *evil}]
            list      | c | evil: &evil [{name: u, user: {PLUGIN}}]; users: *evil
            merge     | c | evil: &evil {PLUGIN}; users: [{name: u, user: {<<: *evil}}]
            second    | c | users: [{name: u, user: {token: t}}, {name: u, user: {PLUGIN}}]
            first     | c | users: [{name: u, user: {PLUGIN}}, {name: u, user: {token: t}}]
            field     | c | users: [{name: u, user: {token: t}}]; users: [{name: u, user: {PLUGIN}}]
            context   | c}}, {name: x, context: {user: v, cluster: c | users: [{name: u, user: {token: t}}, {name: v, user: {PLUGIN}}]
            document  | c | users: [{name: u, user: {token: t}}]; ---; users: [{name: u, user: {PLUGIN}}]
            """)
    void a_kubeconfig_from_a_secret_runs_no_program(String how, String cluster, String users, @TempDir Path folder)
            throws IOException {
        Path ran = folder.resolve("ran");
        String plugin =
                "exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: touch, args: ['"
                        + ran + "']}";
        String text = """
                clusters: [{name: c, cluster: {server: 'http://127.0.0.1:%d'}}]
                contexts: [{name: x, context: {user: u, cluster: %s}}]
                current-context: x
                %s
                """.formatted(
                faulty(Replying.with(200, "{}")).port(), cluster,
                users.replace("; ", "\n").replace("PLUGIN", plugin));
        assertThatThrownBy(() -> transport(text)).as(how).isInstanceOf(IllegalArgumentException.class);
        assertThat(ran).as(how).doesNotExist();
    }

    @Test
    void a_key_with_a_length_that_lies_is_refused() throws IOException {
        byte[] der = {0x30, (byte) 0x84, 0x7f, -1, -1, -1};
        for (String kind : new String[]{"RSA ", "EC ", ""}) {
            String base64 = Base64.getEncoder().encodeToString(der);
            String pem =
                    "-----BEGIN %1$sPRIVATE KEY-----\n%2$s\n-----END %1$sPRIVATE KEY-----\n".formatted(kind, base64);
            String user = "client-certificate-data: %s, client-key-data: %s"
                    .formatted(TlsServer.base64("ec.crt"), Base64.getEncoder().encodeToString(bytes(pem)));
            assertThatThrownBy(() -> transport(Kubeconfigs.of("https://127.0.0.1:1", user)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining(base64);
        }
    }

    @Test
    void nothing_shows_a_credential_when_printed() throws IOException {
        FaultyServer server = faulty(Replying.with(200, "{}"));
        ClusterAccess access = new ClusterAccess(server.kubeconfig(SECRET), Optional.empty(), "a");
        Transport transport = closing(backend().connect(access));
        var answer = closing(transport.exchange(get("/version", SOON)));
        assertThat("" + backend() + access + transport + answer + new ApiServer(transport))
                .doesNotContain(SECRET);
    }

    private static void assertHidden(ThrowingCallable call) {
        Throwable failure = catchThrowable(call);
        assertThat(failure).isNotNull();
        String basic = Base64.getEncoder().encodeToString(bytes("u:" + SECRET));
        assertThat(trace(failure)).doesNotContain(SECRET).doesNotContain(basic);
    }
}
