package io.nodeward.core.runtime.cluster;

import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.metrics.ClientMeters;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transport with the limits of one API server and the {@code rest_client_*} meters. It limits the requests in flight, and the time
 * and size of each body that is no stream. API servers allow 100 streams per HTTP/2 connection; the JDK's client fails the 101st instead
 * of waiting. A server that sends half an answer, or one without end, costs a failure and not a worker. While the process is
 * paused, or another one leads, it sends nothing but GETs and reviews; while another one leads, also dry runs and new certificates of
 * its webhooks.
 */
final class GuardedTransport implements Transport {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedTransport.class);
    /** The bytes up to which any number of bodies may be in memory. Of larger ones, one may. */
    private static final int COMMON_BODY = 128 << 10;
    private static final Pattern CERTIFICATES =
            Pattern.compile("^/api/v1/namespaces/[^/]+/secrets\\?(.*&)?fieldManager=nodeward-");
    private static final Pattern DRY_RUN = Pattern.compile("[?&]dryRun=All(&|$)");

    private final Transport transport;
    private final Timers timers;
    private final ClientMeters meters;
    private final Semaphore permits;
    private final Semaphore large = new Semaphore(1);
    private final Limits limits;
    private final RequestObserver observer;
    private final WritePause pause;
    private final Leadership leadership;

    /**
     * The limits of what one server may cost.
     *
     * @param inFlight calls at a time, streams apart
     * @param largestBody bytes of an answer that is no stream
     * @param reads GETs over time
     */
    record Limits(int inFlight, int largestBody, ReadBudget reads) {}

    /**
     * @param observer which is called at the end of each call
     * @param pause of all that changes anything on the server
     * @param leadership without which nothing is changed there
     */
    GuardedTransport(
            Transport transport,
            Timers timers,
            ClientMeters meters,
            Limits limits,
            RequestObserver observer,
            WritePause pause,
            Leadership leadership) {
        this.transport = transport;
        this.timers = timers;
        this.meters = meters;
        this.permits = new Semaphore(limits.inFlight(), true);
        this.limits = limits;
        this.observer = observer;
        this.pause = pause;
        this.leadership = leadership;
    }

    @Override
    public Response exchange(Request request) {
        budget(request);
        if (request.streaming()) {
            Response response = measured(request);
            return response.status() == 200 ? response : whole(request, response);
        }
        permits.acquireUninterruptibly();
        try {
            return whole(request, measured(request));
        } finally {
            permits.release();
        }
    }

    private void budget(Request request) {
        if (request.method().equals("GET")) {
            try {
                limits.reads().take();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw ApiFailure.unreachable("GET " + request.path(), "interrupted", e);
            }
        }
    }

    /**
     * Checks, last before the request is sent, that it may be: a pause may have begun, or the leadership ended, while it waited for
     * a permit.
     */
    private void checkWrite(Request request) {
        if (request.method().equals("GET") || isReview(request)) {
            return;
        }
        String doing = request.method() + " " + request.path();
        if (!isNewCertificate(request) && !DRY_RUN.matcher(request.path()).find()) {
            leadership.check(doing);
        }
        boolean saysWhy = pause.unreadable().isPresent() && MissingRights.isReport(request);
        if (!saysWhy) {
            pause.check(doing);
        }
    }

    /** Returns whether the server answers the request and stores nothing. */
    private static boolean isReview(Request request) {
        return request.method().equals("POST") && (request.path().startsWith("/apis/authentication.k8s.io/")
                || request.path().startsWith("/apis/authorization.k8s.io/"));
    }

    /**
     * Returns whether the request creates the Secret that all replicas of a webhook share. The first that needs it does: the leader
     * may be of an older version that does not serve the webhook, and ends only when a replica that does is ready.
     */
    private static boolean isNewCertificate(Request request) {
        return request.method().equals("POST") && CERTIFICATES.matcher(request.path()).find();
    }

    private Response measured(Request request) {
        checkWrite(request);
        long start = timers.nanoTime();
        boolean answered = false;
        try {
            Response response = transport.exchange(request);
            answered = true;
            meters.answered(request.method(), response.status(), timers.nanoTime() - start);
            observer.answered(response.status());
            return response;
        } catch (ApiFailure failure) {
            observer.unanswered();
            throw failure;
        } finally {
            if (!answered) {
                meters.unanswered(request.method(), timers.nanoTime() - start);
            }
        }
    }

    private Response whole(Request request, Response response) {
        ScheduledFuture<?> deadline = timers.after(request.timeout(), () -> abandon(response));
        try (response) {
            InputStream body = read(response.body());
            return new Response(response.status(), response.retryAfter(), body);
        } catch (IOException e) {
            observer.unanswered();
            String doing = request.method() + " " + request.path();
            throw ApiFailure.unreachable(doing, "the answer did not come whole: " + e.getMessage(), e);
        } finally {
            deadline.cancel(false);
        }
    }

    /** Has the reader of the answer fail. Another thread closes it, as closing may block and timers must not. */
    private static void abandon(Response response) {
        Thread.ofVirtual().name("nodeward-deadline").start(() -> {
            try {
                response.close();
            } catch (UncheckedIOException e) {
                LOG.debug("an answer that was given up failed to close", e);
            }
        });
    }

    private InputStream read(InputStream body) throws IOException {
        int common = Math.min(COMMON_BODY, limits.largestBody());
        byte[] start = body.readNBytes(common + 1);
        if (start.length <= common) {
            return new ByteArrayInputStream(start);
        }
        large.acquireUninterruptibly(); // the time of each call runs on meanwhile
        try {
            byte[] rest = body.readNBytes(limits.largestBody() + 1 - start.length);
            if (start.length + rest.length > limits.largestBody()) {
                throw new IOException("the answer is larger than " + limits.largestBody() + " bytes");
            }
            return new SequenceInputStream(new ByteArrayInputStream(start), new ByteArrayInputStream(rest));
        } finally {
            large.release();
        }
    }

    @Override
    public void close() {
        transport.close();
    }
}
