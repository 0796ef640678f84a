package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.core.spi.Answer;
import io.nodeward.core.spi.Call;
import io.nodeward.core.spi.Transport;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * One API server's limit of requests in flight, and the {@code rest_client_*} meters. API servers allow 100 streams per
 * HTTP/2 connection; the JDK's client fails the 101st instead of waiting.
 */
final class GuardedTransport implements Transport {
    static final int IN_FLIGHT = 64;

    private final Transport transport;
    private final MeterRegistry registry;
    private final String host;
    private final Semaphore permits = new Semaphore(IN_FLIGHT, true);

    /** @param host tag of the meters: {@code management} or {@code workload} */
    GuardedTransport(Transport transport, MeterRegistry registry, String host) {
        this.transport = transport;
        this.registry = registry;
        this.host = host;
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
            registry.counter("rest.client.requests", "code", code, "method", call.method(), "host", host)
                    .increment();
            registry.timer("rest.client.request.duration", "verb", call.method(), "host", host)
                    .record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void close() {
        transport.close();
    }
}
