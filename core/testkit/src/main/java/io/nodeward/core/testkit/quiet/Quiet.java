package io.nodeward.core.testkit.quiet;

import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Options;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Waits until controllers have seen and handled all that their servers hold: every watch has delivered all changes, its
 * reader has asked for more, no request is in flight, all queued keys are reconciled, and nothing is due shortly. However
 * busy the machine is, the controllers have made every request by then, so a test may assert that there was no other.
 *
 * <p>The servers must be of {@link #options}: how far a watch has seen is known from its bookmarks.
 */
public final class Quiet {
    /** What is put off no longer than this is waited for: not that long, as time leaps. */
    private static final Duration SHORTLY = Duration.ofMillis(500);
    private static final Duration LONG = Duration.ofHours(1);
    /** A net only: a controller that never comes to rest is to fail its test, not to hold it up. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    /** Where nothing is put off, or for longer than this. */
    private static final Duration STEP = Duration.ofSeconds(5);
    private static final Duration BOOKMARKS = Duration.ofMillis(20);

    private final List<FakeApiServer> servers = new CopyOnWriteArrayList<>();
    private final List<Part> parts = new CopyOnWriteArrayList<>();
    /** Where those are that were started here or left out. */
    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private final List<String> refused = new CopyOnWriteArrayList<>();

    /** Has its watches say often how far they have seen; controllers are not shown that. */
    public static Options options(Options of) {
        return of.withBookmarkEvery(BOOKMARKS);
    }

    /** Starts a server whose changes have to be seen by those that watch it. */
    public FakeApiServer start(Options options) {
        FakeApiServer server = FakeApiServer.start(options(options));
        servers.add(server);
        known.add(server.url());
        return server;
    }

    /** What this server holds need not be seen any more: it is down, or lets nobody watch, or was not started here. */
    public void leaveOut(FakeApiServer server) {
        servers.remove(server);
        known.add(server.url());
    }

    /** No watch of {@code resource} is let in any more; those of others count as before. */
    public void leaveOut(String resource) {
        refused.add("/" + resource + "?");
    }

    /** One more controller; it counts until it is closed. */
    public Part part() {
        Part part = new Part(parts::remove);
        parts.add(part);
        return part;
    }

    /** Waits until nothing is left to do now or shortly. */
    public void await() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        for (Optional<String> busy = busy(); busy.isPresent(); busy = busy()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not quiet within " + PATIENCE.toSeconds() + " s: " + busy.get());
            }
            pause();
        }
    }

    /** From now on time passes for the controllers only when all that does not wait for it is done. */
    public void holdTime() {
        parts.forEach(Part::hold);
    }

    /** Lets so much time pass for the controllers at once. What that brings about is to be waited for. */
    public void pass(Duration length) {
        parts.forEach(part -> part.leap(length));
    }

    /** Lets as much time pass for the controllers, at once, as it takes until this is so; each time all is quiet. */
    public void passUntil(Callable<Boolean> isSo) {
        await();
        Duration passed = Duration.ZERO;
        while (!asked(isSo)) {
            if (passed.compareTo(LONG) > 0) {
                throw new AssertionError("not so when an hour has passed for the controllers");
            }
            Duration step = next().filter(due -> due.compareTo(STEP) < 0).map(Quiet::positive).orElse(STEP);
            pass(step);
            passed = passed.plus(step);
            await();
        }
    }

    /** None, if it is running already. */
    private static Duration positive(Duration due) {
        return due.isPositive() ? due : Duration.ZERO;
    }

    private static boolean asked(Callable<Boolean> isSo) {
        try {
            return isSo.call();
        } catch (Exception e) {
            throw new AssertionError("cannot be asked", e);
        }
    }

    /** Whether nothing is put off for less than {@code time}: to be asked once it is quiet. */
    public boolean restsFor(Duration time) {
        return next().filter(due -> due.compareTo(time) <= 0).isEmpty();
    }

    private Optional<Duration> next() {
        return parts.stream().flatMap(part -> part.next().stream()).min(Comparator.naturalOrder());
    }

    private static void pause() {
        try {
            Thread.sleep(2);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /**
     * What goes on; empty if nothing does. One look after the other says no, and counters that only grow say that in
     * between nothing began: so there was a moment at which all of them were right.
     */
    private Optional<String> busy() {
        List<Long> before = counters();
        parts.stream().flatMap(Part::servers).filter(url -> !known.contains(url)).findFirst().ifPresent(url -> {
            throw new AssertionError(url + " is connected, and neither started here nor left out");
        });
        for (Part part : parts) {
            Optional<String> busy = part.busy(servers, refused);
            if (busy.isPresent()) {
                return busy;
            }
        }
        if (Readers.living().stream().anyMatch(reader -> parts.stream().noneMatch(part -> part.knows(reader)))) {
            return Optional.of("a watch is going to be asked for");
        }
        if (!restsFor(SHORTLY)) {
            pass(next().map(Quiet::positive).orElse(Duration.ZERO));
            return Optional.of("something is put off for a short while");
        }
        return counters().equals(before) ? Optional.empty() : Optional.of("something has just begun");
    }

    private List<Long> counters() {
        List<Long> all = new ArrayList<>();
        servers.forEach(server -> all.add(server.resourceVersion()));
        parts.forEach(part -> all.addAll(part.counters()));
        return all;
    }
}
