package io.nodeward.core.runtime.status;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.core.Event;
import io.nodeward.api.json.Bodies;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.time.Backoff;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.runtime.time.WriteLimiter;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Resource;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warning Events on objects of the management cluster, one for each message, however often it is written. Their
 * names come from what they say, so that a restarted controller says nothing twice. Written in the background, tried
 * again while the server does not answer, and held back while the process is paused; an Event that is refused is logged and given
 * up. A process that does not lead writes none. A hostile server may word each refusal anew, so one object gets at most 25
 * Events in two hours, and no namespace fills the queue.
 */
public final class EventRecorder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);
    private static final Resource EVENTS = new Resource("", "v1", "events", true);
    private static final String COMPONENT = "nodeward";
    private static final int LONGEST_MESSAGE = 1024;
    /** What ends a line, commands a terminal or turns the direction of writing. */
    private static final Pattern UNSEEN =
            Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]");
    private static final int TRIES = 6;
    /** The number of Events that wait. One namespace may take half of the places that others do not use. */
    private static final int MOST_PENDING = 1000;
    private static final int MOST_OF_OBJECT = 25;
    private static final Duration WINDOW = Duration.ofHours(2);
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(10));
    /** The length of the object's name in that of the Event, which ends in a dot and 16 digits and has at most 253 characters. */
    private static final int LONGEST_NAME = 253 - 17;

    private final ApiServer server;
    private final InstantSource clock;
    private final Timers timers;
    private final boolean writes;
    private final BlockingQueue<Event> pending = new ArrayBlockingQueue<>(MOST_PENDING);
    /** The number of pending Events in each namespace that has any. */
    private final Map<String, Integer> ofNamespaces = new ConcurrentHashMap<>();
    private final WriteLimiter<String, Boolean> limiter;
    /** How many are pending or in hand. */
    private final AtomicInteger unwritten = new AtomicInteger();
    private final Thread writer = Thread.ofVirtual().name("nodeward-events").unstarted(this::write);

    /** @param writes false: only log */
    public EventRecorder(
            ApiServer server, InstantSource clock, Timers timers, boolean writes, MeterRegistry registry) {
        this.server = server;
        this.clock = clock;
        this.timers = timers;
        this.writes = writes;
        this.limiter = new WriteLimiter<>(MOST_OF_OBJECT, WINDOW, WINDOW, timers::nanoTime);
        Gauge.builder("nodeward.events.pending", unwritten, AtomicInteger::get)
                .description("Events that are neither written nor given up").register(registry);
        if (writes) {
            writer.start();
        }
    }

    /** @param text of which the first 1024 characters are logged and written */
    public void warn(Event.Regarding regarding, String reason, String text) {
        String message = shortened(text);
        LOG.atWarn().addKeyValue(regarding.kind(), regarding.key()).addKeyValue("reason", reason).log(message);
        String namespace = regarding.key().namespace().isEmpty() ? "default" : regarding.key().namespace();
        String object = regarding.key().name();
        String name = object.substring(0, Math.min(object.length(), LONGEST_NAME)).replaceFirst("[-.]+$", "") + "."
                + HexFormat.of().toHexDigits(
                        (31L * reason.hashCode() + regarding.uid().hashCode()) << 32
                                | message.hashCode() & 0xffffffffL);
        Event event = new Event(
                new ObjectKey(namespace, name), regarding, Event.WARNING, reason, message, COMPONENT, clock.instant());
        if (writes) {
            offer(event);
        }
    }

    private static String object(Event event) {
        return event.regarding().kind() + " " + event.regarding().key() + " " + event.regarding().uid();
    }

    private void offer(Event event) {
        String namespace = event.regarding().key().namespace();
        int all = unwritten.incrementAndGet();
        int own = ofNamespaces.merge(namespace, 1, Integer::sum);
        if (own > (MOST_PENDING - (all - own)) / 2 || !pending.offer(event)) {
            ended(namespace);
            LOG.atWarn().addKeyValue("reason", event.reason()).log("too many Events wait; this one is only in the log");
        }
    }

    /** An Event of this namespace is neither pending nor in hand any more. */
    private void ended(String namespace) {
        unwritten.decrementAndGet();
        ofNamespaces.computeIfPresent(namespace, (name, count) -> count == 1 ? null : count - 1);
    }

    /** Returns whether all that was reported has been written, dropped or given up. */
    public boolean isIdle() {
        return unwritten.get() == 0;
    }

    static String shortened(String text) {
        String message =
                UNSEEN.matcher(text.substring(0, Math.min(text.length(), LONGEST_MESSAGE + 1))).replaceAll(" ");
        if (message.length() <= LONGEST_MESSAGE) {
            return message;
        }
        int end = LONGEST_MESSAGE - 1;
        // An Event with half a pair of surrogates cannot be written.
        return message.substring(0, Character.isHighSurrogate(message.charAt(end - 1)) ? end - 1 : end) + "…";
    }

    private void write() {
        try {
            while (true) {
                Event event = pending.take();
                if (limiter.hold(object(event), true).isEmpty()) {
                    write(event);
                }
                ended(event.regarding().key().namespace());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(Event event) throws InterruptedException {
        for (int tries = 1; tries <= TRIES;) {
            try {
                server.create(EVENTS, event.key().namespace(), Bodies.event(event), COMPONENT);
                limiter.count(object(event), true);
                return;
            } catch (ApiFailure.AlreadyExists saidBefore) {
                return;
            } catch (ApiFailure.Throttled busy) {
                waitAfter(tries++, busy.retryAfter().orElse(Duration.ZERO));
            } catch (ApiFailure.Unreachable failure) {
                waitAfter(tries++, Duration.ZERO);
            } catch (ApiFailure.NotLeading standby) { // another process leads, and reports it
                LOG.debug("Event {} is left to the leader: {}", event.reason(), standby.getMessage());
                return;
            } catch (ApiFailure.Paused paused) {
                awaitEnd(paused);
            } catch (RuntimeException | Error failure) { // no other Event is to be lost for this one
                LOG.warn("Event {} not written: {}", event.reason(), failure.getMessage());
                return;
            }
        }
        LOG.warn("Event {} not written in {} tries", event.reason(), TRIES);
    }

    private void waitAfter(int tries, Duration atLeast) throws InterruptedException {
        if (tries < TRIES) {
            timers.sleep(BACKOFF.delay(tries).plus(atLeast));
        }
    }

    private static void awaitEnd(ApiFailure.Paused paused) throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        paused.whenOver(over::countDown);
        over.await();
    }

    @Override
    public void close() {
        writer.interrupt();
    }
}
