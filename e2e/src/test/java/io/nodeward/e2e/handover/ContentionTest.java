package io.nodeward.e2e.handover;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.machine.MachineCanary;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many hands on the taint list of one Node. */
@Tag("deep")
class ContentionTest {
    private static final String NODE = "contention-1";
    private static final int WRITERS = 8;
    /** Edits of each writer before and after kubectl has its turn: 1,000 in all. */
    private static final List<Integer> ROUNDS = List.of(63, 62);
    private static final int OWN_EDITS_PER_ROUND = 10;

    @Test
    void of_1000_acknowledged_foreign_edits_none_is_lost_while_own_taints_change() throws Exception {
        try (MachineSuite suite = MachineSuite.in("contention"); RunningNodeward nodeward = suite.start()) {
            OwnTaints own = new OwnTaints(suite, NODE);
            suite.cluster("contention");
            suite.fleet().pair(MachineSpec.named(NODE, "contention"));
            own.next();
            suite.add(MachineCanary.in(suite, "contention"));
            AuditLog.Mark mark = suite.settled();
            int before = own.steps();
            Instant start = Instant.now();

            List<ForeignWriter> writers = IntStream.range(0, WRITERS)
                    .mapToObj(number -> new ForeignWriter(suite.admin(), NODE, number)).toList();
            round(writers, ROUNDS.get(0), own);
            int unlocked = unlockedEdits(suite, own);
            round(writers, ROUNDS.get(1), own);

            Duration time = Duration.between(start, Instant.now());
            List<AuditRequest> requests = suite.settledSince(mark);
            assertNothingLost(suite.node(NODE), writers, own);
            print(writers, own.steps() - before, requests, time);
            assertFewRequests(requests, own.steps() - before + unlocked, 1000 + unlocked);
        }
    }

    private static void assertNothingLost(JsonNode node, List<ForeignWriter> writers, OwnTaints own) {
        assertThat(writers).extracting(ForeignWriter::acknowledged).containsOnly(125);
        assertThat(foreignTaints(node)).containsExactlyInAnyOrderElementsOf(standing(writers));
        assertThat(OwnTaints.taintsOn(node)).isEqualTo(own.wanted());
        assertThat(OwnTaints.trackedOn(node)).isEqualTo(own.tracking());
    }

    // Strangers and the Machine's editor at the same time; the latter waits for each of his edits to reach the Node.
    private static void round(List<ForeignWriter> writers, int edits, OwnTaints own) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
            List<Future<?>> running = new ArrayList<>();
            writers.forEach(writer -> running.add(threads.submit(() -> writer.edit(edits))));
            int last = own.steps() + OWN_EDITS_PER_ROUND;
            while (own.steps() < last || !running.stream().allMatch(Future::isDone)) {
                own.next();
            }
            for (Future<?> writer : running) {
                writer.get();
            }
        }
    }

    // kubectl sends the whole list without a version, so careful strangers pause: it would lose edits of theirs itself.
    private static int unlockedEdits(MachineSuite suite, OwnTaints own) {
        AuditLog.Mark mark = suite.settled();
        kubectlTaint(suite, OwnTaints.STEADY + "=wrong:NoSchedule", "--overwrite");
        own.awaitOnNode();
        kubectlTaint(suite, OwnTaints.STEADY + ":NoSchedule-");
        own.awaitOnNode();
        suite.settled();
        List<AuditRequest> patches = suite.controlPlane().audit().since(mark)
                .filter(r -> r.is("patch", "nodes") && r.userAgent().startsWith("kubectl")).toList();
        assertThat(patches).hasSize(2).allSatisfy(
                patch -> assertThat(patch.body().at("/metadata/resourceVersion").isMissingNode()).isTrue());
        return patches.size();
    }

    private static void kubectlTaint(MachineSuite suite, String... arguments) {
        List<String> words = new ArrayList<>(List.of("taint", "node", NODE));
        words.addAll(List.of(arguments));
        suite.controlPlane().kubectl().run(words.toArray(String[]::new)).orThrow("kubectl taint");
    }

    private static List<JsonNode> foreignTaints(JsonNode node) {
        return node.path("spec").path("taints").valueStream()
                .filter(taint -> taint.path("key").asText().startsWith(ForeignWriter.DOMAIN)).toList();
    }

    private static List<JsonNode> standing(List<ForeignWriter> writers) {
        List<JsonNode> all = new ArrayList<>();
        writers.forEach(writer -> writer.standing().forEach(all::add));
        return all;
    }

    /**
     * @param changes of what is declared or of an own taint: each is one successful PATCH
     * @param foreign writes of others: a plan can be stale once for each of them, and no more
     */
    private static void assertFewRequests(List<AuditRequest> requests, int changes, int foreign) {
        assertThat(requests).filteredOn(AuditRequest::isWrite).allMatch(r -> r.is("patch", "nodes"));
        assertThat(count(requests, "patch", 200)).isEqualTo(changes);
        long conflicts = conflicts(requests);
        assertThat(conflicts).isLessThanOrEqualTo(foreign);
        // The newer Node comes through the watch; it is read only when the watch is late by seconds.
        assertThat(count(requests, "get", 200)).isLessThanOrEqualTo(conflicts / 10 + 2);
        // A minute after its start, the controller looks for conditions on kinds that this one has no right to.
        // A server that is busy ends the watches of clients that it takes to be slow: each asks once whether it was restored.
        List<AuditRequest> others = requests.stream()
                .filter(r -> !r.is("patch", "nodes") && !r.is("get", "nodes") && r.code() != 403).toList();
        assertThat(others)
                .allMatch(r -> r.verb().equals("watch") || r.verb().equals("list") && r.uri().contains("limit=1"));
        assertThat(others.stream().filter(r -> r.verb().equals("list")).count())
                .isLessThanOrEqualTo(others.stream().filter(r -> r.verb().equals("watch")).count());
    }

    private static void print(List<ForeignWriter> writers, int edits, List<AuditRequest> requests, Duration time) {
        System.out.printf("contention: %d foreign edits (%d conflicts of their writers), %d edits of the Machine in"
                + " %d s; Nodeward: %d PATCH answered 200, %d conflicts, %d GET%n",
                writers.stream().mapToInt(ForeignWriter::acknowledged).sum(),
                writers.stream().mapToInt(ForeignWriter::conflicts).sum(), edits, time.toSeconds(),
                count(requests, "patch", 200), conflicts(requests), count(requests, "get", 200));
    }

    private static long conflicts(List<AuditRequest> requests) {
        return requests.stream().filter(r -> r.is("patch", "nodes") && r.isConflict()).count();
    }

    private static long count(List<AuditRequest> requests, String verb, int code) {
        return requests.stream().filter(r -> r.is(verb, "nodes") && r.code() == code).count();
    }
}
