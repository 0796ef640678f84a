package io.nodeward.core.runtime.https;

import io.nodeward.api.json.kubeconfig.PemCertificates;
import io.nodeward.api.json.kubeconfig.PemKey;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A server's key with the authority that certified it, kept in a Secret that all replicas share. It is renewed in steps:
 * after each, callers have to get the authorities to trust before the next one is made, and then no call is lost.
 */
public final class KeyRing {
    private static final int AUTHORITY_LIVES = 10;

    private final Authority signing;
    /** Will certify from the next key on, and is trusted already. */
    private final Optional<Authority> next;
    private final List<X509Certificate> trusted;
    private final ServerKey server;

    private KeyRing(
            Authority signing, Optional<Authority> next, List<X509Certificate> trusted, ServerKey server) {
        this.signing = signing;
        this.next = next;
        this.trusted = List.copyOf(trusted);
        this.server = server;
    }

    /**
     * Makes a key and its authority.
     *
     * @param names DNS names and IP addresses under which the server is reached
     * @param life of a server's certificate
     */
    public static KeyRing made(List<String> names, Instant now, Duration life) {
        Authority authority = Authority.made(now, life.multipliedBy(AUTHORITY_LIVES));
        return new KeyRing(authority, Optional.empty(), List.of(authority.certificate()),
                authority.server(names, now, life));
    }

    /**
     * Returns the next step; empty if none is due. A step is also due if the server has other names now, or if the clock was set back
     * and a certificate is not valid yet.
     */
    public Optional<KeyRing> renewed(List<String> names, Instant now, Duration life) {
        boolean ends = signing.isEarly(now) || now.isAfter(signing.expires().minus(life.multipliedBy(2)));
        if (ends && next.isEmpty()) {
            Authority successor = Authority.made(now, life.multipliedBy(AUTHORITY_LIVES));
            return Optional.of(new KeyRing(signing, Optional.of(successor),
                    List.of(signing.certificate(), successor.certificate()), server));
        }
        if (!isDue(now) && server.isFor(names)) {
            return Optional.empty();
        }
        // The one before stays trusted until the next key: what it certified may still be shown somewhere.
        Authority certifying = next.orElse(signing);
        List<X509Certificate> both = new ArrayList<>(List.of(certifying.certificate()));
        next.ifPresent(successor -> both.add(signing.certificate()));
        return Optional.of(new KeyRing(certifying, Optional.empty(), both, certifying.server(names, now, life)));
    }

    /** Returns whether the server's certificate is over two thirds of its life, or not valid yet. */
    private boolean isDue(Instant now) {
        Instant from = server.chain().getFirst().getNotBefore().toInstant();
        return server.isEarly(now)
                || now.isAfter(from.plus(Duration.between(from, server.expires()).multipliedBy(2).dividedBy(3)));
    }

    public ServerKey server() {
        return server;
    }

    /** For a {@code caBundle}. */
    public List<X509Certificate> authorities() {
        return trusted;
    }

    /** Data of a Secret of type {@code kubernetes.io/tls}. */
    public Map<String, byte[]> data() {
        Map<String, byte[]> data = new TreeMap<>();
        data.put("tls.crt", bytes(PemCertificates.written(server.chain())));
        data.put("tls.key", bytes(PemKey.written(server.key())));
        data.put("ca.crt", bytes(PemCertificates.written(trusted)));
        data.put("ca.key", bytes(PemKey.written(signing.key())));
        next.ifPresent(authority -> data.put("next.key", bytes(PemKey.written(authority.key()))));
        return data;
    }

    /**
     * Reads it from a Secret's data.
     *
     * @throws IllegalArgumentException saying what is missing or wrong, without anything of what is in it
     */
    public static KeyRing read(Map<String, byte[]> data) {
        List<X509Certificate> trusted = PemCertificates.read("ca.crt", part(data, "ca.crt"));
        Optional<Authority> next = data.containsKey("next.key")
                ? Optional.of(authority("next.key", data, trusted))
                : Optional.empty();
        return new KeyRing(authority("ca.key", data, trusted), next, trusted,
                ServerKey.read(part(data, "tls.crt"), part(data, "tls.key")));
    }

    private static Authority authority(String name, Map<String, byte[]> data, List<X509Certificate> trusted) {
        PrivateKey key = PemKey.read(name, part(data, name));
        return trusted.stream()
                .filter(certificate -> ServerKey.belongs(key, certificate.getPublicKey()))
                .findFirst()
                .map(certificate -> new Authority(key, certificate))
                .orElseThrow(() -> new IllegalArgumentException(name + " is the key of no certificate in ca.crt"));
    }

    private static byte[] part(Map<String, byte[]> data, String name) {
        byte[] part = data.get(name);
        if (part == null) {
            throw new IllegalArgumentException(name + " is missing");
        }
        return part;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
