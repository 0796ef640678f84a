package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.device.ResourceClaim.PodReference;
import io.nodeward.core.runtime.controller.MapFunction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Claims that keep their devices and get new pods after theirs were evicted, as those of a Deployment: the scheduler does not
 * look at taints of devices that a claim has. From round to round the new pods stay longer.
 */
final class ClaimBackoff {
    private static final Duration FIRST = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final int DOUBLINGS = 5;
    /** The time without an eviction after which the next is the first again. */
    private static final Duration OVER = Duration.ofHours(1);

    private final DeviceCaches caches;
    private final LongSupplier ticker;
    /** The rounds by the UIDs of their claims. */
    private final Map<String, Round> rounds = new ConcurrentHashMap<>();

    /**
     * Pods that go together.
     *
     * @param pods UIDs of those that the claim had when the first of them was evicted
     * @param number counted from 1
     * @param last when one of them was evicted
     */
    private record Round(Set<String> pods, int number, long last) {
        Duration pause() {
            Duration pause = FIRST.multipliedBy(1L << Math.min(number - 1, DOUBLINGS));
            return pause.compareTo(LONGEST) < 0 ? pause : LONGEST;
        }
    }

    /** @param ticker nanoseconds since any one moment */
    ClaimBackoff(DeviceCaches caches, LongSupplier ticker) {
        this.caches = caches;
        this.ticker = ticker;
        caches.claims().subscribe((before, after) -> {
            if (before != null && MapFunction.differs(before, after, ResourceClaim::allocated)) {
                rounds.remove(before.metadata().uid());
            }
        });
    }

    /** Returns how long the pod has to stay although its time is over. */
    Duration left(ResourceClaim claim, String pod) {
        return round(claim).filter(round -> !round.pods().contains(pod))
                .map(round -> round.pause().minusNanos(ticker.getAsLong() - round.last()))
                .filter(Duration::isPositive).orElse(Duration.ZERO);
    }

    /** Returns what notes that the pod has gone. Those that go together with it use the claim now: of a PodGroup no claim names them. */
    Runnable evicting(ResourceClaim claim, String pod) {
        Set<String> together = Stream.concat(users(claim), Stream.of(pod)).collect(Collectors.toSet());
        return () -> evicted(claim, pod, together);
    }

    private void evicted(ResourceClaim claim, String pod, Set<String> together) {
        Optional<Round> before = round(claim);
        Set<String> pods = before.map(Round::pods).filter(known -> known.contains(pod)).orElse(together);
        int number = before.map(round -> round.pods().contains(pod) ? round.number() : round.number() + 1).orElse(1);
        String uid = claim.metadata().uid();
        rounds.put(uid, new Round(pods, number, ticker.getAsLong()));
        if (caches.claims().get(claim.key()).filter(now -> now.metadata().uid().equals(uid)).isEmpty()) {
            rounds.remove(uid); // its deletion was seen before
        }
    }

    /** Returns what slows evictions from these devices down, of the first of their claims; empty if nothing does. */
    Optional<String> slowed(Stream<DeviceName> devices) {
        List<ResourceClaim> slowed = devices.distinct().flatMap(device -> caches.claims(device).stream())
                .filter(this::hasNewPods).distinct().toList();
        return slowed.stream().min((one, other) -> one.key().toString().compareTo(other.key().toString()))
                .map(first -> "ResourceClaim " + first.key()
                        + " keeps its devices and gets new pods after its pods were"
                        + " evicted: each time they stay longer, up to " + LONGEST.toMinutes() + " minutes"
                        + (slowed.size() == 1 ? "" : "; so do " + (slowed.size() - 1) + " more")
                        + ". Stop who makes the pods, or give them another claim");
    }

    private boolean hasNewPods(ResourceClaim claim) {
        return round(claim).filter(round -> users(claim).anyMatch(pod -> !round.pods().contains(pod)))
                .isPresent();
    }

    /** Returns the UIDs of the pods for which the claim is reserved, those that have not been seen too. */
    private Stream<String> users(ResourceClaim claim) {
        return Stream.concat(claim.reservedFor().stream().map(PodReference::uid),
                caches.users(claim).stream().map(pod -> pod.metadata().uid()));
    }

    private Optional<Round> round(ResourceClaim claim) {
        return Optional.ofNullable(rounds.get(claim.metadata().uid()))
                .filter(round -> ticker.getAsLong() - round.last() < OVER.toNanos());
    }
}
