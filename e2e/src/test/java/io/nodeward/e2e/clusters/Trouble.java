package io.nodeward.e2e.clusters;

import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Request;
import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;

/** What is wrong with a workload cluster, for as long as it runs. */
enum Trouble {
    HANGS(5, r -> true, new Fault.Delay(Duration.ofHours(1))),
    HANGS_ON_WRITES(5, Trouble::isWrite, new Fault.Delay(Duration.ofHours(1))),
    ANSWERS_500(5, r -> true, Fault.status(500, "InternalError", "of the test")),
    ANSWERS_500_TO_WRITES(3, Trouble::isWrite, Fault.status(500, "InternalError", "of the test")),
    ANSWERS_409_TO_WRITES(2, Trouble::isWrite, Fault.status(409, "Conflict", "of the test")),
    CUTS(5, r -> true, new Fault.Cut(100)),
    CUTS_BUT_PROBES(3, r -> !r.path().equals("/version"), new Fault.Cut(100)),
    CUTS_WRITES(2, Trouble::isWrite, new Fault.Cut(-1)),
    ANSWERS_GARBAGE(2, r -> true, new Fault.Answer(200, Map.of(), "]]>[{no JSON")),
    EXPIRES_AT_ONCE(1, r -> r.query().contains("resourceVersion="), Fault.status(410, "Expired", "of the test")),
    EXPIRES_IN_AN_EVENT(1, Trouble::isLaterWatch, new Fault.Answer(200, Map.of(),
            "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\"}}"));

    private final int clusters;
    private final Predicate<Request> which;
    private final Fault fault;

    Trouble(int clusters, Predicate<Request> which, Fault fault) {
        this.clusters = clusters;
        this.which = which;
        this.fault = fault;
    }

    /** How many of the clusters of the test have it. */
    int clusters() {
        return clusters;
    }

    void happen(FakeApiServer server) {
        server.fault(Integer.MAX_VALUE, which, fault);
    }

    private static boolean isWrite(Request request) {
        return !request.method().equals("GET");
    }

    private static boolean isLaterWatch(Request request) {
        return request.query().contains("watch=true") && !request.query().contains("sendInitialEvents");
    }
}
