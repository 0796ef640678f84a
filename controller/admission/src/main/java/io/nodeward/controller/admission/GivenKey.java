package io.nodeward.controller.admission;

import io.nodeward.api.core.SecretData;
import io.nodeward.api.json.kubeconfig.PemCertificates;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.https.Rollover.Certified;
import io.nodeward.core.runtime.https.ServerKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** In a Secret that somebody else keeps, as cert-manager does. Without {@code ca.crt} API servers must trust it by themselves. */
final class GivenKey implements KeySource {
    private static final byte[] NOTHING = {};

    private final Secrets secrets;
    private final ObjectKey key;
    private final Said said;

    GivenKey(Secrets secrets, ObjectKey key, Said said) {
        this.secrets = secrets;
        this.key = key;
        this.said = said;
    }

    @Override
    public Optional<Certified> current(boolean renew) {
        String what = "Secret " + key;
        Optional<SecretData> secret = secrets.find(key);
        if (secret.isEmpty()) {
            said.warn(what, "it is not there, and the webhook waits for its certificate");
            return Optional.empty();
        }
        try {
            Certified read = read(secret.get().data());
            said.over(what);
            return Optional.of(read);
        } catch (IllegalArgumentException e) {
            said.warn(what, "it cannot be used, and what was there before goes on: " + e.getMessage());
            return Optional.empty();
        }
    }

    private static Certified read(Map<String, byte[]> data) {
        ServerKey server = ServerKey.read(
                data.getOrDefault("tls.crt", NOTHING), data.getOrDefault("tls.key", NOTHING));
        byte[] authorities = data.getOrDefault("ca.crt", NOTHING);
        return new Certified(
                server, authorities.length == 0 ? List.of() : PemCertificates.read("ca.crt", authorities));
    }
}
