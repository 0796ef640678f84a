package io.nodeward.core.rules.preview;

import io.nodeward.api.admission.Tree;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * How many there are, and which are the first.
 *
 * @param names at most {@link #MOST}, in order
 */
public record Sample(int count, List<String> names) {
    /** A status names no more: its size does not depend on the cluster's. */
    public static final int MOST = 10;

    public Sample {
        names = List.copyOf(names);
    }

    /** As a field of a status. */
    public Tree tree() {
        return Tree.of(Map.of("count", count, "names", names));
    }

    public static Sample of(Collection<String> all) {
        return new Sample(all.size(), all.stream().sorted().limit(MOST).toList());
    }
}
