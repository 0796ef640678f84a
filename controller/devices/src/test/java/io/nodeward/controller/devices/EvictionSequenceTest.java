package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.rules.device.EvictionState;
import io.nodeward.core.rules.device.EvictionState.Shown;
import io.nodeward.core.spi.ApiFailure;
import java.io.IOException;
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

/** Random edits of a rule, pods, losses and new processes: no pod goes that the cluster does not call for. */
class EvictionSequenceTest {
    private static final int SEQUENCES = 12;
    private static final Set<String> CONDITIONS = Stream.of(EvictionState.values())
            .map(state -> state.status() + " " + state.reason().text()).collect(Collectors.toSet());

    private final Set<String> shown = new TreeSet<>();
    /** What the loops would take for a failure to try again. */
    private final List<Throwable> errors = new ArrayList<>();
    private int deletions;

    @Test
    void after_any_sequence_no_pod_goes_that_the_cluster_does_not_call_for() {
        for (int seed = 0; seed < SEQUENCES; seed++) {
            try (EvictionFixture cluster = new EvictionFixture()) {
                run(cluster, seed);
            }
        }
        assertThat(errors).isEmpty();
        assertThat(CONDITIONS).containsAll(shown);
        assertThat(shown).as("what was seen").contains("True PodsPendingEviction", "False NotConfirmed",
                "False NotEnforced", "False OtherEffect", "False Completed");
        assertThat(deletions).isGreaterThan(3 * SEQUENCES);
    }

    private void run(EvictionFixture cluster, int seed) {
        Random random = new Random(seed);
        cluster.config.evictUnenforced = false;
        cluster.devices.server.serve();
        cluster.whileDeleted = pod -> {
            deletions++;
            Optional.ofNullable(catchThrowable(() -> allows(cluster, pod, seed))).ifPresent(errors::add);
        };
        cluster.start();
        cluster.declare("NoExecute", 20);
        int pods = 0;
        for (int step = 0; step < 40; step++) {
            if (random.nextInt(5) == 0) {
                cluster.pods(pods, pods + 1 + random.nextInt(3));
                pods = cluster.devices.caches.pods().all().size() + cluster.deleted.size();
            }
            Runnable change = change(cluster, random);
            if (random.nextInt(4) == 0) {
                cluster.whileMarked = () -> {
                    cluster.whileMarked = () -> {};
                    change.run();
                };
            } else {
                change.run();
            }
            cluster.pass(1);
            if (!cluster.progress("status").isEmpty()) { // no status has been written yet
                shown.add(cluster.progress("status") + " " + cluster.progress("reason"));
            }
        }
    }

    private static Runnable change(EvictionFixture cluster, Random random) {
        return switch (random.nextInt(20)) {
            case 0 -> () -> cluster.effect("NoSchedule");
            case 1, 2 -> () -> cluster.effect("NoExecute");
            case 3 -> () -> cluster.edit(Map.of("taint", Map.of("evictionsPerSecond", random.nextInt(4) * 10)));
            case 4 -> () -> cluster.edit(Map.of("confirmedPods", random.nextInt(4)));
            case 5 -> () -> {
                cluster.rule.delete();
                cluster.declare(random.nextBoolean() ? Map.of() : Map.of("driver", EvictionFixture.DRIVER, "pool",
                        "node-1"), "NoExecute", 20, Map.of("confirmedPods", random.nextInt(4)));
            };
            case 6 -> cluster::start;
            case 7 -> () -> cluster.rule.server.fault(2, request -> request.path().endsWith("/status"),
                    Fault.status(503, "ServiceUnavailable", "not now"));
            case 8 -> () -> cluster.refusal = random.nextBoolean() ? Optional.empty()
                    : Optional.of(ApiFailure.unreachable("DELETE", "the answer is lost", new IOException("lost")));
            case 9 -> cluster.devices.server::serveNone;
            default -> () -> {
                cluster.refusal = Optional.empty();
                cluster.devices.server.versions.all().getFirst().following();
                cluster.devices.server.report(1);
            };
        };
    }

    private static void allows(EvictionFixture cluster, String pod, int seed) {
        CustomResource<DeviceTaintRule> rule = cluster.rule.seen();
        assertThat(rule.spec().taint().effect()).as("seed %s, pod %s", seed, pod).isEqualTo("NoExecute");
        assertThat(rule.spec().taint().evictionsPerSecond()).as("seed %s", seed).isPositive();
        assertThat(EvictionProgress.shown(rule)).as("seed %s", seed).isEqualTo(Shown.NOW);
        assertThat(cluster.rule.stored().at("/status/evictionBegan").asBoolean()).as("seed %s", seed).isTrue();
        assertThat(cluster.devices.serverRules.served()).as("seed %s", seed).isPresent();
        assertThat(cluster.devices.server.cache.all()).as("seed %s", seed).anyMatch(server -> server.metadata().owners()
                .stream().anyMatch(owner -> owner.uid().equals(rule.metadata().uid()))
                && !server.conditions().isEmpty());
        if (rule.spec().selector().orElseThrow().isWhole()) {
            assertThat(rule.spec().confirmedPods().orElse(0)).as("seed %s", seed).isPositive();
        }
        assertThat(cluster.devices.caches.pods().get(new ObjectKey("ns", pod))).as("seed %s", seed).isPresent();
        assertThat(cluster.deleted).as("seed %s", seed).doesNotContain(pod);
    }
}
