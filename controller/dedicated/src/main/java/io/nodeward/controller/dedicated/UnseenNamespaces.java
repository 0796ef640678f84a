package io.nodeward.controller.dedicated;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
    private final Map<String, Answer> answers = new LinkedHashMap<>();

    /** @param labels that come later, while pods wait for them */
    private record Answer(CompletableFuture<Map<String, String>> labels, long asked) {}

    /** @param reading asks the API server for the labels of a namespace; none if it does not exist */
    UnseenNamespaces(Function<String, Map<String, String>> reading, LongSupplier nanoTime) {
        this.reading = reading;
        this.nanoTime = nanoTime;
    }

    /** Waits for the API server, or for the answer that it is about to give to somebody else; fails as that does. */
    Map<String, String> labels(String namespace) {
        CompletableFuture<Map<String, String>> own = new CompletableFuture<>();
        CompletableFuture<Map<String, String>> labels = answer(namespace, own);
        if (labels == own) {
            ask(namespace, own);
        }
        try {
            return labels.join();
        } catch (CompletionException e) {
            throw new IllegalStateException("the labels of namespace " + namespace + " cannot be read", e.getCause());
        }
    }

    private synchronized CompletableFuture<Map<String, String>> answer(
            String namespace, CompletableFuture<Map<String, String>> own) {
        long now = nanoTime.getAsLong();
        Answer known = answers.get(namespace);
        if (known != null && !known.labels.isCompletedExceptionally() && now - known.asked < KEPT.toNanos()) {
            return known.labels;
        }
        answers.remove(namespace); // the newest is the last
        answers.put(namespace, new Answer(own, now));
        if (answers.size() > MOST) {
            answers.remove(answers.keySet().iterator().next());
        }
        return own;
    }

    private void ask(String namespace, CompletableFuture<Map<String, String>> labels) {
        try {
            labels.complete(reading.apply(namespace));
        } catch (RuntimeException e) {
            labels.completeExceptionally(e);
        }
    }
}
