package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.nodeward.api.meta.Metadata;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Who is not known, not known any more, or not allowed. */
abstract class RightsTopic extends ServedTopic {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

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
        Response watch = closing(api.watch(NODES, "", ListOptions.watchFrom(label(), node.resourceVersion(), LONG)));
        Waiting reader = Waiting.in(() -> watch.body().read());
        guest.turnAway();
        await().atMost(PATIENCE).ignoreExceptions().untilAsserted(
                () -> assertUnauthorized(() -> api.get(NODES, node.key())));
        reader.assertStillWaiting();
        api().delete(NODES, node.key());
        assertThat(reader.result()).isEqualTo((int) '{');
    }

    private static void assertUnauthorized(Callable<?> call) {
        assertThatThrownBy(call::call)
                .isInstanceOfSatisfying(ApiFailure.Unauthorized.class, failure -> {
                    assertThat(failure.status().code()).isEqualTo(401);
                    assertThat(failure.status().reason()).isEqualTo("Unauthorized");
                });
    }
}
