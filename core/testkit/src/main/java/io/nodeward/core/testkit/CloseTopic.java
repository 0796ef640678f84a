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
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

abstract class CloseTopic extends ServedTopic {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void closing_leaves_no_connection() throws IOException {
        Wire wire = closing(Wire.to(server().kubeconfig()));
        ApiServer api = api(wire.kubeconfig());
        use(api);
        assertThat(wire.relay().standing()).isPositive();
        api.close();
        await().atMost(PATIENCE).until(() -> wire.relay().standing() == 0);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"threads, 30", "virtual threads, 10", "descriptors, 10"})
    @Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD)
    void closing_leaves_nothing(String what, int many) throws Exception {
        Map<String, String> printed = OwnJvm.run(LeftoversMain.class, backend(), server().kubeconfig(), what,
                String.valueOf(many), name("own"));
        int before = Integer.parseInt(printed.getOrDefault("before", ""));
        assertThat(Integer.parseInt(printed.getOrDefault("after", ""))).as(printed.toString())
                .isLessThanOrEqualTo(before);
    }

    @Test
    void closing_an_unread_answer_gives_its_connection_back() throws IOException {
        Wire wire = closing(Wire.to(server().kubeconfig()));
        ApiServer api = api(wire.kubeconfig());
        Metadata node = node(api, "a");
        for (int i = 0; i < 120; i++) {
            api.watch(NODES, "", ListOptions.watchFrom(label(), node.resourceVersion(), Duration.ofMinutes(5))).close();
        }
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(wire.relay().standing()).isLessThanOrEqualTo(2));
    }

    @Test
    void after_closing_every_call_is_unreachable_and_closing_again_is_nothing() {
        api.close();
        api.close();
        assertThatThrownBy(() -> api.get("/version"))
                .isInstanceOf(ApiFailure.Unreachable.class)
                .hasMessageContaining("closed");
    }

    @Test
    void closing_an_answer_twice_is_nothing() {
        Response answer = api().list(NODES, "", ListOptions.page(label(), 0, ""));
        answer.close();
        answer.close();
        assertThatThrownBy(() -> answer.body().read()).isInstanceOf(IOException.class);
    }

    private void use(ApiServer api) throws IOException {
        Metadata node = node(api, "a");
        closing(api.watch(NODES, "", ListOptions.watchFrom(label(), node.resourceVersion(), Duration.ofMinutes(5))));
        api.delete(NODES, node.key());
    }
}
