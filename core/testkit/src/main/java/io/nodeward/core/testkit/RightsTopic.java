package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.nodeward.api.meta.Metadata;
import io.nodeward.core.spi.Answer;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ListOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is not known, not known any more, or not allowed. */
abstract class RightsTopic extends Topic {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    RightsTopic(BackendContract contract) {
        super(contract);
    }

    @Test
    void whoever_may_only_read_is_forbidden_to_write() throws IOException {
        Metadata node = node(api(), "a");
        byte[] before = api().get(NODES, node.key());
        ApiServer guest = api(server().guest().kubeconfig());
        assertThat(json(guest.get(NODES, node.key()))).isEqualTo(json(before));
        assertThatThrownBy(() -> guest.patch(NODES, node.key(), merge("{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")))
                .isInstanceOfSatisfying(ApiFailure.Forbidden.class, failure -> {
                    assertThat(failure.status().code()).isEqualTo(403);
                    assertThat(failure.status().reason()).isEqualTo("Forbidden");
                    assertThat(failure.status().message()).contains("forbidden", "cannot patch");
                });
        assertThatThrownBy(() -> guest.create(NODES, "", nodeJson(name("b"), "{}"), WRITER))
                .isInstanceOf(ApiFailure.Forbidden.class);
        assertThatThrownBy(() -> guest.delete(NODES, node.key())).isInstanceOf(ApiFailure.Forbidden.class);
        assertThatThrownBy(() -> guest.list(SECRETS, "", ListOptions.page("", 0, "")))
                .isInstanceOf(ApiFailure.Forbidden.class);
        assertThatThrownBy(() -> guest.watch(SECRETS, "", ListOptions.watchFrom("", "", LONG)))
                .isInstanceOf(ApiFailure.Forbidden.class);
        assertThat(json(api().get(NODES, node.key()))).isEqualTo(json(before));
    }

    @Test
    void a_token_that_nobody_gave_out_is_unauthorized() throws IOException {
        ApiServer stranger = api(Kubeconfigs.withToken(server().guest().kubeconfig(), "never.given.out"));
        assertUnauthorized(() -> stranger.get(NODES, nobody()));
        assertUnauthorized(() -> stranger.list(NODES, "", ListOptions.page("", 0, "")));
        assertUnauthorized(() -> stranger.watch(NODES, "", ListOptions.watchFrom("", "", LONG)));
        assertUnauthorized(() -> stranger.patch(NODES, nobody(), merge("{}")));
    }

    // Servers look at the token when a request begins; a cluster must not lose its cache at every rotation.
    @Test
    void a_token_that_is_taken_back_is_unauthorized_and_the_open_watch_goes_on() throws Exception {
        Metadata node = node(api(), "a");
        ContractServer.Guest guest = server().guest();
        ApiServer api = api(guest.kubeconfig());
        Answer watch = closing(api.watch(NODES, "", ListOptions.watchFrom(label(), node.resourceVersion(), LONG)));
        Waiting reader = Waiting.in(() -> watch.body().read());
        guest.turnAway();
        await().atMost(PATIENCE).ignoreExceptions().untilAsserted(
                () -> assertUnauthorized(() -> api.get(NODES, node.key())));
        reader.assertStillWaiting();
        api().delete(NODES, node.key());
        assertThat(reader.result()).isEqualTo((int) '{');
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
        Answer open = closing(api.watch(NODES, "", ListOptions.watchFrom("", "7", LONG)));
        accepted.set("Bearer two");
        assertUnauthorized(() -> api.get("/version"));
        Files.writeString(token, "two\n");
        assertThat(api.get("/version")).asString().isEqualTo("{}");
        goOn.countDown();
        assertThat(text(open)).isEqualTo("{}");
        assertThat(server.requests()).hasSize(3);
    }

    private static void assertUnauthorized(Callable<?> call) {
        assertThatThrownBy(call::call)
                .isInstanceOfSatisfying(ApiFailure.Unauthorized.class, failure -> {
                    assertThat(failure.status().code()).isEqualTo(401);
                    assertThat(failure.status().reason()).isEqualTo("Unauthorized");
                });
    }
}
