package io.nodeward.core.runtime.cluster;

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
    private static final int LARGEST_BODY = 16 << 20;

    private final Transport transport;
    private final Timers timers;
    private final ClientMeters meters;
    private final Semaphore permits;
    private final ReadBudget reads;
    private final CallObserver observer;

    /**
     * @param inFlight calls at a time, streams apart
     * @param observer told of each call's end
     */
    GuardedTransport(
            Transport transport,
            Timers timers,
            ClientMeters meters,
            int inFlight,
            ReadBudget reads,
            CallObserver observer) {
        this.transport = transport;
        this.timers = timers;
        this.meters = meters;
        this.permits = new Semaphore(inFlight, true);
        this.reads = reads;
        this.observer = observer;
    }

    @Override
    public Answer exchange(Call call) {
        budget(call);
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

    private void budget(Call call) {
        if (call.method().equals("GET")) {
            try {
                reads.take();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw ApiFailure.unreachable("GET " + call.path(), "interrupted", e);
            }
        }
    }

    private Answer measured(Call call) {
        long start = System.nanoTime();
        String code = "<error>";
        try {
            Answer answer = transport.exchange(call);
            code = Integer.toString(answer.status());
            observer.answered(answer.status());
            return answer;
        } catch (ApiFailure failure) {
            observer.unanswered();
            throw failure;
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
            observer.unanswered();
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
