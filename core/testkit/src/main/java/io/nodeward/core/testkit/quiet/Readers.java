package io.nodeward.core.testkit.quiet;

import java.util.Arrays;
import java.util.List;

/** The threads of reflectors: one that has just been started is going to ask for a watch. */
final class Readers {
    private static final String NAME = "nodeward-reflector-";

    private Readers() {}

    static List<Thread> living() {
        ThreadGroup all = Thread.currentThread().getThreadGroup();
        while (all.getParent() != null) {
            all = all.getParent();
        }
        Thread[] threads = new Thread[all.activeCount() + 100];
        int count = all.enumerate(threads);
        return Arrays.stream(threads, 0, count).filter(thread -> thread.getName().startsWith(NAME)).toList();
    }
}
