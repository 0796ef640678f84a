package io.nodeward.core.runtime.seeded;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Threads that nobody can tell from others, and three that have names. */
class NamelessThreads {
    Thread namelessAtOnce(Runnable task) {
        return Thread.startVirtualThread(task);
    }

    Thread namelessBuilder(Runnable task) {
        return Thread.ofPlatform().daemon().unstarted(task);
    }

    Runnable namelessLater(Runnable task) {
        return () -> Thread.ofVirtual().start(task);
    }

    Thread namelessThread(Runnable task) {
        return new Thread(task);
    }

    ExecutorService namelessPool() {
        return Executors.newVirtualThreadPerTaskExecutor();
    }

    Thread named(Runnable task) {
        return Thread.ofVirtual().name("a").unstarted(task);
    }

    Thread namedByConstructor(Runnable task) {
        return new Thread(task, "a");
    }

    ExecutorService namedPool() {
        return Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("a").factory());
    }
}
