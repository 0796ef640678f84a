package io.nodeward.e2e.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class AuditLineTest {
    private static LoggedRequest request(String verb, String uri) throws IOException {
        byte[] line = """
                {"stage":"%s","verb":"%s","requestURI":"%s","responseStatus":{"code":200},\
                "objectRef":{"resource":"nodes"}}
                """.formatted(verb.equals("watch") ? "ResponseStarted" : "ResponseComplete", verb, uri)
                .getBytes(StandardCharsets.UTF_8);
        return AuditLine.read(line, 0, line.length).orElseThrow();
    }

    @Test
    void a_watch_that_begins_with_all_there_is_counts_as_a_list() throws IOException {
        assertThat(request("list", "/api/v1/nodes?limit=500").isList()).isTrue();
        assertThat(request("watch", "/api/v1/nodes?watch=true&sendInitialEvents=true").isList()).isTrue();
        assertThat(request("watch", "/api/v1/nodes?watch=true&resourceVersion=5").isList()).isFalse();
        assertThat(request("get", "/api/v1/nodes/a").isList()).isFalse();
    }

    @Test
    void a_path_is_without_its_query() throws IOException {
        assertThat(request("list", "/api/v1/nodes?limit=500").path()).isEqualTo("/api/v1/nodes");
    }
}
