package io.nodeward.controller.devices;

import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.runtime.simulation.RecordedRequests;
import io.nodeward.core.testkit.UnaskedServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the controller sends about a rule, whatever becomes of its pods. */
class RuleRequestsTest {
    private final EvictionFixture cluster = new EvictionFixture();
    private final RecordedRequests requests = new RecordedRequests(new UnaskedServer());

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void all_that_may_become_of_a_rule() {
        cluster.pods(3);
        cluster.start();
        cluster.declare("None", 1);
        step("a rule without an effect");
        cluster.edit(Map.of("taint", Map.of("key", "not a key")));
        step("it has an invalid key");
        cluster.edit(Map.of("taint", Map.of("key", "example.com/broken")));
        step("a valid one");
        cluster.rule.server.fault(1, request -> request.method().equals("PATCH"),
                Fault.status(403, "Forbidden", "of the test"));
        cluster.edit(Map.of("taint", Map.of("evictionsPerSecond", 2)));
        step("a right on the status is missing for a moment");
        cluster.effect("NoSchedule");
        step("an effect on scheduling");
        cluster.effect("NoExecute");
        step("pods are evicted");
        cluster.rule.delete();
        step("the rule is deleted");
        requests.assertRecorded(getClass(), "rule");
    }

    private void step(String text) {
        cluster.work();
        cluster.pass(100);
        while (!cluster.rule.events.isIdle()) {
            Thread.onSpinWait();
        }
        List<Request> all = cluster.rule.server.requests();
        all.stream().filter(request -> !request.method().equals("GET")).forEach(request -> requests.add(
                request.method(), request.path() + "?" + request.query(), request.contentType(),
                stable(request.body()),
                request.code()));
        cluster.rule.server.clearRequests();
        requests.step(text, cluster.rule.events);
    }

    /** The server's uids are random, and so are the names of Events. */
    private static String stable(String body) {
        return body.replaceAll("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}", "UID")
                .replaceAll("\"r\\.\\p{XDigit}{16}\"", "\"EVENT\"");
    }
}
