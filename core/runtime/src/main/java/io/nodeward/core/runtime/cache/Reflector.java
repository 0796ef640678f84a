package io.nodeward.core.runtime.cache;

import io.nodeward.api.json.ListPage;
import io.nodeward.api.json.WatchEvent;
import io.nodeward.api.json.WatchStream;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.Answer;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ListOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a cache equal to what a server has: a first list (as initial events of a watch where the server knows
 * WatchList), then a watch that is taken up where it ended, and a new list when that point is too old (410). It never
 * gives up; failures are waited out with back-off.
 *
 * @param <T> the projected object
 */
public final class Reflector<T extends KubernetesObject> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Reflector.class);

    private static final Duration AT_ONCE = Duration.ofSeconds(1);

    private final Source<T> source;
    private final ObjectCache<T> cache;
    private final ReflectorSettings settings;
    private final Timers timers;
    private final Consumer<ApiFailure> failed;
    private final Thread thread;
    /** Keys among the initial events so far. */
    private final Set<ObjectKey> initial = new HashSet<>();
    private boolean watchList = true;
    private boolean watchListServed = true;
    private String resourceVersion = "";
    private int failures;
    private volatile boolean closed;
    private volatile @Nullable WatchedStream stream;

    /** @param failed told of each failure, for the owner to act on; called on the reflector's thread */
    public Reflector(
            Source<T> source,
            ObjectCache<T> cache,
            ReflectorSettings settings,
            Timers timers,
            Consumer<ApiFailure> failed) {
        this.source = source;
        this.cache = cache;
        this.settings = settings;
        this.timers = timers;
        this.failed = failed;
        this.thread = Thread.ofVirtual().name("nodeward-reflector-" + source.name()).unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** Ends the watch and waits for its thread. */
    @Override
    public void close() {
        closed = true;
        WatchedStream open = stream;
        if (open != null) {
            open.close();
        }
        thread.interrupt();
        try {
            thread.join(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!closed) {
            try {
                round();
                failures = 0;
            } catch (ApiFailure failure) {
                recover(failure);
            } catch (IOException e) {
                watchList = false; // perhaps it was the initial events that did not end; a list always works
                recover(ApiFailure.unreachable("watch of " + source.name(), String.valueOf(e.getMessage()), e));
            } catch (RuntimeException bug) {
                LOG.error("{}: a fault of Nodeward", source.name(), bug);
                pause(settings.backoff().delay(++failures));
            }
        }
    }

    private void round() throws IOException {
        if (!resourceVersion.isEmpty()) {
            ListOptions options = ListOptions.watchFrom(source.labelSelector(), resourceVersion, watchTime());
            watch(options, settings.silence());
        } else if (watchList) {
            initial.clear();
            watch(ListOptions.watchList(source.labelSelector(), watchTime()), settings.initialSilence());
        } else {
            list();
        }
    }

    private Duration watchTime() {
        return Timers.jittered(settings.watchFor());
    }

    private void list() throws IOException {
        Set<ObjectKey> listed = new HashSet<>();
        ListPage page = new ListPage("", "");
        do {
            ListOptions options = ListOptions.page(source.labelSelector(), settings.pageSize(), page.continueToken());
            Answer answer = source.server().list(source.resource(), "", source.options(options));
            try (WatchedStream body = opened(answer, settings.silence())) {
                page = ListPage.read(body, source.projection(), item -> {
                    listed.add(item.key());
                    cache.put(item);
                });
            }
        } while (!page.continueToken().isEmpty());
        cache.retain(listed);
        resourceVersion = page.resourceVersion();
        watchList = watchListServed;
    }

    private void watch(ListOptions options, Duration silence) throws IOException {
        Answer answer = source.server().watch(source.resource(), "", source.options(options));
        try (WatchedStream body = opened(answer, silence)) {
            WatchStream<T> events = new WatchStream<>(body, source.projection());
            long start = System.nanoTime();
            boolean empty = true;
            for (var event = events.next(); event.isPresent() && !closed; event = events.next()) {
                boolean started = !resourceVersion.isEmpty();
                handle(event.get(), started);
                if (!started && !resourceVersion.isEmpty()) {
                    body.patience(settings.silence());
                }
                failures = 0;
                empty = false;
            }
            if (empty && System.nanoTime() - start < AT_ONCE.toNanos()) {
                pause(settings.backoff().first()); // a server that ends every watch at once must not be asked in a tight loop
            }
        } finally {
            stream = null;
        }
    }

    private WatchedStream opened(Answer answer, Duration silence) {
        WatchedStream body = new WatchedStream(answer, silence, timers);
        stream = body;
        if (closed) {
            body.close();
        }
        return body;
    }

    /** @param started whether the initial events are over */
    private void handle(WatchEvent<T> event, boolean started) {
        switch (event) {
            case WatchEvent.Put<T> put -> {
                cache.put(put.object());
                at(put.object(), started, initial::add);
            }
            case WatchEvent.Gone<T> gone -> {
                cache.remove(gone.object());
                at(gone.object(), started, initial::remove);
            }
            case WatchEvent.Bookmark<T> bookmark -> {
                if (!started && bookmark.initialEventsEnd()) {
                    cache.retain(initial);
                    initial.clear();
                }
                if (started || bookmark.initialEventsEnd()) {
                    resourceVersion = bookmark.resourceVersion();
                }
            }
            case WatchEvent.Failed<T> ended ->
                throw ApiFailure.of(ended.status(), "watch of " + source.name(), Optional.empty());
        }
    }

    private void at(T object, boolean started, Consumer<ObjectKey> collect) {
        if (started) {
            resourceVersion = object.metadata().resourceVersion();
        } else {
            collect.accept(object.key());
        }
    }

    private void recover(ApiFailure failure) {
        if (closed) {
            return;
        }
        failures++;
        failed.accept(failure);
        switch (failure) {
            case ApiFailure.Expired f -> {
                LOG.info("{}: {}; listing again", source.name(), f.getMessage());
                resourceVersion = "";
                if (failures > 1) {
                    pause(settings.backoff().delay(failures));
                }
            }
            case ApiFailure.Rejected f when watchList && resourceVersion.isEmpty() -> {
                LOG.info("{}: the server does not know WatchList; listing instead", source.name());
                watchList = false;
                watchListServed = false;
            }
            case ApiFailure.Throttled f -> pause(f.retryAfter().orElse(settings.backoff().delay(failures)));
            case ApiFailure.Conflict f -> waitOut(f);
            case ApiFailure.AlreadyExists f -> waitOut(f);
            case ApiFailure.NotFound f -> waitOut(f);
            case ApiFailure.NotServed f -> waitOut(f);
            case ApiFailure.Unauthorized f -> waitOut(f);
            case ApiFailure.Forbidden f -> waitOut(f);
            case ApiFailure.Rejected f -> waitOut(f);
            case ApiFailure.Unreachable f -> waitOut(f);
        }
    }

    private void waitOut(ApiFailure failure) {
        Duration delay = settings.backoff().delay(failures);
        LOG.warn("{}: {}; again in {} ms", source.name(), failure.getMessage(), delay.toMillis());
        pause(delay);
    }

    private void pause(Duration delay) {
        try {
            Thread.sleep(delay);
        } catch (InterruptedException e) {
            closed = true;
        }
    }
}
