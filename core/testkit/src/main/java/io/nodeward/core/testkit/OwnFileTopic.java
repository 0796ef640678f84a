package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator's own kubeconfig may do, and one from a Secret may not: run a program, be somebody else. */
abstract class OwnFileTopic extends TransportTopic {
    @Test
    void a_program_gives_the_token_once_for_many_calls(@TempDir Path folder) throws IOException {
        FaultyServer server = faulty(Replying.with(200, "{}"));
        plugin(folder, "echo run >> runs; echo '%s'".formatted(credential("one")));
        ApiServer api = api(kubeconfig(server, folder), folder);
        for (int i = 0; i < 3; i++) {
            api.get("/version");
        }
        assertThat(server.requests()).hasSize(3).allSatisfy(
                request -> assertThat(request.headers()).containsEntry("authorization", "Bearer one"));
        assertThat(Files.readString(folder.resolve("runs"))).isEqualTo("run\n");
    }

    // The refusal goes to the caller, who knows whether the call may be repeated.
    @Test
    void after_a_refusal_the_program_is_asked_anew_and_the_refused_call_is_not_repeated(@TempDir Path folder)
            throws IOException {
        AtomicReference<String> accepted = new AtomicReference<>("Bearer one");
        FaultyServer server = faulty((request, out) -> {
            boolean known = Objects.equals(accepted.get(), request.headers().get("authorization"));
            (known ? Replying.with(200, "{}") : Replying.status(401, "Unauthorized", "no")).answer(request, out);
        });
        Files.writeString(folder.resolve("credential"), credential("one"));
        plugin(folder, "cat credential");
        ApiServer api = api(kubeconfig(server, folder), folder);
        api.get("/version");
        accepted.set("Bearer two");
        Files.writeString(folder.resolve("credential"), credential("two"));
        assertThatThrownBy(() -> api.get("/version")).isInstanceOf(ApiFailure.Unauthorized.class);
        assertThat(api.get("/version")).asString().isEqualTo("{}");
        assertThat(server.requests()).hasSize(3);
    }

    @Test
    void a_program_that_fails_is_named_and_what_it_said_is_not_told(@TempDir Path folder) throws IOException {
        FaultyServer server = faulty(Replying.with(200, "{}"));
        for (String script : new String[]{"echo s3cr3t; exit 3", "echo '{s3cr3t}'", ""}) {
            plugin(folder, script);
            Throwable failure = catchThrowable(() -> api(kubeconfig(server, folder), folder).get("/version"));
            assertThat(failure).isNotNull().message().containsIgnoringCase("exec");
            assertThat(trace(failure)).doesNotContain("s3cr3t");
        }
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void impersonation_reaches_the_server_whole(@TempDir Path folder) throws IOException {
        FaultyServer server = faulty(Replying.with(200, "{}"));
        String user = "token: t, as: jane, as-uid: '7', as-groups: [dev], as-user-extra: {scopes: [view]}";
        api(Kubeconfigs.of("http://127.0.0.1:" + server.port(), user), folder).get("/version");
        assertThat(server.requests().getFirst().headers())
                .containsEntry("impersonate-user", "jane")
                .containsEntry("impersonate-uid", "7")
                .containsEntry("impersonate-group", "dev")
                .containsEntry("impersonate-extra-scopes", "view")
                .containsEntry("authorization", "Bearer t");
    }

    private static String credential(String token) {
        return "{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\"status\":{\"token\":\""
                + token + "\"}}";
    }

    private static void plugin(Path folder, String script) throws IOException {
        Files.writeString(folder.resolve("plugin.sh"), "cd '" + folder + "'\n" + script + "\n");
    }

    private static String kubeconfig(FaultyServer server, Path folder) {
        String exec = "exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: sh,"
                + " args: ['" + folder.resolve("plugin.sh") + "']}";
        return Kubeconfigs.of("http://127.0.0.1:" + server.port(), exec);
    }
}
