package io.nodeward.core.rules.capacity;

import io.nodeward.core.rules.validation.Warning;
import java.util.List;
import java.util.Optional;

/**
 * The decision about one annotation that the autoscaler reads, and the one that says what of it is ours. The two are to
 * be written together, or a user's entry might be taken for ours.
 *
 * @param text what the annotation holds in the end; empty if it is not there
 * @param tracking likewise of the tracking annotation
 * @param changesText whether {@code text} is not what is there
 * @param isDue whether anything is to be written; without {@code changesText}, that what was ours is not there any more, or
 *     that what was a user's is ours from now on
 * @param warnings what was left out or is odd; the same fault gives the same Warning each time it is planned
 */
public record CapacityPlan(
        Optional<String> text,
        Optional<String> tracking,
        boolean changesText,
        boolean isDue,
        List<Warning> warnings) {
    public CapacityPlan {
        warnings = List.copyOf(warnings);
    }
}
