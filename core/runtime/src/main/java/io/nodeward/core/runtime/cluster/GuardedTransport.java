package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.core.runtime.metrics.ClientMeters;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.Answer;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Call;
import io.nodeward.core.spi.Transport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;

/**
 * One API server's limits, and the {@code rest_client_*} meters: so many requests in flight, and for every body that is no
 * stream a time and a size. API servers allow 100 streams per HTTP/2 connection; the JDK's client fails the 101st instead
 * of waiting. A server that sends half an answer, or one without end, costs a failure and not a worker.
 */
final class GuardedTransport implements Transport {
    static final int IN_FLIGHT = 64;
    private static final int LARGEST_BODY = 16 << 20;

    private final Transport transport;
    private final Timers timers;
    private final ClientMeters meters;
    private final Semaphore permits = new Semaphore(IN_FLIGHT, true);

    /** @param host tag of the meters: {@code management} or {@code workload} */
    GuardedTransport(Transport transport, Timers timers, MeterRegistry registry, String host) {
        this.transport = transport;
        this.timers = timers;
        this.meters = new ClientMeters(registry, host);
    }

    @Override
    public Answer exchange(Call call) {
        if (call.streaming()) {
            Answer answer = measured(call);
            return answer.status() == 200 ? answer : whole(call, answer);
        }
        permits.acquireUninterruptibly();
        try {
            return whole(call, measured(call));
        } finally {
            permits.release();
        }
    }

    private Answer measured(Call call) {
        long start = System.nanoTime();
        String code = "<error>";
        try {
            Answer answer = transport.exchange(call);
            code = Integer.toString(answer.status());
            return answer;
        } finally {
            meters.answered(call.method(), code, System.nanoTime() - start);
        }
    }

    private Answer whole(Call call, Answer answer) {
        ScheduledFuture<?> deadline =
                timers.after(call.timeout(), () -> Thread.startVirtualThread(answer::close)); // closing may block
        try (answer) {
            byte[] body = answer.body().readNBytes(LARGEST_BODY + 1);
            if (body.length > LARGEST_BODY) {
                throw new IOException("the answer is larger than " + LARGEST_BODY + " bytes");
            }
            return new Answer(answer.status(), answer.retryAfter(), new ByteArrayInputStream(body));
        } catch (IOException e) {
            String doing = call.method() + " " + call.path();
            throw ApiFailure.unreachable(doing, "the answer did not come whole: " + e.getMessage(), e);
        } finally {
            deadline.cancel(false);
        }
    }

    @Override
    public void close() {
        transport.close();
    }
}
