package io.nodeward.demo;

import io.nodeward.demo.Happening.Asked;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** Counts what the controller asks of the server after an edit. Used by one thread; happenings come from others. */
final class Witness {
    private final BlockingQueue<Happening> happenings;
    private final List<Asked> writes = new ArrayList<>();
    private int reads;
    private long edited = System.nanoTime();

    Witness(BlockingQueue<Happening> happenings) {
        this.happenings = happenings;
    }

    /** An edit is about to be made: counting begins anew. */
    void edit() {
        edit(System.nanoTime());
    }

    private void edit(long nanos) {
        writes.clear();
        reads = 0;
        edited = nanos;
    }

    /** Waits for the next happening and counts it. An edit by somebody else, with kubectl, begins the count anew. */
    Optional<Happening> next(Duration atMost) throws InterruptedException {
        Happening next = happenings.poll(Math.max(atMost.toNanos(), 0), TimeUnit.NANOSECONDS);
        if (next instanceof Asked asked) {
            count(asked);
        }
        return Optional.ofNullable(next);
    }

    private void count(Asked asked) {
        if (!asked.byController()) {
            if (asked.isWrite()) {
                edit(asked.nanos());
            }
        } else if (asked.isWrite()) {
            writes.add(asked);
        } else if (!asked.isWatch()) {
            reads++;
        }
    }

    /** Since the edit, answered with success or not. */
    int writes() {
        return writes.size();
    }

    boolean allAccepted() {
        return writes.stream().allMatch(write -> write.request().code() / 100 == 2);
    }

    /** For example {@code 1 write (PATCH nodes/web-1 -> 200), 0 reads, after 4 ms}. */
    String cost() {
        String all = writes.size() + (writes.size() == 1 ? " write" : " writes") + shown() + ", " + reads
                + (reads == 1 ? " read" : " reads");
        return writes.isEmpty() ? all : all + ", after " + millis() + " ms";
    }

    private String shown() {
        if (writes.isEmpty()) {
            return "";
        }
        Asked last = writes.get(writes.size() - 1);
        return " (" + (writes.size() == 1 ? "" : "last ") + Table.cut(last.what(), 30) + " -> " + last.request().code()
                + ")";
    }

    private long millis() {
        long nanos = writes.get(writes.size() - 1).nanos() - edited;
        return Math.max(1, Duration.ofNanos(nanos).toMillis());
    }
}
