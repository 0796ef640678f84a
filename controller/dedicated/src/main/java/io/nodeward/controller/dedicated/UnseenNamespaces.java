package io.nodeward.controller.dedicated;

import io.nodeward.core.runtime.time.Timers;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * Labels of namespaces that the watch has not brought yet. An answer holds for a moment, also that there is no such namespace,
 * or that none could be had: many pods are one question, and labels that are set right after it are seen.
 */
final class UnseenNamespaces {
    static final Duration KEPT = Duration.ofSeconds(1);
    /** Less than API servers wait for the review. */
    static final Duration DEADLINE = Duration.ofSeconds(1);
    /** Of so many namespaces answers are kept at most. */
    static final int MOST = 1000;
    /** So many reviews ask or wait: fewer than are answered at once, so that others are while an API server is silent. */
    static final int AT_ONCE = 8;

    private final Function<String, Map<String, String>> reading;
    private final Timers timers;
    private final ConcurrentMap<String, Question> questions = new ConcurrentHashMap<>();
    private final Semaphore places = new Semaphore(AT_ONCE);

    /** @param reading asks the API server for the labels of a namespace; none if it does not exist */
    UnseenNamespaces(Function<String, Map<String, String>> reading, Timers timers) {
        this.reading = reading;
        this.timers = timers;
    }

    private final class Question extends FutureTask<Map<String, String>> {
        private final CountDownLatch over = new CountDownLatch(1);
        private volatile long ended = timers.nanoTime();

        Question(String namespace) {
            super(() -> reading.apply(namespace));
        }

        @Override
        protected void done() {
            ended = timers.nanoTime();
            over.countDown();
        }

        boolean isKept() {
            return !isDone() || timers.nanoTime() - ended < KEPT.toNanos();
        }
    }

    /**
     * Asks the API server, or waits for the answer that it is about to give to somebody else; fails as that does.
     *
     * @throws IllegalStateException if it gives none in time, or too many wait for it already
     */
    Map<String, String> labels(String namespace) {
        Question question = Objects.requireNonNull(questions.compute(
                namespace, (name, known) -> known != null && known.isKept() ? known : asked(name)));
        forgetSome();
        if (!question.isDone()) {
            settle(question, namespace);
        }
        return switch (question.state()) {
            case SUCCESS -> question.resultNow();
            case FAILED -> throw failure(question.exceptionNow());
            default ->
                    throw new IllegalStateException("the API server did not tell the labels of namespace " + namespace
                            + " within " + DEADLINE);
        };
    }

    private Question asked(String namespace) {
        Question question = new Question(namespace);
        timers.after(DEADLINE, () -> question.cancel(false));
        return question;
    }

    /** The first to come asks the server, the others wait. After the deadline only he does. */
    private void settle(Question question, String namespace) {
        if (!places.tryAcquire()) {
            throw new IllegalStateException(
                    "too many reviews wait for the labels of namespaces to ask for " + namespace);
        }
        try {
            question.run();
            question.over.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("ended while asking for namespace " + namespace, e);
        } finally {
            places.release();
        }
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
        return thrown instanceof RuntimeException failure ? failure : new IllegalStateException(thrown);
    }
}
