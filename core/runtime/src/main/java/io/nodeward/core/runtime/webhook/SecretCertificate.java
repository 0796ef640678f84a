package io.nodeward.core.runtime.webhook;

import io.nodeward.api.core.SecretData;
import io.nodeward.api.json.Projection;
import io.nodeward.api.json.kubeconfig.PemCertificates;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.https.Rollover.Certified;
import io.nodeward.core.runtime.https.ServerKey;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.runtime.status.LogOnce;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** In a Secret that somebody else keeps, as cert-manager does. Without {@code ca.crt} API servers must trust it by themselves. */
record SecretCertificate(HomeCluster home, AdmissionRegistration registration, InstantSource clock, LogOnce log)
        implements
        CertificateSource {
    private static final byte[] NOTHING = {};

    @Override
    public Optional<Certified> current(boolean renew) {
        ObjectKey key = registration.secret();
        String what = "Secret " + key;
        Optional<SecretData> secret = home.read(Resources.SECRETS, Projection.SECRET_DATA, key);
        if (secret.isEmpty()) {
            log.warn(what, "it is not there, and the webhook waits for its certificate");
            return Optional.empty();
        }
        try {
            Certified read = read(secret.get().data());
            log.resolved(what);
            return Optional.of(read);
        } catch (IllegalArgumentException e) {
            log.warn(what, "it cannot be used, and what was there before goes on: " + e.getMessage());
            return Optional.empty();
        }
    }

    private Certified read(Map<String, byte[]> data) {
        ServerKey server = ServerKey.read(
                data.getOrDefault("tls.crt", NOTHING), data.getOrDefault("tls.key", NOTHING));
        byte[] ca = data.getOrDefault("ca.crt", NOTHING);
        List<X509Certificate> authorities = ca.length == 0 ? List.of() : PemCertificates.read("ca.crt", ca);
        check(server, authorities);
        return new Certified(server, authorities);
    }

    /** Whom no API server would believe: with it every call would fail, and with Fail nobody could write. */
    private void check(ServerKey server, List<X509Certificate> authorities) {
        String name = registration.serving().clientConfig().names().getFirst();
        if (!server.isFor(List.of(name))) {
            throw new IllegalArgumentException("tls.crt is not for " + name + ", as which it is called");
        }
        if (!server.expires().isAfter(clock.instant())) {
            throw new IllegalArgumentException("tls.crt has ended " + server.expires());
        }
        if (!authorities.isEmpty() && !server.leadsTo(authorities)) {
            throw new IllegalArgumentException("tls.crt does not lead to any of ca.crt");
        }
    }
}
