package io.nodeward.e2e.controlplane;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** PEM text in both directions, for the key formats that kubeconfigs of kubeadm, kind and k3s hold. */
final class Pem {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----\\s*([A-Za-z0-9+/=\\s]+)-----END \\1-----");
    private static final String RSA = "1.2.840.113549.1.1.1";
    private static final String EC = "1.2.840.10045.2.1";
    private static final String P256 = "1.2.840.10045.3.1.7";

    private Pem() {}

    static String encode(String type, byte[] der) {
        return "-----BEGIN " + type + "-----\n"
                + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(der)
                + "\n-----END " + type + "-----\n";
    }

    static List<Certificate> certificates(String pem) {
        try {
            byte[] text = pem.getBytes(StandardCharsets.US_ASCII);
            return List.copyOf(CertificateFactory.getInstance("X.509").generateCertificates(
                    new ByteArrayInputStream(text)));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("not a certificate in PEM", e);
        }
    }

    /** @throws IllegalArgumentException if the key is neither PKCS#8, PKCS#1 nor a P-256 key in SEC 1 */
    static PrivateKey privateKey(String pem) {
        Matcher block = BLOCK.matcher(pem);
        while (block.find()) {
            byte[] der = Base64.getMimeDecoder().decode(block.group(2));
            switch (block.group(1)) {
                case "PRIVATE KEY" -> {
                    return pkcs8(der);
                }
                case "RSA PRIVATE KEY" -> {
                    return pkcs8(wrapped(Der.sequence(Der.oid(RSA), new byte[]{5, 0}), der));
                }
                case "EC PRIVATE KEY" -> {
                    return pkcs8(wrapped(Der.sequence(Der.oid(EC), Der.oid(P256)), der));
                }
                default -> {}
            }
        }
        throw new IllegalArgumentException("no private key in this PEM text");
    }

    private static byte[] wrapped(byte[] algorithm, byte[] key) {
        return Der.sequence(Der.integer(BigInteger.ZERO), algorithm, Der.octets(key));
    }

    private static PrivateKey pkcs8(byte[] der) {
        for (String algorithm : List.of("EC", "RSA", "Ed25519")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
            } catch (GeneralSecurityException e) {
                // The encoding names its algorithm, but the JDK wants to be told: the next one is tried.
                continue;
            }
        }
        throw new IllegalArgumentException("a private key that is neither EC, RSA nor Ed25519");
    }
}
