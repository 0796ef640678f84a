package io.nodeward.core.runtime.https;

import io.nodeward.api.json.kubeconfig.Der;
import io.nodeward.api.json.kubeconfig.Pem;
import io.nodeward.api.json.kubeconfig.PemCertificates;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Signs the certificates of one service; keys are P-256. */
record Authority(PrivateKey key, X509Certificate certificate) {
    private static final String ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
    private static final String COMMON_NAME = "2.5.4.3";
    private static final String BASIC_CONSTRAINTS = "2.5.29.19";
    private static final String KEY_USAGE = "2.5.29.15";
    private static final String EXTENDED_KEY_USAGE = "2.5.29.37";
    private static final String SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
    private static final String ALTERNATIVE_NAMES = "2.5.29.17";
    private static final int DNS = 2;
    private static final int ADDRESS = 7;
    private static final byte[] SIGNS_CERTIFICATES = {0x06};
    private static final int SERIAL_BITS = 120;

    /** A new one, good from an hour before: clocks differ. */
    static Authority made(Instant now, Duration life) {
        KeyPair keys = newKeys();
        // Each has a name of its own, so that who trusts two of them knows which one to try.
        byte[] name = name("nodeward " + serial().toString(36));
        Validity validity = new Validity(now, now.plus(life));
        X509Certificate certificate = signed(keys.getPrivate(), name, name, keys.getPublic(), validity,
                extension(BASIC_CONSTRAINTS, true, Der.sequence(Der.isTrue())),
                extension(KEY_USAGE, true, Der.bits(SIGNS_CERTIFICATES, 1)));
        return new Authority(keys.getPrivate(), certificate);
    }

    /**
     * A new key with a certificate for a server, of no longer life than this authority's.
     *
     * @param names DNS names and IP addresses under which it is reached
     */
    ServerKey server(List<String> names, Instant now, Duration life) {
        KeyPair keys = newKeys();
        Instant end = now.plus(life).isBefore(expires()) ? now.plus(life) : expires();
        byte[] alternatives = Der.sequence(names.stream()
                .map(Authority::alternative)
                .toArray(byte[][]::new));
        X509Certificate own = signed(key, certificate.getSubjectX500Principal().getEncoded(), name(names.getFirst()),
                keys.getPublic(), new Validity(now, end),
                extension(EXTENDED_KEY_USAGE, false, Der.sequence(Der.oid(SERVER_AUTH))),
                extension(ALTERNATIVE_NAMES, false, alternatives));
        return new ServerKey(keys.getPrivate(), List.of(own));
    }

    private static byte[] alternative(String name) {
        return Names.address(name)
                .map(address -> Der.contextPrimitive(ADDRESS, address.getAddress()))
                .orElseGet(() -> Der.contextPrimitive(DNS, name.getBytes(StandardCharsets.US_ASCII)));
    }

    boolean isEarly(Instant now) {
        return isEarly(certificate, now);
    }

    static boolean isEarly(X509Certificate certificate, Instant now) {
        return now.isBefore(certificate.getNotBefore().toInstant());
    }

    Instant expires() {
        return certificate.getNotAfter().toInstant();
    }

    private record Validity(Instant from, Instant to) {
        byte[] der() {
            return Der.sequence(Der.time(from.minus(Duration.ofHours(1))), Der.time(to));
        }
    }

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no P-256 keys", e);
        }
    }

    private static BigInteger serial() {
        return new BigInteger(SERIAL_BITS, new SecureRandom());
    }

    private static byte[] name(String commonName) {
        return Der.sequence(Der.set(Der.sequence(Der.oid(COMMON_NAME), Der.text(commonName))));
    }

    private static byte[] extension(String oid, boolean critical, byte[] value) {
        return critical
                ? Der.sequence(Der.oid(oid), Der.isTrue(), Der.octets(value))
                : Der.sequence(Der.oid(oid), Der.octets(value));
    }

    private static X509Certificate signed(
            PrivateKey key, byte[] issuer, byte[] subject, PublicKey shown, Validity validity, byte[]... extensions) {
        byte[] algorithm = Der.sequence(Der.oid(ECDSA_WITH_SHA256));
        byte[] content = Der.sequence(
                Der.context(0, Der.integer(BigInteger.TWO)), Der.integer(serial()), algorithm, issuer,
                validity.der(), subject, shown.getEncoded(), Der.context(3, Der.sequence(extensions)));
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(key);
            signature.update(content);
            return read(Der.sequence(content, algorithm, Der.bits(signature.sign(), 0)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot sign a certificate", e);
        }
    }

    private static X509Certificate read(byte[] der) {
        String pem = Pem.written("CERTIFICATE", der);
        return PemCertificates.read("certificate", pem.getBytes(StandardCharsets.US_ASCII)).getFirst();
    }
}
