package io.nodeward.controller.app;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import io.nodeward.core.runtime.https.KeyRing;
import io.nodeward.core.runtime.https.ReloadingKeyManager;
import io.nodeward.core.runtime.https.ServerKey;
import io.nodeward.core.runtime.status.LogOnce;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;

/** TLS of the metrics address: with the certificate of a directory, which may be replaced, or with one that the process makes. */
final class MetricsTls extends HttpsConfigurator {
    private static final String OPTION = "--metrics-cert-dir";
    private static final Duration LIFE = Duration.ofDays(365);
    private static final long PAUSE = Duration.ofSeconds(10).toNanos();

    private final ReloadingKeyManager keys;
    private final Optional<Path> directory;
    private final InstantSource clock;
    private final LogOnce log = new LogOnce(LoggerFactory.getLogger(MetricsTls.class));
    private final LongSupplier nanos;
    private long looked;

    private MetricsTls(ReloadingKeyManager keys, Optional<Path> directory, InstantSource clock,
            LongSupplier nanos) {
        super(keys.context());
        this.keys = keys;
        this.directory = directory;
        this.clock = clock;
        this.nanos = nanos;
        this.looked = nanos.getAsLong();
    }

    /**
     * @param nanos has no jumps: how often the directory is read must not depend on a clock that may be set back
     * @throws IOException naming the option, if the directory has no certificate that can be used
     */
    static MetricsTls of(Optional<Path> directory, InstantSource clock, LongSupplier nanos) throws IOException {
        ServerKey first = directory.isPresent() ? read(directory.get()) : made(clock.instant());
        return new MetricsTls(new ReloadingKeyManager(first), directory, clock, nanos);
    }

    private static ServerKey made(Instant now) {
        return KeyRing.made(List.of("localhost"), now, LIFE).server();
    }

    private static ServerKey read(Path directory) throws IOException {
        try {
            return ServerKey.read(Files.readAllBytes(directory.resolve("tls.crt")),
                    Files.readAllBytes(directory.resolve("tls.key")));
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException(OPTION + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void configure(HttpsParameters parameters) {
        renew();
        super.configure(parameters);
    }

    private synchronized void renew() {
        long now = nanos.getAsLong();
        if (now - looked < PAUSE) {
            return;
        }
        looked = now;
        try {
            ServerKey next = next(clock.instant());
            if (!next.equals(keys.get())) {
                keys.change(next);
            }
            log.resolved(OPTION);
        } catch (IOException e) {
            log.warn(OPTION, e.getMessage() + "; the certificate before it is shown");
        }
    }

    private ServerKey next(Instant now) throws IOException {
        if (directory.isPresent()) {
            return read(directory.get());
        }
        return keys.get().isValid(now.plus(LIFE.dividedBy(3))) ? keys.get() : made(now);
    }
}
