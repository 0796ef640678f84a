package io.nodeward.core.runtime.webhook;

import io.nodeward.api.core.SecretData;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.https.KeyRing;
import io.nodeward.core.runtime.https.Rollover.Certified;
import io.nodeward.core.runtime.status.LogOnce;
import io.nodeward.core.spi.ApiFailure;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Issued by the component itself, and kept in a Secret that all replicas share: the others follow the first that writes it.
 */
final class SelfSignedCertificate implements CertificateSource {
    static final Duration LIFE = Duration.ofDays(90);

    private static final Logger LOG = LoggerFactory.getLogger(SelfSignedCertificate.class);

    private final Secrets secrets;
    private final AdmissionRegistration registration;
    private final InstantSource clock;
    private final LogOnce log;
    private @Nullable KeyRing last;

    SelfSignedCertificate(
            Secrets secrets,
            AdmissionRegistration registration,
            InstantSource clock,
            LogOnce log) {
        this.secrets = secrets;
        this.registration = registration;
        this.clock = clock;
        this.log = log;
    }

    @Override
    public Optional<Certified> current(boolean renew) {
        ObjectKey key = registration.secret();
        Optional<SecretData> stored = secrets.find(key);
        if (stored.isPresent() && !isLabelled(stored.get()) && !secrets.isManaged(key)) {
            log.warn("Secret " + key, "it is somebody else's and is left alone; name it with --"
                    + registration.objects().component() + "-secret if the webhook is to use it");
            return Optional.empty();
        }
        // The annotation only at the start: old and new replicas of a rollout would change it in turn.
        if (stored.isPresent() && (!isLabelled(stored.get()) || last == null && !isOfService(stored.get()))) {
            LOG.info("putting the labels and annotations back on Secret {}", key);
            stored = registration.writes() ? Optional.of(secrets.label(stored.get())) : stored;
        }
        KeyRing ring = stored.isPresent() ? follow(key, stored.get(), renew) : first(key);
        log.resolved("Secret " + key);
        last = ring;
        return Optional.of(new Certified(ring.server(), ring.authorities()));
    }

    private boolean isLabelled(SecretData secret) {
        return registration.objects().labelled().has(secret.metadata().labels());
    }

    /** Whether what cleans up where the webhook is reached now finds it. */
    private boolean isOfService(SecretData secret) {
        return Objects.equals(secret.metadata().annotations().get(ManagedObjects.SERVICE),
                registration.objects().annotations().get(ManagedObjects.SERVICE));
    }

    private KeyRing first(ObjectKey key) {
        // One that was deleted comes back as it was: it is trusted already.
        KeyRing ring = last == null ? made() : last;
        LOG.info("issuing the certificate of the webhook, in Secret {}", key);
        if (registration.writes()) {
            secrets.create(key, ring.data());
        }
        return ring;
    }

    private KeyRing follow(ObjectKey key, SecretData stored, boolean renew) {
        KeyRing ring;
        try {
            ring = KeyRing.read(stored.data());
        } catch (IllegalArgumentException e) {
            LOG.warn("Secret {} cannot be used and is written anew: {}", key, e.getMessage());
            return replaced(stored, last == null ? made() : last);
        }
        Optional<KeyRing> next = renew || last == null && !isGood(ring)
                ? ring.renewed(names(), clock.instant(), LIFE)
                : Optional.empty();
        next.ifPresent(renewed -> LOG.info("renewing what is in Secret {}", key));
        return next.isPresent() ? replaced(stored, next.get()) : ring;
    }

    /** Of no use to callers as it is, so that nothing is lost by the next step. */
    private boolean isGood(KeyRing ring) {
        return ring.server().expires().isAfter(clock.instant()) && ring.isFor(names());
    }

    /** @throws ApiFailure.Conflict if another replica was quicker: then it is looked at again */
    private KeyRing replaced(SecretData stored, KeyRing ring) {
        if (registration.writes()) {
            secrets.replace(stored, ring.data());
        }
        return ring;
    }

    private KeyRing made() {
        return KeyRing.made(names(), clock.instant(), LIFE);
    }

    private List<String> names() {
        return registration.serving().clientConfig().names();
    }
}
