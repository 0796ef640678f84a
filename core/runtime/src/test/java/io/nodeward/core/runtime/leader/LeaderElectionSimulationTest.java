package io.nodeward.core.runtime.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.runtime.leader.Candidate.Network;
import io.nodeward.core.runtime.leader.TestProcess.State;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Three candidates, and all that may happen to them. A seed repeats its run. */
class LeaderElectionSimulationTest extends ElectionFixture {
    private static final int CASES = Integer.getInteger("nodeward.test.iterations", 2_000) / 100;
    private static final Duration STEP = Duration.ofMillis(100);
    private static final int STEPS = 3_000;
    /** A candidate may see the last change 4.4 s late, waits for 15 s, and may try 4.4 s later. */
    private static final Duration LONGEST_GAP = Duration.ofMillis(23_800);

    private final List<Candidate> candidates = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final Map<String, Integer> happened = new HashMap<>();
    private Random random = new Random(0);
    private boolean faults;
    private int created;
    private long lastStart;

    @Test
    void no_two_lead_at_once_whatever_fails() {
        for (long seed = 0; seed < CASES; seed++) {
            random = new Random(seed * 0x9E37_79B9_7F4A_7C15L);
            begin();
            faults = true;
            for (int step = 0; step < STEPS; step++) {
                event();
                time.pass(STEP);
                check();
                assertThat(violations).as("seed %d, step %d", seed, step).isEmpty();
            }
            endFaults();
            time.pass(Duration.ofSeconds(40));
            assertThat(leader()).as("leader after seed %d", seed).isPresent();
            candidates.forEach(candidate -> candidate.process.kill());
        }
        assertThat(happened.values()).as("%s", happened).hasSize(13).allMatch(times -> times > CASES);
    }

    @Test
    void after_a_crash_another_leads_within_23_8_seconds() {
        begin();
        long longest = 0;
        for (int crash = 0; crash < 5 * CASES; crash++) {
            time.pass(Duration.ofMillis(5_000 + random.nextInt(10_000)));
            leader().orElseThrow().process.kill();
            long killed = time.nanoTime();
            time.pass(Duration.ofSeconds(30));
            assertThat(Duration.ofNanos(lastStart - killed)).as("crash %d", crash)
                    .isBetween(Duration.ofSeconds(13), LONGEST_GAP);
            longest = Math.max(longest, lastStart - killed);
            replaceDead();
        }
        assertThat(Duration.ofNanos(longest)).isGreaterThan(Duration.ofSeconds(17));
    }

    private void endFaults() {
        faults = false;
        candidates.forEach(candidate -> {
            candidate.network = this::send;
            candidate.process.goOn();
        });
    }

    private void begin() {
        faults = false;
        candidates.clear();
        if (lease().isPresent()) {
            delete();
        }
        replaceDead();
    }

    private void replaceDead() {
        candidates.removeIf(candidate -> candidate.process.state() == State.KILLED);
        while (candidates.stream().filter(Candidate::isCandidate).count() < 3) {
            Candidate candidate = candidate("c" + created++);
            candidate.network = this::send;
            candidate.onStart(this::started);
            candidates.add(candidate);
            candidate.start();
        }
    }

    @Override
    double jitter() {
        return random.nextDouble();
    }

    private Optional<Candidate> leader() {
        return candidates.stream().filter(this::leads).findFirst();
    }

    private boolean leads(Candidate candidate) {
        return candidate.process.state() != State.KILLED && candidate.leads();
    }

    private void started() {
        lastStart = time.nanoTime();
        check();
    }

    private void check() {
        List<String> leaders = candidates.stream().filter(this::leads).map(candidate -> candidate.identity).toList();
        if (leaders.size() > 1) {
            violations.add(leaders + " lead at " + time.instant());
        }
    }

    private boolean happens(String what, double share) {
        boolean happens = random.nextDouble() < share;
        if (happens) {
            happened.merge(what, 1, Integer::sum);
        }
        return happens;
    }

    private Duration upTo(int seconds) {
        return Duration.ofMillis(random.nextInt(seconds * 1000));
    }

    /** Lets something happen to a candidate or to the Lease, about eight times a minute. */
    private void event() {
        Candidate one = leader().filter(candidate -> random.nextBoolean())
                .orElseGet(() -> candidates.get(random.nextInt(candidates.size())));
        if (happens("stopped", 0.003) && one.process.state() == State.RUNNING) {
            one.process.stop();
            time.schedule(one.process::goOn, upTo(40).toMillis(), TimeUnit.MILLISECONDS);
        } else if (happens("killed", 0.001)) {
            one.process.kill();
        } else if (happens("ended", 0.001) && one.process.state() == State.RUNNING) {
            one.end();
        } else if (happens("partition", 0.003)) {
            one.network = Network.PARTITIONED;
            time.schedule(() -> one.network = this::send, upTo(30).toMillis(), TimeUnit.MILLISECONDS);
        } else if (happens("clock", 0.003)) {
            one.wallClock = upTo(7200).minusSeconds(3600);
        } else if (lease().isPresent() && happens("edit", 0.003)) {
            edit("{'metadata':{'labels':{'n':'" + random.nextInt(1000) + "'}}}");
        }
        replaceDead();
    }

    private Response send(TestProcess process, Request request, Transport server) {
        if (!faults) {
            return server.exchange(request);
        }
        if (happens("answer lost", 0.03)) {
            return Network.ANSWERS_LOST.send(process, request, server);
        }
        if (happens("late", 0.03)) {
            time.schedule(() -> server.exchange(request).close(), 5_000 + random.nextInt(15_000),
                    TimeUnit.MILLISECONDS);
            throw Network.timedOut(process, request);
        }
        for (int code : List.of(403, 409, 429, 500)) {
            if (happens("code " + code, 0.02)) {
                return new Response(code, Optional.of("3"), InputStream.nullInputStream());
            }
        }
        return happens("slow", 0.1)
                ? Network.slow(upTo(3), upTo(2)).send(process, request, server)
                : Network.slow(Duration.ofMillis(random.nextInt(50)), Duration.ofMillis(random.nextInt(50)))
                        .send(process, request, server);
    }
}
