package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.controlplane.AuditRequest;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Which of a controller's requests are what a change costs. */
final class Requests {
    private static final int CONFLICT = 409;
    /** The answer to a JSON patch when a test fails. */
    private static final int UNFIT = 422;

    private Requests() {}

    static boolean isNodePatch(AuditRequest request) {
        return request.is("patch", "nodes");
    }

    /** Returns whether the object was not as expected any more. The log of a bench has no bodies. */
    static boolean isConflict(AuditRequest request) {
        return request.code() == CONFLICT || request.code() == UNFIT && isNodePatch(request);
    }

    /** Returns whether the request reads all there is, in whichever way. */
    static boolean isList(AuditRequest request) {
        return request.verb().equals("list")
                || request.verb().equals("watch") && request.uri().contains("sendInitialEvents=true");
    }

    private static boolean isRead(AuditRequest request) {
        return Set.of("get", "list", "watch").contains(request.verb());
    }

    /** What controllers ask however much or little there is to do: leases, and whether the server is there. */
    private static boolean isHousekeeping(AuditRequest request) {
        String path = path(request);
        boolean probe = path.equals("/version") || path.equals("/") || path.endsWith("z");
        return request.resource().equals("leases") || request.resource().isEmpty() && probe;
    }

    /** For counting alike ones: {@code patch machines/status 409}. */
    private static String kind(AuditRequest request) {
        return request.verb() + " " + (request.resource().isEmpty() ? path(request) : request.resource())
                + (request.code() >= 400 ? " " + request.code() : "");
    }

    private static String path(AuditRequest request) {
        return request.uri().replaceFirst("\\?.*", "");
    }

    /** Of a controller that runs: all but leases, probes and watches, which are renewed when their time has come. */
    static List<AuditRequest> ofRunning(List<AuditRequest> all) {
        return all.stream().filter(r -> !isHousekeeping(r) && !r.verb().equals("watch")).toList();
    }

    /** Of one that was started: as above, without what it reads before it writes its first Node. */
    static List<AuditRequest> ofStarted(List<AuditRequest> all) {
        Instant first = all.stream().filter(Requests::isNodePatch).map(AuditRequest::at)
                .min(Comparator.naturalOrder()).orElse(Instant.MAX);
        return ofRunning(all).stream().filter(r -> !isRead(r) || !r.at().isBefore(first)).toList();
    }

    /** How many of each kind besides Node patches that succeeded, most first. */
    static String others(List<AuditRequest> requests) {
        Map<String, Long> kinds = requests.stream().filter(r -> !isNodePatch(r) || r.code() >= 400)
                .collect(Collectors.groupingBy(Requests::kind, TreeMap::new, Collectors.counting()));
        Function<Map.Entry<String, Long>, String> words = entry -> entry.getValue() + " " + entry.getKey();
        return kinds.entrySet().stream().sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .map(words).collect(Collectors.joining(", "));
    }
}
