package io.nodeward.core.runtime.webhook;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.core.SecretData;
import io.nodeward.api.json.Projection;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.https.KeyRing;
import io.nodeward.core.runtime.https.Rollover.Certified;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.runtime.status.LogOnce;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Patch;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate that the component issues itself and keeps in a Secret that all replicas share. The others follow the first that
 * creates it, whether or not it leads; the leader changes it. No text and no log has anything of what is in the Secret.
 */
final class SelfSignedCertificate implements CertificateSource {
    static final Duration LIFE = Duration.ofDays(90);

    private static final Logger LOG = LoggerFactory.getLogger(SelfSignedCertificate.class);
    private static final String TLS = "kubernetes.io/tls";

    private final HomeCluster home;
    private final AdmissionRegistration registration;
    private final ManagedObjects objects;
    private final InstantSource clock;
    private final LogOnce log;
    private @Nullable KeyRing last;

    SelfSignedCertificate(HomeCluster home, AdmissionRegistration registration, InstantSource clock, LogOnce log) {
        this.home = home;
        this.registration = registration;
        this.objects = registration.objects();
        this.clock = clock;
        this.log = log;
    }

    @Override
    public Optional<Certified> current(boolean renew) {
        ObjectKey key = registration.secret();
        Optional<SecretData> stored = home.read(Resources.SECRETS, Projection.SECRET_DATA, key);
        if (stored.isPresent() && !isLabelled(stored.get()) && !isManaged(key)) {
            log.warn("Secret " + key, "another owner made it, and it is left alone; name it with --"
                    + objects.component() + "-secret if the webhook is to use it");
            return Optional.empty();
        }
        // The annotation only at the start: old and new replicas of a rollout would change it in turn.
        if (stored.isPresent() && (!isLabelled(stored.get()) || last == null && !isOfService(stored.get()))) {
            stored = Optional.of(marked(key, stored.get()));
        }
        KeyRing ring = stored.isPresent() ? follow(key, stored.get(), renew) : first(key);
        log.resolved("Secret " + key);
        last = ring;
        return Optional.of(certified(ring));
    }

    @Override
    public Optional<Certified> stored() {
        ObjectKey key = registration.secret();
        try {
            return home.read(Resources.SECRETS, Projection.SECRET_DATA, key)
                    .map(secret -> certified(KeyRing.read(secret.data())));
        } catch (IllegalArgumentException unusable) {
            log.warn("Secret " + key, "it cannot be used, and the webhook waits for the leader to write it anew; if the"
                    + " leader does not serve the webhook, delete the Secret: " + unusable.getMessage());
            return Optional.empty();
        }
    }

    private static Certified certified(KeyRing ring) {
        return new Certified(ring.server(), ring.authorities());
    }

    /** Writes the labels and annotations. An annotation that cannot be written, as in a pause, does not hold up the webhook. */
    private SecretData marked(ObjectKey key, SecretData stored) {
        if (!registration.writes()) {
            LOG.info("writing the labels and annotations of Secret {} (dry run)", key);
            return stored;
        }
        try {
            SecretData labelled = labelled(stored);
            LOG.info("wrote the labels and annotations of Secret {}", key);
            return labelled;
        } catch (ApiFailure.Conflict | ApiFailure.NotLeading again) {
            throw again;
        } catch (ApiFailure failure) {
            if (!isLabelled(stored)) {
                throw failure;
            }
            LOG.warn("Secret {} keeps its annotations: {}", key, failure.getMessage());
            return stored;
        }
    }

    private boolean isLabelled(SecretData secret) {
        return objects.labelled().has(secret.metadata().labels());
    }

    /** Returns whether the component manages it, with or without labels. Only this needs the whole Secret. */
    private boolean isManaged(ObjectKey key) {
        return home.read(Resources.SECRETS, key).filter(objects::manages).isPresent();
    }

    /** Returns whether a clean-up for the present Service finds it. */
    private boolean isOfService(SecretData secret) {
        return Objects.equals(secret.metadata().annotations().get(ManagedObjects.SERVICE),
                objects.annotations().get(ManagedObjects.SERVICE));
    }

    private KeyRing first(ObjectKey key) {
        // A Secret that was deleted comes back as it was, as API servers trust that already.
        KeyRing ring = last == null ? made() : last;
        if (registration.writes()) {
            create(key, ring);
        }
        LOG.info("issued the certificate of the webhook, in Secret {}{}", key, dryRun());
        return ring;
    }

    private KeyRing follow(ObjectKey key, SecretData stored, boolean renew) {
        KeyRing ring;
        try {
            ring = KeyRing.read(stored.data());
        } catch (IllegalArgumentException e) {
            KeyRing anew = replaced(stored, last == null ? made() : last);
            LOG.warn("Secret {} could not be used and was written anew{}: {}", key, dryRun(), e.getMessage());
            return anew;
        }
        Optional<KeyRing> next = renew || last == null && !isGood(ring)
                ? ring.renewed(names(), clock.instant(), LIFE)
                : Optional.empty();
        next.ifPresent(renewed -> {
            replaced(stored, renewed);
            LOG.info("renewed what is in Secret {}{}", key, dryRun());
        });
        return next.orElse(ring);
    }

    private String dryRun() {
        return registration.writes() ? "" : " (dry run)";
    }

    /** Returns whether callers can use it. If not, the next step of a renewal loses nothing. */
    private boolean isGood(KeyRing ring) {
        return ring.server().isValid(clock.instant()) && ring.server().isFor(names());
    }

    private KeyRing made() {
        return KeyRing.made(names(), clock.instant(), LIFE);
    }

    private List<String> names() {
        return registration.serving().clientConfig().names();
    }

    /** @throws ApiFailure.AlreadyExists if another replica was quicker */
    private void create(ObjectKey key, KeyRing ring) {
        Tree secret = Tree.of(Map.of("apiVersion", "v1", "kind", "Secret", "type", TLS, "data", encoded(ring),
                "metadata", metadata(Map.of("namespace", key.namespace(), "name", key.name()), Map.of())));
        home.server().create(Resources.SECRETS, key.namespace(), Trees.written(secret), objects.fieldManager());
    }

    /** @throws ApiFailure.Conflict if it has changed since it was read */
    private SecretData labelled(SecretData read) {
        byte[] labelled = patch(read, Map.of());
        try {
            return Projection.SECRET_DATA.read(labelled);
        } catch (IOException e) {
            throw ApiFailure.unreachable("PATCH of Secret " + read.key(), "the reply is no JSON object",
                    new IOException());
        }
    }

    /** @throws ApiFailure.Conflict if another replica was quicker; the caller then reads it again */
    private KeyRing replaced(SecretData read, KeyRing ring) {
        if (registration.writes()) {
            Map<String, Object> change = encoded(ring);
            read.data().keySet().forEach(name -> change.putIfAbsent(name, Tree.ABSENT));
            patch(read, Map.of("data", change));
        }
        return ring;
    }

    private byte[] patch(SecretData read, Map<String, Object> fields) {
        Map<String, Object> patch = new TreeMap<>(fields);
        patch.put("metadata", metadata(Map.of("uid", read.metadata().uid(), "resourceVersion",
                read.metadata().resourceVersion()), read.metadata().annotations()));
        return home.server().patch(
                Resources.SECRETS, read.key(), Patch.merge(Trees.written(Tree.of(patch)), objects.fieldManager()));
    }

    /**
     * Returns the labels and annotations by which a clean-up finds it later.
     *
     * @param before its annotations until now, which may name a former Service
     */
    private Map<String, Object> metadata(Map<String, Object> more, Map<String, String> before) {
        Map<String, Object> annotations = new TreeMap<>(objects.annotations());
        if (before.containsKey(ManagedObjects.SERVICE)) {
            annotations.putIfAbsent(ManagedObjects.SERVICE, Tree.ABSENT);
        }
        Map<String, Object> metadata = new TreeMap<>(more);
        metadata.put("labels", objects.labels());
        metadata.put("annotations", annotations);
        return metadata;
    }

    private static Map<String, Object> encoded(KeyRing ring) {
        Map<String, Object> encoded = new TreeMap<>();
        ring.data().forEach((name, bytes) -> encoded.put(name, Base64.getEncoder().encodeToString(bytes)));
        return encoded;
    }
}
