package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.json.ListPage;
import io.nodeward.api.json.Projection;
import io.nodeward.api.node.Node;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lists that the server stores, and compresses if it likes, arrive whole, and a backend holds no more of them than a few buffers. */
abstract class LongListTopic extends ServedTopic {
    /** Letters of one Secret in base64; servers take a MiB before that. */
    private static final int STORED = 1_300_000;

    // Above some size servers encode their answers when asked; what arrives must be plain all the same.
    @Test
    void a_long_list_arrives_whole() throws IOException {
        String long1 = "x".repeat(100_000);
        for (String suffix : List.of("a", "b", "c", "d")) {
            created(api, NODES, "", nodeJson(name(suffix), "{\"contract\":\"%s\"}".formatted(suffix + long1)));
        }
        List<Node> nodes = new ArrayList<>();
        try (Response answer = api.list(NODES, "", ListOptions.page(label(), 0, ""))) {
            ListPage.read(answer.body(), Projection.NODE, nodes::add);
        }
        assertThat(nodes).extracting(n -> n.metadata().annotations().get("contract"))
                .containsExactly("a" + long1, "b" + long1, "c" + long1, "d" + long1);
    }

    @Test
    @Tag("deep") // a server takes long to store so much
    void a_list_of_50_mb_that_the_server_stores_takes_no_more_either() throws Exception {
        List<Waiting> creations = new ArrayList<>();
        for (int i = 0; i * STORED < LargeTopic.LARGE; i++) {
            String name = name("n" + i);
            creations.add(Waiting.in(() -> created(api, SECRETS, "default", largeSecret(name))));
        }
        for (Waiting creation : creations) {
            creation.result();
        }
        LargeTopic.assertReadAtConstantMemory(backend(), server().kubeconfig(), "secrets", label());
    }

    private byte[] largeSecret(String name) {
        String words = Base64.getEncoder().encodeToString(Arrays.copyOf(LargeTopic.WORDS, STORED / 4 * 3));
        return bytes(new String(secretJson(name), StandardCharsets.UTF_8).replace("aGVsbG8=", words));
    }

    @Test
    void a_long_list_is_fetched_compressed() throws IOException {
        ApiServer setUp = api();
        for (String suffix : new String[]{"a", "b", "c", "d"}) {
            created(setUp, NODES, "", nodeJson(name(suffix), "{\"zeros\":\"%s\"}".formatted("0".repeat(200_000))));
        }
        Wire wire = closing(Wire.to(server().kubeconfig()));
        try (Response answer = api(wire.kubeconfig()).list(NODES, "", ListOptions.page(label(), 0, ""))) {
            assertThat(answer.body().readAllBytes()).hasSizeGreaterThan(800_000);
        }
        assertThat(wire.relay().carried()).isLessThan(100_000);
    }
}
