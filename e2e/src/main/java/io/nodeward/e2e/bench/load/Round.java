package io.nodeward.e2e.bench.load;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** When each of the first Nodes of a fleet had one value. */
public final class Round implements Observer.Listener, AutoCloseable {
    private static final long CHECK_MILLIS = 500;

    private final Observer observer;
    private final int value;
    private final boolean timed;
    private final int cutsBefore;
    private final int from;
    private final long[] seen;
    private final CountDownLatch missing;
    private volatile boolean begun;
    private volatile Runnable onComplete = () -> {};

    private Round(Observer observer, int value, boolean timed, int from, int count, boolean begun) {
        this.observer = observer;
        this.value = value;
        this.timed = timed;
        this.cutsBefore = observer.cuts();
        this.from = from;
        this.begun = begun;
        this.seen = new long[count];
        this.missing = new CountDownLatch(count);
    }

    /** From now on, until it is closed. */
    public static Round expect(Observer observer, int value, int count) {
        return start(new Round(observer, value, true, 0, count, true));
    }

    /** The same for who counts what it takes: a cut of the watch spoils no count, see {@link #isTimed}. */
    public static Round expectThroughCuts(Observer observer, int value, int count) {
        return start(new Round(observer, value, false, 0, count, true));
    }

    /** Of one Node alone. */
    public static Round expectOne(Observer observer, int value, int index) {
        return start(new Round(observer, value, true, index, 1, true));
    }

    /** Of one Node that has it now: after it was seen without any. */
    public static Round expectBack(Observer observer, int value, int index) {
        return start(new Round(observer, value, true, index, 1, false));
    }

    private static Round start(Round round) {
        round.observer.tell(round);
        return round;
    }

    /** Run once, in the thread that reads the watch, when all have it; nothing if they have it already. */
    public void onComplete(Runnable what) {
        onComplete = what;
    }

    @Override
    public void event(int index, int now, long at) {
        int place = index - from;
        boolean expected = place >= 0 && place < seen.length && seen[place] == 0;
        if (expected && now == 0) {
            begun = true;
        }
        if (expected && begun && now == value) {
            seen[place] = at;
            if (missing.getCount() == 1) {
                onComplete.run();
            }
            missing.countDown();
        }
    }

    /**
     * Returns when all have it.
     *
     * @param check called now and then; what it throws ends the waiting
     * @throws IllegalStateException if not all have it within this time
     * @throws CutException if the server ended the observer's watch meanwhile, unless it was to go through cuts
     */
    public void await(Duration atMost, Runnable check) {
        long start = System.nanoTime();
        try {
            while (!missing.await(CHECK_MILLIS, TimeUnit.MILLISECONDS)) {
                check.run();
                requireTimes();
                if (System.nanoTime() - start > atMost.toNanos()) {
                    throw new IllegalStateException("after " + atMost.toSeconds() + " s " + missing.getCount() + " of "
                            + seen.length + " Nodes still have another value than v" + value);
                }
            }
        } catch (InterruptedException e) {
            throw Pause.interrupted(e);
        }
        requireTimes();
    }

    private void requireTimes() {
        if (timed) {
            observer.requireUncut(cutsBefore);
        }
    }

    /** Whether its times are those at which the events came: the watch was not cut so far. */
    public boolean isTimed() {
        return observer.cuts() == cutsBefore;
    }

    /** Times are lost, through nobody's fault who is measured: servers end watches whose readers they wait for. */
    public static final class CutException extends IllegalStateException {
        CutException(String reason) {
            super("the observer's watch was cut, times are lost: " + reason);
        }
    }

    /** {@link System#nanoTime} of the last. */
    public long last() {
        return inOrder()[seen.length - 1];
    }

    /** {@link System#nanoTime} of each by index. */
    public long[] seen() {
        return seen.clone();
    }

    /** The same in the order in which they came. */
    public long[] inOrder() {
        long[] sorted = seen.clone();
        Arrays.sort(sorted);
        return sorted;
    }

    @Override
    public void close() {
        observer.tellNobody();
    }
}
