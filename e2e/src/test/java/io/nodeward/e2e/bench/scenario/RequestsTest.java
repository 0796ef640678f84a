package io.nodeward.e2e.bench.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.MissingNode;
import io.nodeward.e2e.controlplane.AuditRequest;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestsTest {
    private static AuditRequest request(String verb, String resource, String uri, int code) {
        return new AuditRequest("", "bench", List.of(), "", verb, resource, "", "", uri, code,
                MissingNode.getInstance(), MissingNode.getInstance(), Instant.EPOCH, Instant.EPOCH);
    }

    @Test
    void a_watch_that_begins_with_all_there_is_counts_as_a_list() {
        assertThat(Requests.isList(request("list", "nodes", "/api/v1/nodes?limit=500", 200))).isTrue();
        String watch = "/api/v1/nodes?watch=true&";
        assertThat(Requests.isList(request("watch", "nodes", watch + "sendInitialEvents=true", 200))).isTrue();
        assertThat(Requests.isList(request("watch", "nodes", watch + "resourceVersion=5", 200))).isFalse();
        assertThat(Requests.isList(request("get", "nodes", "/api/v1/nodes/a", 200))).isFalse();
    }

    @Test
    void a_probe_counts_as_little_as_a_lease_whatever_its_query() {
        AuditRequest patch = request("patch", "nodes", "/api/v1/nodes/a", 422);
        assertThat(Requests.isConflict(patch)).isTrue();
        assertThat(Requests.ofRunning(List.of(request("get", "", "/readyz?timeout=32s", 200), patch,
                request("update", "leases", "/apis/coordination.k8s.io/v1/leases/a", 200)))).containsExactly(patch);
    }
}
