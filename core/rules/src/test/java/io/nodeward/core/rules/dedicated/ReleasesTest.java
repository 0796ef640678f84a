package io.nodeward.core.rules.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Random sequences of what users, the controller and the watches do. A failure prints the seed that leads to it. */
class ReleasesTest {
    private static final int SEQUENCES = 300;
    private static final int STEPS = 30;

    /** How often something happened that an invariant speaks of. */
    private final Map<String, Integer> seen = new HashMap<>();

    @Test
    void whatever_happens_in_whatever_order() {
        for (long seed = 0; seed < SEQUENCES; seed++) {
            ReleaseSequence sequence = new ReleaseSequence(seed, seen);
            try {
                IntStream.range(0, STEPS).forEach(i -> sequence.step());
                sequence.settle();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + sequence.log, e);
            }
        }
        assertThat(seen).as("each was tried").containsOnlyKeys(
                "lost in turn", "lost at once", "went", "waited", "put back", "refused", "stale",
                "over before the status says so", "deleted while it releases");
        assertThat(seen.values()).allMatch(count -> count > 20);
    }
}
