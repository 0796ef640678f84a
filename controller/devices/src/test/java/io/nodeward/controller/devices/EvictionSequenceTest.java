package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.rules.device.EvictionState;
import io.nodeward.core.rules.device.EvictionState.Shown;
import io.nodeward.core.spi.ApiFailure;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Random edits of a rule, pods, losses and new processes: no pod goes that the cluster does not call for, twice, or too early. */
class EvictionSequenceTest {
    private static final int SEQUENCES = 12;
    private static final Set<String> CONDITIONS = Stream.of(EvictionState.values())
            .map(state -> state.status() + " " + state.reason().text()).collect(Collectors.toSet());

    private final Set<String> shown = new TreeSet<>();
    /** What the loops would take for a failure to try again. */
    private final List<Throwable> errors = new ArrayList<>();
    private int deletions;
    private int waited;

    @Test
    void after_any_sequence_no_pod_goes_that_the_cluster_does_not_call_for() {
        for (int seed = 0; seed < SEQUENCES; seed++) {
            try (EvictionFixture cluster = new EvictionFixture()) {
                new Sequence(cluster, seed).run();
            }
        }
        assertThat(errors).isEmpty();
        assertThat(CONDITIONS).containsAll(shown);
        assertThat(shown).as("what was seen").contains("True PodsPendingEviction", "False NotConfirmed",
                "False NotEnforced", "False OtherEffect", "False Completed");
        assertThat(deletions).isGreaterThan(10 * SEQUENCES);
        assertThat(waited).as("pods that went with the last token").isGreaterThan(2 * SEQUENCES);
    }

    /** How many pods of one rule may go, whatever processes there are. */
    private static final class Allowance {
        private static final double LATE = 0.1;
        private static final double ROUNDED = 1e-6;

        private final String uid;
        private Instant at;
        private double left = 10;
        /** Since the last pod has gone: a pace counts until the next pod asks. */
        private long fastest;

        Allowance(String uid, Instant at) {
            this.uid = uid;
            this.at = at;
        }

        void pass(Instant now, long perSecond) {
            fastest = Math.max(fastest, perSecond);
            double more = fastest * Duration.between(at, now).toMillis() / 1000.0;
            left = Math.min(Math.max(left, 1 + fastest * LATE), left + more);
            at = now;
        }

        boolean take() {
            left--;
            fastest = 0;
            return left >= -ROUNDED;
        }
    }

    private final class Sequence {
        private final EvictionFixture cluster;
        private final int seed;
        private final Random random;
        private Allowance allowance = new Allowance("", Instant.EPOCH);
        private int pods;

        Sequence(EvictionFixture cluster, int seed) {
            this.cluster = cluster;
            this.seed = seed;
            random = new Random(seed);
        }

        void run() {
            cluster.config.evictUnenforced = false;
            cluster.graceful = true;
            cluster.devices.server.serve();
            cluster.whileDeleted = pod -> {
                deletions++;
                Optional.ofNullable(catchThrowable(() -> allows(pod))).ifPresent(errors::add);
            };
            cluster.start();
            cluster.declare("NoExecute", 2);
            come(14);
            for (int step = 0; step < 40; step++) {
                if (random.nextInt(5) == 0) {
                    come(1 + random.nextInt(6));
                }
                Runnable change = change();
                if (random.nextInt(4) == 0) {
                    cluster.whileMarked = () -> {
                        cluster.whileMarked = () -> {};
                        make(change);
                    };
                } else {
                    make(change);
                }
                cluster.pass(1);
                if (!cluster.progress("status").isEmpty()) { // no status has been written yet
                    shown.add(cluster.progress("status") + " " + cluster.progress("reason"));
                }
            }
        }

        private void come(int count) {
            cluster.pods(pods, pods + count);
            pods += count;
        }

        private void make(Runnable change) {
            pass();
            change.run();
        }

        private void pass() {
            CustomResource<DeviceTaintRule> rule = cluster.rule.seen();
            Instant now = cluster.rule.time.instant();
            if (!allowance.uid.equals(rule.metadata().uid())) {
                allowance = new Allowance(rule.metadata().uid(), now);
            }
            allowance.pass(now, rule.spec().taint().evictionsPerSecond());
        }

        private Runnable change() {
            return switch (random.nextInt(20)) {
                case 0 -> () -> cluster.effect("NoSchedule");
                case 1, 2 -> () -> cluster.effect("NoExecute");
                case 3 -> () -> cluster.edit(Map.of("taint", Map.of("evictionsPerSecond", random.nextInt(5))));
                case 4 -> () -> cluster.edit(Map.of("confirmedPods", random.nextInt(30)));
                case 5 -> () -> {
                    cluster.rule.delete();
                    cluster.declare(random.nextBoolean() ? Map.of() : Map.of("driver", EvictionFixture.DRIVER, "pool",
                            "node-1"), "NoExecute", 2, Map.of("confirmedPods", random.nextInt(30)));
                };
                case 6 -> cluster::start;
                case 7 -> () -> cluster.rule.server.fault(2, request -> request.path().endsWith("/status"),
                        Fault.status(503, "ServiceUnavailable", "not now"));
                case 8 -> () -> cluster.refusal = random.nextBoolean() ? Optional.empty()
                        : Optional.of(ApiFailure.unreachable("DELETE", "the answer is lost", new IOException("lost")));
                case 9 -> cluster.devices.server::serveNone;
                case 10 -> cluster::lead;
                case 11, 12 -> () -> List.copyOf(cluster.devices.caches.pods().all()).stream()
                        .filter(pod -> pod.metadata().deleting()).forEach(cluster.devices.caches.pods()::remove);
                default -> () -> {
                    cluster.refusal = Optional.empty();
                    cluster.devices.server.versions.all().getFirst().following();
                    cluster.devices.server.report(1);
                };
            };
        }

        private void allows(String name) {
            CustomResource<DeviceTaintRule> rule = cluster.rule.seen();
            assertThat(rule.spec().taint().effect()).as("seed %s, pod %s", seed, name).isEqualTo("NoExecute");
            assertThat(rule.spec().taint().evictionsPerSecond()).as("seed %s", seed).isPositive();
            assertThat(TaintStatus.shown(rule)).as("seed %s", seed).isEqualTo(Shown.NOW);
            assertThat(cluster.rule.stored().at("/status/evictionBegan").asBoolean()).as("seed %s", seed).isTrue();
            assertThat(cluster.devices.serverRules.served()).as("seed %s", seed).isPresent();
            assertThat(cluster.devices.server.cache.all()).as("seed %s", seed).anyMatch(server -> server.metadata()
                    .owners().stream().anyMatch(owner -> owner.uid().equals(rule.metadata().uid()))
                    && !server.conditions().isEmpty());
            Optional<Pod> pod = cluster.devices.caches.pods().get(new ObjectKey("ns", name));
            assertThat(pod).as("seed %s", seed).isPresent();
            if (rule.spec().selector().orElseThrow().isWhole()) {
                assertThat(rule.spec().confirmedPods().orElse(0)).as("seed %s", seed).isPositive();
            }
            assertThat(cluster.deleted).as("seed %s", seed).doesNotContain(name);
            pass();
            assertThat(allowance.take()).as("seed %s: a token for %s", seed, name).isTrue();
            waited += allowance.left < 1 ? 1 : 0;
        }
    }
}
