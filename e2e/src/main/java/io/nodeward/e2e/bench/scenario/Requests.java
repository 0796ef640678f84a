package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.load.LoggedRequest;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Which of a controller's requests are what a change costs. */
final class Requests {
    private Requests() {}

    /** Of a controller that runs: all but leases, probes and watches, which are renewed when their time has come. */
    static List<LoggedRequest> ofRunning(List<LoggedRequest> all) {
        return all.stream().filter(r -> !r.isHousekeeping() && !r.verb().equals("watch")).toList();
    }

    /** Of one that was started: as above, without what it reads before it writes its first Node. */
    static List<LoggedRequest> ofStarted(List<LoggedRequest> all) {
        Instant first = all.stream().filter(LoggedRequest::isNodePatch).map(LoggedRequest::at)
                .min(Comparator.naturalOrder()).orElse(Instant.MAX);
        return ofRunning(all).stream().filter(r -> !r.isRead() || !r.at().isBefore(first)).toList();
    }

    /** How many of each kind besides Node patches that succeeded, most first. */
    static String others(List<LoggedRequest> requests) {
        Map<String, Long> kinds = requests.stream().filter(r -> !r.isNodePatch() || r.code() >= 400)
                .collect(Collectors.groupingBy(LoggedRequest::kind, TreeMap::new, Collectors.counting()));
        Function<Map.Entry<String, Long>, String> words = entry -> entry.getValue() + " " + entry.getKey();
        return kinds.entrySet().stream().sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .map(words).collect(Collectors.joining(", "));
    }
}
