package io.nodeward.core.runtime.leader;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.Transport;
import io.nodeward.core.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

/** Candidates for one Lease on a server, in the test's time. Without jitter they come every 2 s. */
abstract class ElectionFixture {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    final FakeApiServer server = FakeApiServer.start(Options.defaults());
    final ManualTime time = new ManualTime();
    private final long start = time.nanoTime();
    final Transport transport =
            new Fabric8Backend().connect(new ClusterAccess(server.kubeconfig(), Optional.empty(), "test"));
    double jitter;

    @AfterEach
    void stop() {
        transport.close();
        server.close();
    }

    Candidate candidate(String identity) {
        return new Candidate(identity, transport, time, this::jitter);
    }

    /** Between 0 and 1. */
    double jitter() {
        return jitter;
    }

    /** Lets time pass until so many seconds after the test began. */
    void passUntil(double second) {
        time.pass(Duration.ofNanos(start + (long) (second * 1e9) - time.nanoTime()));
    }

    Optional<JsonNode> lease() {
        return server.get("leases", Candidate.LEASE.namespace(), Candidate.LEASE.name());
    }

    JsonNode spec() {
        return lease().orElseThrow().path("spec");
    }

    String holder() {
        return spec().path("holderIdentity").asText();
    }

    /** @param spec JSON with single quotes */
    void create(String spec) {
        server.create("leases", json("{'metadata':{'namespace':'default','name':'nodeward'},'spec':" + spec + "}"));
    }

    void edit(String patch) {
        server.mergePatch("leases", "default", "nodeward", json(patch));
    }

    void delete() {
        server.delete("leases", "default", "nodeward");
    }

    /** The methods of the requests since the last look. */
    List<String> requests() {
        List<String> methods = server.requests().stream().map(Request::method).toList();
        server.clearRequests();
        return methods;
    }

    static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
