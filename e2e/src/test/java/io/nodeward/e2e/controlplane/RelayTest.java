package io.nodeward.e2e.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.nodeward.core.testkit.Relay;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nothing here takes long; the timeout only ends what hangs. */
@Timeout(600)
class RelayTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Kubeconfig direct = ControlPlane.shared().adminKubeconfig();
    private final Relay relay = Relay.to(direct.server());
    private final AdminClient client = new AdminClient(direct.through(relay));

    @AfterEach
    void close() {
        client.close();
        relay.close();
    }

    @Test
    void it_carries_requests_and_counts_connections() {
        assertThat(relay.accepted()).isZero();
        ask();
        assertThat(relay.accepted()).isEqualTo(1);
    }

    @Test
    void while_it_refuses_nobody_gets_through_and_afterwards_everybody() {
        ask();
        relay.refuse();
        assertThatThrownBy(this::ask).isInstanceOf(UncheckedIOException.class);
        assertThat(relay.accepted()).isEqualTo(1);
        relay.resume();
        ask();
    }

    @Test
    void what_is_asked_while_it_hangs_is_answered_when_it_carries_again() throws Exception {
        ask();
        relay.hang();
        long carried = relay.carried(0);
        CompletableFuture<Void> standing = CompletableFuture.runAsync(this::ask);
        CompletableFuture<Void> another = CompletableFuture.runAsync(() -> {
            try (AdminClient other = new AdminClient(direct.through(relay))) {
                other.get("/version");
            }
        });
        await().atMost(PATIENCE).until(() -> relay.accepted() == 2 && relay.kept(0) > 0);
        awaitCanary();
        assertThat(relay.carried(0)).isEqualTo(carried);
        assertThat(relay.carried(1)).isZero();
        assertThat(standing).isNotDone();
        assertThat(another).isNotDone();
        relay.resume();
        CompletableFuture.allOf(standing, another).get();
        assertThat(relay.carried(0)).isGreaterThan(carried);
    }

    @Test
    void a_connection_it_forgot_stays_silent_and_a_new_one_is_carried() {
        ask();
        relay.forget();
        long carried = relay.carried(0);
        CompletableFuture<Void> standing = CompletableFuture.runAsync(this::ask);
        try (AdminClient other = new AdminClient(direct.through(relay))) {
            other.get("/version");
        }
        await().atMost(PATIENCE).until(() -> relay.kept(0) > 0);
        awaitCanary();
        assertThat(relay.carried(0)).isEqualTo(carried);
        assertThat(relay.carried(1)).isPositive();
        assertThat(standing).isNotDone();
    }

    /** Answered several times what is asked beside the relay: what is carried has had its time. */
    private void awaitCanary() {
        for (int i = 0; i < 20; i++) {
            try (AdminClient beside = new AdminClient(direct)) {
                beside.get("/version");
            }
        }
    }

    @Test
    void after_a_cut_there_is_a_new_way() {
        ask();
        relay.cut();
        await().atMost(PATIENCE).ignoreExceptions()
                .until(() -> client.send("GET", "/version", AdminClient.JSON, "").isOk());
        assertThat(relay.accepted()).isEqualTo(2);
    }

    private void ask() {
        assertThat(client.get("/version").path("gitVersion").asText()).isNotEmpty();
    }
}
