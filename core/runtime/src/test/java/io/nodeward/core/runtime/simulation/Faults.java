package io.nodeward.core.runtime.simulation;

import io.nodeward.api.meta.Status;
import io.nodeward.core.spi.ApiFailure;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** What goes wrong with a write. */
public final class Faults {
    /** Of all writes, in percent. */
    private static final int PERCENT = 40;

    private final Random random;
    /** Of the next writes of objects. */
    private Fault planned = Fault.NONE;
    private int times;
    private boolean stopped;
    private boolean ended;

    /** When a write fails. */
    public enum Fault {
        NONE,
        UNREACHABLE,
        THROTTLED,
        UNAUTHORIZED,
        /** The server makes the change, and its answer is lost. */
        ANSWER_LOST,
        /** The process ends before the request is sent. */
        STOP_BEFORE,
        /** The process ends when the request is sent. */
        STOP_AFTER,
        FORBIDDEN,
        REJECTED,
        /** Somebody else is quicker. */
        CONFLICT,
        /** The workload cluster is not connected any more, and is again soon. */
        UNAVAILABLE;

        /** Whether it says nothing about the object. */
        boolean passes() {
            return ordinal() <= STOP_AFTER.ordinal();
        }

        public void failBefore(Faults faults) {
            switch (this) {
                case UNREACHABLE -> throw ApiFailure.unreachable("a write", "of the test", new IOException());
                case THROTTLED -> throw failure(429, "TooManyRequests");
                case UNAUTHORIZED -> throw failure(401, "Unauthorized");
                case FORBIDDEN -> throw failure(403, "Forbidden");
                case REJECTED -> throw failure(422, "Invalid");
                case STOP_BEFORE -> throw faults.end();
                default -> {}
            }
        }

        public void failAfter(Faults faults) {
            switch (this) {
                case ANSWER_LOST -> throw ApiFailure.unreachable("a write", "of the test", new IOException());
                case STOP_AFTER -> throw faults.end();
                default -> {}
            }
        }
    }

    /** The process ends here. */
    static final class Stop extends Error {}

    public Faults(Random random) {
        this.random = random;
    }

    private Stop end() {
        ended = true;
        return new Stop();
    }

    /** Whether the process has ended since this was last asked. */
    public boolean ended() {
        boolean was = ended;
        ended = false;
        return was;
    }

    /** Nothing goes wrong from now on. */
    public void stop() {
        stopped = true;
    }

    /** So many of the next writes of objects fail so. */
    void plan(Fault fault, int writes) {
        planned = fault;
        times = writes;
    }

    /** @param passing whether only what says nothing about the object */
    public Fault next(boolean passing) {
        if (!passing && times > 0) {
            times--;
            return planned;
        }
        if (stopped || random.nextInt(100) >= PERCENT) {
            return Fault.NONE;
        }
        List<Fault> all = List.of(Fault.values()).stream().filter(fault -> !passing || fault.passes()).toList();
        return all.get(random.nextInt(all.size()));
    }

    public static ApiFailure failure(int code, String reason) {
        return ApiFailure.of(new Status(code, reason, "of the test", 0), "a write", Optional.empty());
    }
}
