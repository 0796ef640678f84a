package io.nodeward.core.runtime.webhook;

import io.nodeward.core.runtime.https.Rollover;
import io.nodeward.core.runtime.https.ServerKey;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.time.Timers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** Has the webhooks served with the certificate that they should have. */
final class ServingCertificate {
    /** An API server has heard of a change long before. */
    static final Duration SETTLING = Duration.ofSeconds(10);

    /** Between looks at what nobody has changed: whether it is to be renewed. */
    private static final Duration LOOK = Duration.ofHours(1);
    private static final Duration UNTIL_FREE = Duration.ofSeconds(10);

    private final CertificateSource source;
    private final Rollover rollover;
    private final WebhookServer server;
    private final InstantSource clock;

    ServingCertificate(CertificateSource source, Rollover rollover, WebhookServer server, InstantSource clock) {
        this.source = source;
        this.rollover = rollover;
        this.server = server;
        this.clock = clock;
    }

    boolean isServing() {
        return server.isOpen();
    }

    Result ensure() {
        Instant now = clock.instant();
        source.current(rollover.isThere(now) || rollover.isUrgent(now)).ifPresent(rollover::aim);
        Optional<ServerKey> key = rollover.step(now);
        if (key.isEmpty()) {
            return Result.waiting("a certificate");
        }
        if (!server.show(key.get())) {
            return Result.requeueAfter(Timers.jittered(UNTIL_FREE), "the address to be free");
        }
        return Result.requeueAfter(
                rollover.left(now).orElseGet(() -> Timers.jittered(LOOK)), "the certificate to need a change");
    }
}
