package io.nodeward.core.spi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * The answer to a {@link Request}: status, and a body that streams. Closing it while another thread reads ends that read
 * with an IOException and gives the connection back.
 *
 * @param retryAfter value of the header, if sent
 * @param body never null; plain bytes, any content encoding already undone
 */
public record Response(int status, Optional<String> retryAfter, InputStream body) implements AutoCloseable {
    @Override
    public void close() {
        try {
            body.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
