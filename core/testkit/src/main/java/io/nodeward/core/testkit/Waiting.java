package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.spi.Response;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A call, or a read of an answer, that goes on in a thread of its own until something ends it. */
final class Waiting {
    private final CompletableFuture<Object> outcome = new CompletableFuture<>();
    private final Thread thread;
    private volatile boolean interruptedAfterwards;

    private Waiting(Callable<?> what) {
        thread = Thread.ofVirtual().name("waiting").start(() -> {
            try {
                outcome.complete(what.call());
            } catch (Throwable e) {
                interruptedAfterwards = Thread.currentThread().isInterrupted();
                outcome.completeExceptionally(e);
            }
        });
    }

    /** Returns when it waits. */
    static Waiting in(Callable<?> what) throws InterruptedException {
        Waiting waiting = new Waiting(what);
        while (!waiting.outcome.isDone() && !waiting.isBlocked()) {
            Thread.sleep(5);
        }
        return waiting;
    }

    /** Reads to the end; returns when there is nothing to read for the moment. */
    static Waiting reading(Response answer) throws InterruptedException {
        return in(() -> answer.body().readAllBytes());
    }

    private boolean isBlocked() {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    void interrupt() {
        thread.interrupt();
    }

    /** Whether its thread still knew that it was interrupted when it had failed. */
    boolean interruptedAfterwards() {
        return interruptedAfterwards;
    }

    /** Waits for its end, which has to be a failure. */
    Throwable failure() throws IOException, InterruptedException, TimeoutException {
        try {
            Object result = outcome.get(30, TimeUnit.SECONDS);
            throw new AssertionError("ended without a failure: " + result);
        } catch (ExecutionException e) {
            return Objects.requireNonNull(e.getCause());
        }
    }

    void assertStillWaiting() {
        assertThat(outcome).isNotDone();
    }

    Object result() throws Exception {
        return outcome.get(30, TimeUnit.SECONDS);
    }
}
