package io.nodeward.core.testkit;

import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;

/** For what decides without a request: each one fails the test. */
public final class UnaskedServer implements Transport {
    @Override
    public Response exchange(Request call) {
        throw new AssertionError("nobody may be asked: " + call);
    }

    @Override
    public void close() {}
}
