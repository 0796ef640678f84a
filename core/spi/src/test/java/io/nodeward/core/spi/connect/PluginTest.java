package io.nodeward.core.spi.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.json.kubeconfig.Access;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A plugin is a shell script that notes each of its runs. */
class PluginTest {
    private static final String SECRET = "s3cr3t";
    private static final String TOKEN = "printf '{\"kind\":\"ExecCredential\","
            + "\"apiVersion\":\"client.authentication.k8s.io/v1\",\"status\":{\"token\":\"t%s\"%s}}' \"$(wc -l < runs)\" ";
    private static final String NO_END = TOKEN + "''";
    /** The child itself creates the file: once it is there, ending the plugin has to find both processes. */
    private static final String SLEEP = "sh -c 'touch asleep; exec sleep 300'";

    @TempDir
    private Path folder;

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private Optional<Login> login = Optional.empty();

    @AfterEach
    void close() {
        login.ifPresent(Login::close);
    }

    @Test
    void what_a_plugin_says_is_kept() throws Exception {
        Login login = plugin(NO_END);
        assertThat(authorization(login)).isEqualTo("Bearer t1");
        assertThat(authorization(login)).isEqualTo("Bearer t1");
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void it_is_asked_again_when_its_word_has_run_out() throws Exception {
        Login login = plugin(TOKEN + "',\"expirationTimestamp\":\"2026-01-01T01:00:00Z\"'");
        assertThat(authorization(login)).isEqualTo("Bearer t1");
        now = now.plusSeconds(3599);
        assertThat(authorization(login)).isEqualTo("Bearer t1");
        now = now.plusSeconds(1);
        assertThat(authorization(login)).isEqualTo("Bearer t2");
    }

    @Test
    void it_is_asked_again_once_when_many_calls_were_refused() throws Exception {
        Login login = plugin(NO_END);
        Identity first = login.now();
        Identity same = login.now();
        login.refused(first);
        assertThat(authorization(login)).isEqualTo("Bearer t2");
        login.refused(same);
        assertThat(authorization(login)).isEqualTo("Bearer t2");
    }

    @Test
    void a_client_certificate_of_a_plugin_is_shown() throws Exception {
        Files.writeString(folder.resolve("answer"), """
                {"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{
                 "clientCertificateData":"%s","clientKeyData":"%s"}}
                """.formatted(Pems.text("ec.crt").replace("\n", "\\n"), Pems.text("ec-sec1.pem").replace("\n", "\\n")));
        Identity identity = plugin("cat answer").now();
        assertThat(identity.certificate().orElseThrow().key().getAlgorithm()).isEqualTo("EC");
        assertThat(identity.headers()).extracting(Identity.Header::name).containsExactly("User-Agent");
    }

    @Test
    void it_gets_its_arguments_as_they_are_its_environment_and_no_one_to_talk_to() throws Exception {
        Login login = plugin("cat > in; echo \"$1|$2|$NAME|$KUBERNETES_EXEC_INFO\" > said; echo warning >&2; " + NO_END,
                "args: ['$HOME \"a', ''], env: [{name: NAME, value: v}]");
        assertThat(authorization(login)).isEqualTo("Bearer t1");
        assertThat(folder.resolve("in")).isEmptyFile();
        assertThat(folder.resolve("said")).hasContent("$HOME \"a||v|{\"apiVersion\":"
                + "\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\"spec\":{\"interactive\":false}}");
    }

    @Test
    void a_long_answer_is_read_whole() throws Exception {
        Login login = plugin("printf '%300000s' ''; " + NO_END);
        assertThat(authorization(login)).isEqualTo("Bearer t1");
    }

    @Test
    void a_child_that_it_leaves_behind_keeps_nobody_waiting() throws Exception {
        Login login = plugin("sleep 30 2>/dev/null & " + NO_END);
        assertThat(authorization(login)).isEqualTo("Bearer t1");
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            exit 3                                            | plugin.sh] ended with 3
            echo s3cr3t; exit 1                               | plugin.sh] ended with 1
            echo s3cr3t                                       | plugin.sh]: it printed no JSON object
            echo '{"kind":"Secret"}'                          | plugin.sh]: it printed no ExecCredential of client.auth
            KIND,"apiVersion":"client.authentication.k8s.io/v1beta1"}' | plugin.sh]: it printed no ExecCredential of
            KIND,V1}'                                         | plugin.sh]: it printed no status
            KIND,V1,"status":{}}'                             | plugin.sh]: it printed neither a token nor a client
            KIND,V1,"status":{"token":"s3cr3t s3cr3t"}}'   | plugin.sh]: status.token is empty or holds characters
            KIND,V1,"status":{"clientKeyData":"s3cr3t"}}'     | plugin.sh]: it printed one of clientCertificateData and
            KIND,V1,"status":{"token":"t","expirationTimestamp":"s3cr3t"}}' | plugin.sh]: status.expirationTimestamp
            """)
    void a_plugin_that_gives_no_credential_is_named_and_not_quoted(String script, String why) throws IOException {
        Login login = plugin(script.replace("KIND", "echo '{\"kind\":\"ExecCredential\"")
                .replace("V1", "\"apiVersion\":\"client.authentication.k8s.io/v1\""), "args: [" + SECRET + "]");
        assertThatThrownBy(login::now).isInstanceOf(IOException.class)
                .hasMessageContaining(why)
                .hasMessageNotContaining(SECRET)
                .hasNoCause();
    }

    @Test
    void a_plugin_that_is_not_there_is_named_without_its_arguments() throws IOException {
        Login login = plugin("", "args: [" + SECRET + "]");
        Files.delete(folder.resolve("plugin.sh"));
        assertThatThrownBy(login::now).isInstanceOf(IOException.class)
                .hasMessage("ExecPlugin[" + folder.resolve("plugin.sh") + "] cannot be run")
                .hasNoCause();
    }

    @Test
    void closing_ends_a_plugin_that_runs_and_those_who_wait_for_it() throws Exception {
        Login login = plugin(SLEEP);
        CompletableFuture<Identity> one = CompletableFuture.supplyAsync(() -> now(login));
        CompletableFuture<Identity> other = CompletableFuture.supplyAsync(() -> now(login));
        awaitSleep();
        login.close();
        assertThatThrownBy(() -> one.get(30, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
        assertThatThrownBy(() -> other.get(30, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void a_caller_may_give_up_while_it_runs_and_the_next_one_asks_again() throws Exception {
        Login login = plugin("[ -e asleep ] || { " + SLEEP + "; }; " + NO_END);
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Thread caller = Thread.ofVirtual().start(() -> {
            try {
                login.now();
            } catch (IOException | InterruptedException e) {
                failure.complete(e);
            }
        });
        awaitSleep();
        caller.interrupt();
        assertThat(failure.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        assertThat(authorization(login)).isEqualTo("Bearer t2");
    }

    private static Identity now(Login login) {
        try {
            return login.now();
        } catch (IOException | InterruptedException e) {
            throw new CompletionException(e);
        }
    }

    private static String authorization(Login login) throws Exception {
        return login.now().headers().getLast().value();
    }

    private void awaitSleep() throws Exception {
        while (!Files.exists(folder.resolve("asleep"))) {
            Thread.sleep(5);
        }
    }

    private long runs() throws IOException {
        return Files.readAllLines(folder.resolve("runs")).size();
    }

    private Login plugin(String script) throws IOException {
        return plugin(script, "args: []");
    }

    private Login plugin(String script, String more) throws IOException {
        Path plugin = Files.writeString(folder.resolve("plugin.sh"),
                "#!/bin/sh\ncd '" + folder + "'\necho run >> runs\n" + script + "\n");
        assertThat(plugin.toFile().setExecutable(true)).isTrue();
        String kubeconfig =
                """
                        clusters: [{name: c, cluster: {server: 'https://host:6443'}}]
                        users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin.sh, %s}}}]
                        contexts: [{name: x, context: {cluster: c, user: u}}]
                        current-context: x
                        """
                        .formatted(more);
        Access access = Access.of(kubeconfig, Optional.of(folder.resolve("kubeconfig")));
        login = Optional.of(new Login(access, "agent", () -> now));
        return login.get();
    }
}
