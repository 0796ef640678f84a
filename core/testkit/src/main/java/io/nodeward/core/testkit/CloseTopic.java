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
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

abstract class CloseTopic extends ServedTopic {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** A library may keep one thread for all its clients that long when none is left. */
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(75);

    CloseTopic(ServedContract contract) {
        super(contract);
    }

    @Test
    void closing_leaves_no_connection() throws IOException {
        Wire wire = closing(new Wire(server().kubeconfig()));
        ApiServer api = api(wire.kubeconfig());
        use(api);
        assertThat(wire.open()).isPositive();
        api.close();
        await().atMost(PATIENCE).until(() -> wire.open() == 0);
    }

    @Test
    void closing_leaves_no_thread() throws IOException {
        useAndClose(3);
        int before = ofClients().size();
        useAndClose(30); // more than threads of those three may still have been ending
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(ofClients()).hasSizeLessThanOrEqualTo(before));
    }

    @Test
    void closing_leaves_no_descriptor() throws IOException {
        useAndClose(3);
        long before = Descriptors.open();
        useAndClose(10);
        await().atMost(PATIENCE).until(() -> Descriptors.open() <= before);
    }

    @Test
    void closing_leaves_no_virtual_thread_either(@TempDir Path folder) throws IOException {
        useAndClose(3);
        VirtualThreads threads = new VirtualThreads(folder);
        int before = threads.count();
        useAndClose(10);
        await().atMost(KEEP_ALIVE).until(() -> threads.count() <= before);
    }

    private void useAndClose(int times) throws IOException {
        for (int i = 0; i < times; i++) {
            ApiServer api = api();
            use(api);
            api.close();
        }
    }

    @Test
    void closing_an_unread_answer_gives_its_connection_back() throws IOException {
        Wire wire = closing(new Wire(server().kubeconfig()));
        ApiServer api = api(wire.kubeconfig());
        Metadata node = node(api, "a");
        for (int i = 0; i < 120; i++) {
            api.watch(NODES, "", ListOptions.watchFrom(label(), node.resourceVersion(), Duration.ofMinutes(5))).close();
        }
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(wire.open()).isLessThanOrEqualTo(2));
    }

    @Test
    void after_closing_every_call_is_unreachable_and_closing_again_is_nothing() {
        ApiServer api = api();
        api.close();
        api.close();
        assertThatThrownBy(() -> api.get("/version"))
                .isInstanceOf(ApiFailure.Unreachable.class)
                .hasMessageContaining("closed");
    }

    @Test
    void closing_an_answer_twice_is_nothing() {
        Answer answer = api().list(NODES, "", ListOptions.page(label(), 0, ""));
        answer.close();
        answer.close();
        assertThatThrownBy(() -> answer.body().read()).isInstanceOf(IOException.class);
    }

    private void use(ApiServer api) throws IOException {
        Metadata node = node(api, "a");
        closing(api.watch(NODES, "", ListOptions.watchFrom(label(), node.resourceVersion(), Duration.ofMinutes(5))));
        api.delete(NODES, node.key());
    }

    // Threads of the JVM and of the test framework come and go as they like.
    private static Set<Thread> ofClients() {
        Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
        threads.removeIf(thread -> thread.getThreadGroup() == null
                || thread.getThreadGroup().getName().equals("system")
                || thread.getName().startsWith("junit")
                || thread.getName().startsWith("awaitility")
                || thread.getName().startsWith("ForkJoinPool")
                || thread.getName().startsWith("surefire"));
        return threads;
    }
}
