package io.nodeward.e2e.controlplane;

import io.nodeward.api.json.kubeconfig.Der;
import io.nodeward.api.json.kubeconfig.Pem;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Signs the certificates of one control plane; keys are P-256 and live in memory. */
final class CertificateAuthority {
    private static final String ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
    private static final String COMMON_NAME = "2.5.4.3";
    private static final String ORGANIZATION = "2.5.4.10";
    private static final String SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
    private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";
    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final byte[] KUBERNETES_SERVICE = {10, 96, 0, 1};

    private final KeyPair keys = newKeys();
    private final byte[] name;
    private final String certificate;

    CertificateAuthority(String commonName) {
        name = name(commonName, List.of());
        byte[] isCa = extension("2.5.29.19", true, Der.sequence(Der.isTrue()));
        byte[] usage = extension("2.5.29.15", true, Der.bits(new byte[]{0x06}, 1));
        certificate = signed(name, keys, isCa, usage);
    }

    /** A certificate with its key, both in PEM. */
    record Identity(String certificate, String key) {}

    String certificate() {
        return certificate;
    }

    /** For a server on loopback, reached as 127.0.0.1 or localhost, and as the first address of Services. */
    Identity server(String commonName) {
        KeyPair own = newKeys();
        byte[] names = extension("2.5.29.17", false, Der.sequence(
                Der.contextPrimitive(7, LOOPBACK),
                Der.contextPrimitive(7, KUBERNETES_SERVICE),
                Der.contextPrimitive(2, new byte[]{'l', 'o', 'c', 'a', 'l', 'h', 'o', 's', 't'})));
        return identity(own, signed(name(commonName, List.of()), own, usage(SERVER_AUTH), names));
    }

    /** For a user that the API server knows by this name and these groups. */
    Identity client(String user, List<String> groups) {
        KeyPair own = newKeys();
        return identity(own, signed(name(user, groups), own, usage(CLIENT_AUTH)));
    }

    static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no P-256 keys", e);
        }
    }

    private static Identity identity(KeyPair keys, String certificate) {
        return new Identity(certificate, Pem.written("PRIVATE KEY", keys.getPrivate().getEncoded()));
    }

    private static byte[] name(String commonName, List<String> organizations) {
        List<byte[]> parts = new ArrayList<>();
        organizations.forEach(o -> parts.add(Der.set(Der.sequence(Der.oid(ORGANIZATION), Der.text(o)))));
        parts.add(Der.set(Der.sequence(Der.oid(COMMON_NAME), Der.text(commonName))));
        return Der.sequence(parts.toArray(byte[][]::new));
    }

    private static byte[] usage(String purpose) {
        return extension("2.5.29.37", false, Der.sequence(Der.oid(purpose)));
    }

    private static byte[] extension(String oid, boolean critical, byte[] value) {
        return critical
                ? Der.sequence(Der.oid(oid), Der.isTrue(), Der.octets(value))
                : Der.sequence(Der.oid(oid), Der.octets(value));
    }

    private String signed(byte[] subject, KeyPair subjectKeys, byte[]... extensions) {
        // An hour back: the clock of a virtual machine may have been set just before.
        Instant from = Instant.now().minus(Duration.ofHours(1));
        byte[] algorithm = Der.sequence(Der.oid(ECDSA_WITH_SHA256));
        byte[] content = Der.sequence(
                Der.context(0, Der.integer(BigInteger.TWO)),
                Der.integer(new BigInteger(120, new SecureRandom())),
                algorithm,
                name,
                Der.sequence(Der.time(from), Der.time(from.plus(Duration.ofDays(365)))),
                subject,
                subjectKeys.getPublic().getEncoded(),
                Der.context(3, Der.sequence(extensions)));
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(keys.getPrivate());
            signature.update(content);
            return Pem.written("CERTIFICATE", Der.sequence(content, algorithm, Der.bits(signature.sign(), 0)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot sign a certificate", e);
        }
    }
}
