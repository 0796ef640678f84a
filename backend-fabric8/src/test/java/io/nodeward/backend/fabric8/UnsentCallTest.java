package io.nodeward.backend.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Failures of the JDK's client, in its words. */
class UnsentCallTest {
    @ParameterizedTest
    @CsvSource({
            "too many concurrent streams, true",
            "closed, true",
            "Received RST_STREAM: Stream not processed, true",
            "Received RST_STREAM: Protocol error, true",
            "Received RST_STREAM: Internal error, false", // the server may have begun
            "Received RST_STREAM: Stream cancelled, false",
            "Connection reset, false"})
    void a_call_counts_as_not_sent_only_if_the_server_has_not_looked_at_it(String message, boolean unsent) {
        for (Throwable failure : new Throwable[]{new IOException(message),
                new CompletionException(new IOException("connection failed", new IOException(message)))}) {
            assertThat(Fabric8Transport.isUnsent(CompletableFuture.failedFuture(failure))).isEqualTo(unsent);
        }
    }
}
