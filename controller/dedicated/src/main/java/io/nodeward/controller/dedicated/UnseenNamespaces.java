package io.nodeward.controller.dedicated;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Labels of namespaces that the watch has not brought yet. An answer holds for a moment, also that there is no such namespace:
 * many pods are one question, and labels that are set right after it are seen.
 */
final class UnseenNamespaces {
    static final Duration KEPT = Duration.ofSeconds(1);
    /** Of so many namespaces answers are kept at most. */
    static final int MOST = 1000;

    private final Function<String, Map<String, String>> reading;
    private final LongSupplier nanoTime;
    private final ConcurrentMap<String, Answer> answers = new ConcurrentHashMap<>();

    private record Answer(Map<String, String> labels, long asked) {}

    /** @param reading asks the API server for the labels of a namespace; none if it does not exist */
    UnseenNamespaces(Function<String, Map<String, String>> reading, LongSupplier nanoTime) {
        this.reading = reading;
        this.nanoTime = nanoTime;
    }

    /** Waits for the API server, or for the answer that it is about to give to somebody else; fails as that does. */
    Map<String, String> labels(String namespace) {
        Answer answer = Objects.requireNonNull(answers.compute(namespace, (name, known) -> {
            long now = nanoTime.getAsLong();
            return known != null && isKept(known, now) ? known : new Answer(reading.apply(name), now);
        }));
        if (answers.size() > MOST) {
            long now = nanoTime.getAsLong();
            answers.values().removeIf(old -> !isKept(old, now));
        }
        if (answers.size() > MOST) {
            answers.clear();
        }
        return answer.labels();
    }

    private static boolean isKept(Answer answer, long now) {
        return now - answer.asked() < KEPT.toNanos();
    }
}
