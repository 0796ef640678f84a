package io.nodeward.core.runtime.cluster;

import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads of objects that the watch has not brought yet, for reviews that cannot wait for it. The answer to {@link #read} holds for a
 * moment, also that there is no such object, or that the read failed: many pods are one request, and later changes are seen.
 *
 * @param <K> the name of an object, for messages too
 * @param <T> what is read of an object
 */
public final class ApiReader<K, T> {
    private static final Logger LOG = LoggerFactory.getLogger(ApiReader.class);
    static final Duration KEPT = Duration.ofSeconds(1);
    /** The longest time that a call takes, with all that it waits for. API servers wait three seconds for a review. */
    public static final Duration DEADLINE = Duration.ofSeconds(1);
    /** A request takes a small part of this, unless the server is silent. */
    private static final Duration WAIT = Duration.ofMillis(250);
    /** The number of answers that are kept at most. */
    static final int MOST = 1000;

    private static final CountDownLatch NOTHING = new CountDownLatch(0);

    private final String what;
    private final Duration wait;
    private final Function<K, T> reading;
    private final Timers timers;
    private final ConcurrentMap<K, Question> questions = new ConcurrentHashMap<>();
    private final Semaphore reviews;
    /** A request may take longer than the reviews wait for it. */
    private final Semaphore requests;

    /**
     * @param what is read, before the name of the object
     * @param atOnce how many reviews wait at most, and how many requests run: fewer than reviews are answered at once, so that
     *     others are while an API server is silent
     * @param reading asks the API server
     */
    public ApiReader(String what, int atOnce, Function<K, T> reading, Timers timers) {
        this(what, atOnce, WAIT, reading, timers);
    }

    /** @param wait how long a review waits until fewer others do */
    ApiReader(String what, int atOnce, Duration wait, Function<K, T> reading, Timers timers) {
        this.what = what;
        this.wait = wait;
        this.reading = reading;
        this.timers = timers;
        this.reviews = new Semaphore(atOnce);
        this.requests = new Semaphore(atOnce);
    }

    private final class Question extends FutureTask<T> {
        private final AtomicBoolean started = new AtomicBoolean();
        private final CompletableFuture<Void> over = new CompletableFuture<>();
        private final K name;
        private final boolean isOnce;
        /** Counted down when the request of the question before this one has ended, be that question over before or not. */
        private final CountDownLatch before;
        private final CountDownLatch requested = new CountDownLatch(1);
        private volatile long ended = timers.nanoTime();
        private volatile boolean sent;

        /** @param isOnce whether the answer is of no use to a later review */
        Question(K name, boolean isOnce, CountDownLatch before) {
            super(() -> request(name));
            this.name = name;
            this.isOnce = isOnce;
            this.before = before;
        }

        @Override
        public void run() {
            try {
                before.await();
                sent = true;
                super.run();
            } catch (InterruptedException e) {
                cancel(false);
            } finally {
                requested.countDown();
                if (isOnce) {
                    questions.remove(name, this);
                }
            }
        }

        /** Returns what the next question about the same name has to wait for. */
        CountDownLatch untilRequested() {
            return started.get() ? requested : before;
        }

        /** Returns whether the API server has yet to be asked. */
        boolean isToCome() {
            return !sent && !isDone();
        }

        /** Begins its time, which contains that of the request before, if that has not ended. */
        void start() {
            if (started.compareAndSet(false, true)) {
                timers.after(before.getCount() == 0 ? DEADLINE : DEADLINE.multipliedBy(2), () -> cancel(false));
                Thread.ofVirtual().name("nodeward-live-read").start(this);
            }
        }

        @Override
        protected void done() {
            ended = timers.nanoTime();
            over.complete(null);
        }

        boolean isKept() {
            return !isDone() || timers.nanoTime() - ended < KEPT.toNanos();
        }
    }

    /**
     * Asks the API server, or waits for the answer that it is about to give to another review; fails as that does.
     *
     * @throws StateUnavailable if it gives none in time, or too many wait for it already
     */
    public T read(K name) {
        return answer(name, DEADLINE, questions.compute(
                name, (same, known) -> known != null && known.isKept() ? known
                        : new Question(same, false, NOTHING)));
    }

    /**
     * Reads what the API server has after the call, as {@link #read} does. While the server is asked for the same name, one request
     * more waits for all reviews that ask meanwhile.
     *
     * @param within the time that the caller has left; no more than {@link #DEADLINE}
     */
    public T readAnew(K name, Duration within) {
        return answer(name, within, questions.compute(name, (same, known) -> known != null && known.isToCome() ? known
                : new Question(same, true, known == null ? NOTHING : known.untilRequested())));
    }

    private T answer(K name, Duration within, @Nullable Question asked) {
        Question question = Objects.requireNonNull(asked);
        forgetSome();
        if (!question.isDone()) {
            await(question, name, within);
        }
        return switch (question.state()) {
            case SUCCESS -> question.resultNow();
            case FAILED -> throw failure(question.exceptionNow());
            default -> throw new StateUnavailable(
                    "the API server did not send the " + what + " " + name + " in time");
        };
    }

    /** Reads as {@link #read} does; returns {@code otherwise} if the read fails, takes too long or finds too many others waiting. */
    public T readOr(K name, T otherwise) {
        return or(() -> read(name), name, otherwise);
    }

    /** Reads as {@link #readAnew} does, and fails as {@link #readOr} does. */
    public T readAnewOr(K name, Duration within, T otherwise) {
        return or(() -> readAnew(name, within), name, otherwise);
    }

    private T or(Supplier<T> read, K name, T otherwise) {
        try {
            return read.get();
        } catch (RuntimeException e) {
            LOG.debug("the {} {} is not known", what, name, e);
            return otherwise;
        }
    }

    private void await(Question question, K name, Duration within) {
        CompletableFuture<Void> over = question.over.copy();
        ScheduledFuture<?> end = timers.after(within, () -> over.complete(null));
        try {
            if (!reviews.tryAcquire(Math.min(wait.toNanos(), within.toNanos()), TimeUnit.NANOSECONDS)) {
                throw tooMany("reviews", name);
            }
            try {
                question.start();
                over.get();
            } finally {
                reviews.release();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("ended while asking for the " + what + " " + name, e);
        } finally {
            end.cancel(false);
        }
    }

    private T request(K name) {
        if (!requests.tryAcquire()) {
            throw tooMany("requests", name);
        }
        try {
            return reading.apply(name);
        } finally {
            requests.release();
        }
    }

    private StateUnavailable tooMany(String waiting, K name) {
        return new StateUnavailable(
                "too many " + waiting + " wait for the API server to ask for the " + what + " " + name);
    }

    private void forgetSome() {
        if (questions.size() > MOST) {
            questions.values().removeIf(old -> !old.isKept());
        }
        if (questions.size() > MOST) {
            questions.clear();
        }
    }

    private static RuntimeException failure(Throwable thrown) {
        return switch (thrown) {
            case ApiFailure.Throttled busy -> new StateUnavailable(String.valueOf(busy.getMessage()));
            case ApiFailure.Unreachable down -> new StateUnavailable(String.valueOf(down.getMessage()));
            case RuntimeException failure -> failure;
            default -> new IllegalStateException(thrown);
        };
    }
}
