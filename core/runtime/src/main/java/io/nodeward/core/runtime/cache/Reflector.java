package io.nodeward.core.runtime.cache;

import io.nodeward.api.json.ListPage;
import io.nodeward.api.json.WatchStream;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Keeps a cache equal to what a server has: a first list (as initial events of a watch where the server knows
 * WatchList), then a watch that is taken up where it ended, and a new list when that point is too old (410). It never
 * gives up; failures are waited out with back-off.
 *
 * @param <T> the projected object
 */
public final class Reflector<T extends KubernetesObject> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Reflector.class);

    /** A watch that ends sooner than this did no good: the next one is waited for, longer each time. */
    private static final Duration AT_ONCE = Duration.ofSeconds(1);

    private final ListWatch<T> listWatch;
    private final Store<T> cache;
    private final ResourceVersionTracker<T> tracker;
    private final ReflectorSettings settings;
    private final Timers timers;
    private final ReflectorListener listener;
    private final Thread thread;
    private final RetryPauses pauses;
    private boolean watchList = true;
    private boolean watchListServed = true;
    /** Whether the server may have been restored from a backup: it may have been down since the last watch began. */
    private boolean check;
    /** The time after which a watch is cut that has brought nothing. It grows with each such watch in a row. */
    private Duration patience;
    /** When the present watch began to bring changes. */
    private long standing;
    private volatile boolean closed;
    private volatile @Nullable WatchedStream stream;

    public Reflector(
            ListWatch<T> listWatch,
            Store<T> cache,
            ReflectorSettings settings,
            Timers timers,
            ReflectorListener listener) {
        this.listWatch = listWatch;
        this.cache = cache;
        this.tracker = new ResourceVersionTracker<>(listWatch.name(), cache, timers::nanoTime);
        this.settings = settings;
        this.patience = settings.silence();
        this.timers = timers;
        this.listener = listener;
        this.pauses = new RetryPauses(LOG, listWatch, settings.backoff(), timers);
        this.thread =
                Thread.ofPlatform().daemon().name("nodeward-reflector-" + listWatch.name()).unstarted(this::run);
    }

    /** Does nothing once closed. */
    public void start() {
        if (!closed) {
            thread.start();
        }
    }

    /** Takes nothing more, and does not wait for that; {@link #close} is still to be called. */
    public void halt() {
        closed = true;
        WatchedStream open = stream;
        if (open != null) {
            open.halt();
        }
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
        if (thread.getState() == Thread.State.NEW) {
            return;
        }
        try {
            thread.join(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether it still takes something, or has been halted and is not through yet. */
    public boolean isAlive() {
        return thread.isAlive();
    }

    private void run() {
        try {
            while (!closed) {
                attempt();
            }
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    private void attempt() throws InterruptedException {
        try {
            round();
        } catch (ApiFailure failure) {
            check |= tracker.started() && failure instanceof ApiFailure.Unreachable;
            recover(failure);
        } catch (ResourceVersionTracker.Restored e) {
            recover(e);
        } catch (ResourceVersionTracker.Endless | WatchedStream.Silent e) {
            check |= tracker.started(); // as a watch from a version that the server does not have any more
            recover(e);
        } catch (IOException e) {
            check |= tracker.started();
            watchList = watchList && tracker.started(); // a cut during initial events: a list has pages
            // A watch that stood may be opened again: what is wrong, if anything, is what that fails with.
            recover(unreachable(e), tracker.started() && pauses.failures() == 0);
        } catch (RuntimeException | Error bug) { // nobody else would watch this kind again
            LOG.error("{}: a fault of Nodeward", listWatch.name(), bug);
            pauses.failed();
            pauses.sleep();
        }
    }

    private void round() throws IOException, InterruptedException {
        if (tracker.started() && check) {
            check();
        }
        if (tracker.started()) {
            watch(
                    ListOptions.watchFrom(listWatch.labelSelector(), tracker.resourceVersion(), watchTime()),
                    patience);
        } else if (watchList) {
            tracker.awaitInitialEvents(settings.initialSilence());
            watch(ListOptions.watchList(listWatch.labelSelector(), watchTime()), settings.initialSilence());
        } else {
            list();
        }
    }

    /** Asks for no more than the version of the list: the watch would say nothing if it were older than the watch's own. */
    private void check() throws IOException {
        tracker.check(page(ListOptions.page(listWatch.labelSelector(), 1, ""), item -> {}).resourceVersion());
        check = false;
        watchList = watchList && tracker.started();
    }

    private Duration watchTime() {
        return Timers.jittered(settings.watchFor());
    }

    private void list() throws IOException {
        tracker.awaitList();
        Set<ObjectKey> listed = new HashSet<>();
        ListPage page = new ListPage("", "");
        do {
            page = page(ListOptions.page(listWatch.labelSelector(), settings.pageSize(), page.continueToken()),
                    item -> {
                        listed.add(item.key());
                        tracker.put(item);
                    });
        } while (!page.continueToken().isEmpty());
        tracker.listed(listed, page.resourceVersion());
        watchList = watchListServed;
    }

    private ListPage page(ListOptions options, Consumer<T> items) throws IOException {
        Response response =
                listWatch.server().list(listWatch.resource(), listWatch.namespace(), listWatch.options(options));
        try (WatchedStream body = opened(response, settings.silence())) {
            return ListPage.read(body, listWatch.projection(), items);
        }
    }

    private void watch(ListOptions options, Duration silence) throws IOException, InterruptedException {
        long asked = timers.nanoTime();
        Response response =
                listWatch.server().watch(listWatch.resource(), listWatch.namespace(), listWatch.options(options));
        standing = timers.nanoTime();
        if (tracker.started()) {
            following();
        }
        try (WatchedStream body = opened(response, silence)) {
            take(body);
        } finally {
            stream = null;
            if (tracker.started() && timers.nanoTime() - standing > AT_ONCE.toNanos()) {
                pauses.succeeded();
            }
        }
        check |= tracker.started() && endedEarly(options, timers.nanoTime() - asked);
        if (timers.nanoTime() - standing < AT_ONCE.toNanos()) {
            pauses.failed(); // ended in good order, and must not be asked for in a tight loop
            pauses.sleep();
        }
    }

    private void take(WatchedStream body) throws IOException {
        WatchStream<T> events = new WatchStream<>(body, listWatch.projection());
        boolean heard = false;
        try {
            for (var event = events.next(); event.isPresent() && !closed; event = events.next()) {
                heard = true;
                boolean started = tracker.started();
                tracker.take(event.get());
                if (tracker.started()) {
                    patience = settings.silence();
                    body.patience(patience);
                }
                if (!started && tracker.started()) {
                    standing = timers.nanoTime();
                    following();
                }
            }
        } catch (WatchedStream.Silent e) {
            if (heard || !tracker.started()) {
                throw e;
            }
            beMorePatient(e);
        }
    }

    /** Ends a watch as if the server had: the kind may be a quiet one. If the connection is dead, the next request fails. */
    private void beMorePatient(WatchedStream.Silent e) {
        LOG.debug("{}: {}; watching again", listWatch.name(), e.getMessage());
        Duration longer = patience.multipliedBy(2);
        patience = longer.compareTo(settings.longestSilence()) < 0 ? longer : settings.longestSilence();
    }

    /** A server that stops, or whose etcd has been restored, ends all watches before their time, and in good order. */
    private static boolean endedEarly(ListOptions options, long nanos) {
        long seconds = options.watchTimeout().map(Duration::toSeconds).orElse(0L); // as the server is told
        return nanos < TimeUnit.SECONDS.toNanos(seconds) - AT_ONCE.toNanos();
    }

    private void following() {
        pauses.following();
        listener.following();
    }

    private WatchedStream opened(Response response, Duration silence) {
        WatchedStream body = new WatchedStream(response, silence, timers);
        stream = body;
        if (closed) {
            body.halt(); // it may go on to its end
            body.close();
        }
        return body;
    }

    /** Silence, or initial events without an end: where they were awaited, a list is asked for instead. */
    private void recover(IOException e) throws InterruptedException {
        if (tracker.started() || !watchList || closed) {
            recover(unreachable(e));
            return;
        }
        LOG.info("{}: initial events do not end ({}); listing instead", listWatch.name(), e.getMessage());
        watchList = false;
        watchListServed = watchListServed && !tracker.sawInitialEvents(); // with none, it may be the connection
    }

    private void recover(ResourceVersionTracker.Restored e) throws InterruptedException {
        LOG.atLevel(e.isConfirmed() ? Level.WARN : Level.INFO).log("{}: {}", listWatch.name(), e.getMessage());
        watchList = false;
        pauses.failed();
        pauses.sleep();
    }

    private ApiFailure unreachable(IOException e) {
        return ApiFailure.unreachable("watch of " + listWatch.name(), String.valueOf(e.getMessage()), e);
    }

    private void recover(ApiFailure failure) throws InterruptedException {
        recover(failure, failure instanceof ApiFailure.Rejected && watchList && !tracker.started()
                || failure instanceof ApiFailure.Expired && pauses.failures() == 0);
    }

    /** @param expected whether it is nothing to tell the listener of */
    private void recover(ApiFailure failure, boolean expected) throws InterruptedException {
        if (closed) {
            return;
        }
        patience = settings.silence(); // the server may be another one, or come back without the watch
        pauses.failed();
        if (!expected) {
            listener.failed(failure);
        }
        switch (failure) {
            case ApiFailure.Expired f -> {
                LOG.info("{}: {}; listing again", listWatch.name(), f.getMessage());
                tracker.startOver();
                if (pauses.failures() > 1) {
                    pauses.sleep();
                }
            }
            case ApiFailure.Rejected f when watchList && !tracker.started() -> {
                LOG.info("{}: the server does not know WatchList; listing instead", listWatch.name());
                watchList = false;
                watchListServed = false;
            }
            case ApiFailure.Rejected f -> {
                tracker.startOver(); // the same request would be refused again
                pauses.waitOut(f);
            }
            default -> pauses.waitOut(failure);
        }
    }

    /** What failed may work now: it is tried at once, should it be waited out. */
    public void wake() {
        pauses.wake();
    }
}
