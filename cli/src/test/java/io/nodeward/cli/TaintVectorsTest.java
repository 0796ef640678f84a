package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.cli.Cluster.Result;
import io.nodeward.core.fakeapi.Request;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What kubectl taint did in these cases, done by the command on a server. */
class TaintVectorsTest {
    private static final String VECTORS = "/io/nodeward/core/testkit/vectors/taint-command.json";

    @TempDir
    Path folder;

    static Stream<Arguments> cases() throws IOException {
        try (InputStream in = TaintVectorsTest.class.getResourceAsStream(VECTORS)) {
            JsonNode cases = Cluster.JSON.readTree(in).path("cases");
            assertThat(cases.size()).isGreaterThan(30);
            return StreamSupport.stream(cases.spliterator(), false)
                    .map(c -> Arguments.of(c.path("id").asText() + " " + c.path("note").asText(), c))
                    .toList().stream();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void the_command_does_as_kubectl_does(String name, JsonNode c) throws IOException {
        try (Cluster cluster = new Cluster(folder)) {
            for (JsonNode node : c.path("nodes")) {
                cluster.node(node.path("name").asText(), node.path("labels").toString(),
                        node.path("taints").toString());
            }
            Result result = cluster.run(args(c));

            JsonNode expected = c.path("expect");
            assertThat(result.exit()).as(result.err()).isEqualTo(expected.path("ok").asBoolean() ? 0 : 1);
            assertThat(result.out().strip()).isEqualTo(expected.path("stdout").asText());
            assertThat(withoutHints(result.err())).isEqualTo(
                    expected.path("message").asText().replaceFirst("^flag: ", "error: "));
            assertThat(patched(cluster)).isEqualTo(texts(expected.path("patched")));
            expected.path("taints").properties().forEach(node -> assertThat(cluster.taints(node.getKey()))
                    .isEqualTo(StreamSupport.stream(node.getValue().spliterator(), false).map(Cluster::text).toList()));
        }
    }

    private static String[] args(JsonNode c) {
        List<String> args = new ArrayList<>(List.of("taint"));
        args.addAll(texts(c.path("args")));
        return args.toArray(String[]::new);
    }

    /** Those of the vectors are cut off as well. */
    private static String withoutHints(String err) {
        return err.lines()
                .filter(line -> !line.startsWith("See 'nodeward taint ") && !line.startsWith("With --proposed-effects"))
                .collect(Collectors.joining("\n"));
    }

    private static List<String> patched(Cluster cluster) {
        return cluster.server.requests().stream()
                .filter(request -> request.method().equals("PATCH") && !request.query().contains("dryRun"))
                .map(Request::path)
                .map(path -> path.substring(path.lastIndexOf('/') + 1))
                .toList();
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
    }
}
