package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.core.runtime.metrics.ClientMeters;
import io.nodeward.core.spi.Answer;
import io.nodeward.core.spi.Call;
import io.nodeward.core.spi.Transport;
import java.util.concurrent.Semaphore;

/**
 * One API server's limit of requests in flight, and the {@code rest_client_*} meters. API servers allow 100 streams per
 * HTTP/2 connection; the JDK's client fails the 101st instead of waiting.
 */
final class GuardedTransport implements Transport {
    static final int IN_FLIGHT = 64;

    private final Transport transport;
    private final ClientMeters meters;
    private final Semaphore permits = new Semaphore(IN_FLIGHT, true);

    /** @param host tag of the meters: {@code management} or {@code workload} */
    GuardedTransport(Transport transport, MeterRegistry registry, String host) {
        this.transport = transport;
        this.meters = new ClientMeters(registry, host);
    }

    @Override
    public Answer exchange(Call call) {
        if (call.streaming()) {
            return measured(call);
        }
        permits.acquireUninterruptibly();
        try {
            return measured(call);
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

    @Override
    public void close() {
        transport.close();
    }
}
