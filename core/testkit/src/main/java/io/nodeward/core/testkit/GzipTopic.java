package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.nodeward.api.json.Projection;
import io.nodeward.api.json.WatchStream;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server compresses arrives plain or fails; nothing in between. */
abstract class GzipTopic extends TransportTopic {
    private static final String LIST = "{\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[]}";

    @Test
    void a_compressed_answer_arrives_plain() throws IOException {
        ApiServer api = api(faulty(gzip(200, zipped(LIST))).kubeconfig("t"));
        assertThat(text(list(api))).isEqualTo(LIST);
        assertThat(api.get("/version")).asString().isEqualTo(LIST);
    }

    @Test
    void a_compressed_failure_is_understood() throws IOException {
        ApiServer api = api(faulty(gzip(403, zipped(Replying.statusJson(403, "Forbidden", "no")))).kubeconfig("t"));
        assertThatThrownBy(() -> list(api))
                .isInstanceOfSatisfying(ApiFailure.Forbidden.class,
                        failure -> assertThat(failure.status().message()).isEqualTo("no"));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"cut", "damaged", "with a wrong checksum", "not compressed at all"})
    void a_broken_one_is_a_failure_not_a_shorter_answer(String how) throws IOException {
        byte[] whole = zipped(LIST);
        byte[] broken = switch (how) {
            case "cut" -> Arrays.copyOf(whole, whole.length - 12);
            case "damaged" -> with(whole, 10);
            case "with a wrong checksum" -> with(whole, whole.length - 8);
            default -> bytes(LIST);
        };
        ApiServer api = api(faulty(gzip(200, broken)).kubeconfig("t"));
        assertThat(catchThrowable(() -> list(api).body().readAllBytes())).isInstanceOf(IOException.class);
        assertThat(catchThrowable(() -> api.get("/version"))).isInstanceOf(ApiFailure.Unreachable.class);
    }

    @Test
    void a_broken_failure_is_a_failure() throws IOException {
        ApiServer api = api(faulty(gzip(503, bytes("not compressed at all"))).kubeconfig("t"));
        assertThat(catchThrowable(() -> api.get(NODES, ObjectKey.clusterScoped("a"))))
                .isInstanceOf(ApiFailure.Unreachable.class);
    }

    // Servers that are not asked to do not compress watches; something between may.
    @Test
    void an_event_of_a_compressed_watch_is_there_when_it_is_sent() throws IOException {
        FaultyServer server = faulty(Replying.inChunks(Replying.GZIP, chunks -> {
            GZIPOutputStream gzip = new GZIPOutputStream(chunks, 512, true);
            gzip.write(bytes("{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"a\"}}}\n"));
            gzip.flush();
            Thread.sleep(Long.MAX_VALUE);
        }));
        Response answer = closing(api(server.kubeconfig("t")).watch(
                NODES, "", ListOptions.watchFrom("", "7", Duration.ofMinutes(5))));
        assertThat(new WatchStream<>(answer.body(), Projection.NODE).next()).isPresent();
    }

    private Response list(ApiServer api) {
        return closing(api.list(NODES, "", ListOptions.page("", 0, "")));
    }

    private static FaultyServer.Reply gzip(int status, byte[] body) {
        return Replying.with(status, Replying.GZIP, body);
    }

    private static byte[] with(byte[] bytes, int flipped) {
        byte[] copy = bytes.clone();
        copy[flipped] ^= (byte) 0xff;
        return copy;
    }

    private static byte[] zipped(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes(text));
        }
        return out.toByteArray();
    }
}
