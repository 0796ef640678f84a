package io.nodeward.core.runtime.https;

import java.util.HashMap;
import java.util.Map;

/** Shares a number of bytes among accounts, such as namespaces. Callers hold a lock. */
final class FairShares {
    /** An account holds at most so many times what it leaves free: three quarters of all alone, three sixteenths as the second. */
    private static final int OF_FREE = 3;

    private final long capacity;
    private final Map<String, Long> held = new HashMap<>();
    private long free;

    FairShares(long capacity) {
        this.capacity = capacity;
        this.free = capacity;
    }

    /** Returns the bytes that the account holds. */
    long held(String account) {
        return held.getOrDefault(account, 0L);
    }

    /** Adds bytes to what the account holds, whether there is room for them or not; a negative number gives them back. */
    void add(String account, long bytes) {
        held.merge(account, bytes, (before, more) -> before + more == 0 ? null : before + more);
        free -= bytes;
    }

    /** Returns whether the accounts hold more than there is. */
    boolean isExceeded() {
        return free < 0;
    }

    /** Returns whether the account may hold more, and leaves enough for the next: one that holds nothing may have all that is free. */
    boolean admits(String account, long more) {
        long left = free - more;
        long before = held(account);
        return left >= 0 && (before == 0 || before + more <= OF_FREE * left);
    }

    @Override
    public String toString() {
        return held + " of " + capacity;
    }
}
