package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Backend;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Response;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However long an answer is, a backend holds no more of it than a few buffers. */
abstract class LargeTopic extends TransportTopic {
    private static final int MIB = 1024 * 1024;
    static final int LARGE = 50 * MIB;
    /** What a backend's buffers and its classes may take. A list held whole is far above. */
    private static final int FEW_BUFFERS = 12 * MIB;
    /** What a backend and two sockets may take of an answer that nobody reads. */
    private static final int UNREAD = 20 * MIB;
    static final byte[] WORDS = words();

    @ParameterizedTest(name = "gzip: {0}")
    @ValueSource(booleans = {false, true})
    void a_list_of_50_mb_takes_no_more_memory_than_a_short_one(boolean gzip) throws Exception {
        Replying.Body items = out -> {
            out.write(bytes("{\"kind\":\"NodeList\",\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[{}"));
            for (int sent = 0; sent < LARGE; sent += WORDS.length) {
                out.write(bytes(",{\"metadata\":{\"name\":\"n\",\"annotations\":{\"words\":\""));
                out.write(WORDS);
                out.write(bytes("\"}}}"));
            }
            out.write(bytes("]}"));
        };
        FaultyServer server = faulty(gzip ? Replying.gzipped(items) : Replying.inChunks("", items));
        assertReadAtConstantMemory(backend(), server.kubeconfig("t"), "nodes", "");
    }

    /** @param what of {@link HeapMain} to list */
    static void assertReadAtConstantMemory(Backend backend, String kubeconfig, String what, String label)
            throws Exception {
        Map<String, String> printed = OwnJvm.run(HeapMain.class, backend, kubeconfig, what, label);
        assertThat(printed.getOrDefault("version", "")).isNotEmpty();
        assertThat(Long.parseLong(printed.getOrDefault("read", ""))).isGreaterThan(LARGE);
        assertThat(Long.parseLong(printed.getOrDefault("heap", ""))).isLessThan(FEW_BUFFERS);
    }

    // The caller may be busy with something else; what it does not read has to wait at the server's. A backend that fetches
    // what nobody reads gets about as far as the reader of another answer; no time decides.
    @Test
    void of_an_answer_that_nobody_reads_little_is_fetched() throws IOException {
        AtomicLong sent = new AtomicLong();
        FaultyServer server = faulty(Replying.each(
                Replying.inChunks("", out -> endless(out, sent)),
                Replying.inChunks("", out -> endless(out, new AtomicLong()))));
        ApiServer api = api(server.kubeconfig("t"));
        Response unread = closing(api.list(NODES, "", ListOptions.page("", 0, "")));
        assertThat(unread.body().read()).isPositive();
        try (Response other = api.list(NODES, "", ListOptions.page("", 0, ""))) {
            other.body().skipNBytes(5L * UNREAD);
        }
        assertThat(sent.get()).isLessThan(UNREAD);
    }

    @Test
    void an_answer_without_end_is_a_failure_once_it_is_longer_than_any_object() throws IOException {
        AtomicLong sent = new AtomicLong();
        FaultyServer server = faulty(Replying.inChunks("", out -> endless(out, sent)));
        ApiServer api = api(server.kubeconfig("t"));
        assertThatThrownBy(() -> api.get(NODES, nobody())).isInstanceOf(ApiFailure.Unreachable.class);
        assertThatThrownBy(() -> api.patch(NODES, nobody(), merge("{}"))).isInstanceOf(ApiFailure.Unreachable.class);
        await().atMost(Duration.ofSeconds(30)).until(() -> server.openConnections() == 0);
    }

    @Test
    void a_page_that_is_read_whole_may_be_longer_than_any_object() throws IOException {
        int blocks = 20;
        FaultyServer server = faulty(Replying.inChunks("", out -> {
            for (int i = 0; i < blocks; i++) {
                out.write(WORDS);
            }
        }));
        byte[] page = api(server.kubeconfig("t")).page(NODES, "", ListOptions.page("", 0, ""));
        assertThat(page).hasSize(blocks * WORDS.length);
    }

    @Test
    void a_gzip_bomb_goes_off_no_further_than_its_reader_reads() throws Exception {
        Replying.Body zeros = out -> {
            byte[] block = new byte[MIB];
            for (int i = 0; i < 200; i++) {
                out.write(block);
            }
        };
        FaultyServer server = faulty(Replying.gzipped(zeros));
        Map<String, String> printed = OwnJvm.run(HeapMain.class, backend(), server.kubeconfig("t"), "little", "");
        assertThat(printed).containsEntry("read", String.valueOf(MIB)).containsEntry("object", "Unreachable");
        assertThat(Long.parseLong(printed.getOrDefault("heap", ""))).isLessThan(FEW_BUFFERS);
    }

    private static void endless(OutputStream out, AtomicLong sent) throws IOException {
        while (true) {
            out.write(WORDS);
            sent.addAndGet(WORDS.length);
        }
    }

    /** 1,000,000 letters that do not compress well. */
    private static byte[] words() {
        return new Random(7).ints(1_000_000, 'a', 'z' + 1)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString()
                .getBytes(StandardCharsets.US_ASCII);
    }
}
