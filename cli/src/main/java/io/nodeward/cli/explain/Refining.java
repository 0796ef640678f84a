package io.nodeward.cli.explain;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.cli.live.LiveFailure;
import io.nodeward.cli.snapshot.Gap;
import java.util.ArrayList;
import java.util.List;

/** Reads what an answer can do without: where the user may not read it, prints the rest, and what is less certain. */
public final class Refining {
    private final List<Gap> gaps = new ArrayList<>();

    /**
     * Reads.
     *
     * @param kind of what is read
     * @param doing verb, kind and place, as in {@code list machinesets.cluster.x-k8s.io in namespace fleet}
     * @param lost what is not known without it
     * @throws LiveFailure if it is not the right that is missing
     */
    public void attempt(String kind, String doing, String lost, Runnable reading) {
        try {
            reading.run();
        } catch (LiveFailure failure) {
            if (!failure.isForbidden()) {
                throw failure;
            }
            gaps.add(new Gap(kind, "not allowed to " + doing + ": " + lost));
        }
    }

    /** Of what is named somewhere, and is not there. */
    void missing(String kind, ObjectKey key, String lost) {
        gaps.add(new Gap(kind, kind + " " + key + " is not found: " + lost));
    }

    /** Of a kind that the server does not have. */
    public void absent(String kind, String lost) {
        gaps.add(new Gap(kind, "the server does not have " + kind + ": " + lost));
    }

    public List<Gap> gaps() {
        return List.copyOf(gaps);
    }
}
