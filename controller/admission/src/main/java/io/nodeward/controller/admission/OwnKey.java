package io.nodeward.controller.admission;

import io.nodeward.api.core.SecretData;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.https.KeyRing;
import io.nodeward.core.runtime.https.Rollover.Certified;
import io.nodeward.core.spi.ApiFailure;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Issued by ourselves, and kept in a Secret that all replicas share: whoever writes it first is followed by the others.
 */
final class OwnKey implements KeySource {
    static final Duration LIFE = Duration.ofDays(90);

    private static final Logger LOG = LoggerFactory.getLogger(OwnKey.class);

    private final Secrets secrets;
    private final AdmissionSettings settings;
    private final InstantSource clock;
    private final Said said;
    private @Nullable KeyRing last;

    OwnKey(Secrets secrets, AdmissionSettings settings, InstantSource clock, Said said) {
        this.secrets = secrets;
        this.settings = settings;
        this.clock = clock;
        this.said = said;
    }

    @Override
    public Optional<Certified> current(boolean renew) {
        ObjectKey key = settings.secret();
        Optional<SecretData> stored = secrets.find(key);
        if (stored.isPresent() && !bearsLabels(stored.get()) && secrets.isOurs(key, settings.own())) {
            LOG.info("putting the labels back on Secret {}", key);
            stored = settings.writes() ? Optional.of(secrets.label(stored.get(), settings.own().labels())) : stored;
        } else if (stored.isPresent() && !bearsLabels(stored.get())) {
            said.warn("Secret " + key, "it is somebody else's and is left alone; name it with --admission-secret if the"
                    + " webhook is to use it");
            return Optional.empty();
        }
        KeyRing ring = stored.isPresent() ? follow(key, stored.get(), renew) : first(key);
        said.over("Secret " + key);
        last = ring;
        return Optional.of(new Certified(ring.server(), ring.authorities()));
    }

    private boolean bearsLabels(SecretData secret) {
        return secret.metadata().labels().entrySet().containsAll(settings.own().labels().entrySet());
    }

    private KeyRing first(ObjectKey key) {
        // One that was deleted comes back as it was: it is trusted already.
        KeyRing ring = last == null ? made() : last;
        LOG.info("issuing the certificate of the webhook, in Secret {}", key);
        if (settings.writes()) {
            secrets.create(key, settings.own().labels(), ring.data());
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
        if (settings.writes()) {
            secrets.replace(stored, settings.own().labels(), ring.data());
        }
        return ring;
    }

    private KeyRing made() {
        return KeyRing.made(names(), clock.instant(), LIFE);
    }

    private List<String> names() {
        return settings.config().service.names();
    }
}
