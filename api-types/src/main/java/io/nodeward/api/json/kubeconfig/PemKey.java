package io.nodeward.api.json.kubeconfig;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A private key as openssl and others write it: PKCS#8, PKCS#1 (RSA) or SEC1 (EC), after whatever else is there. */
public final class PemKey {
    private static final Pattern BLOCK = Pattern.compile(
            "-----BEGIN ((?:[A-Z]+ )?)PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END \\1PRIVATE KEY-----");

    private PemKey() {}

    /**
     * The first private key, read by the JDK alone; its encoding is PKCS#8, its algorithm RSA or EC.
     *
     * @param field what the exception calls it
     * @throws IllegalArgumentException if there is none that can be used; never shows what is in it
     */
    public static PrivateKey read(String field, byte[] pem) {
        Matcher block = BLOCK.matcher(new String(pem, StandardCharsets.US_ASCII));
        if (!block.find()) {
            throw new Defect(field + " holds no private key in PEM");
        }
        byte[] der = Base64Data.decoded(field, block.group(2));
        return switch (block.group(1).strip()) {
            case "RSA" -> usable(field, key("RSA", Pkcs8.ofRsa(der)));
            case "EC" -> usable(field, Pkcs8.ofEc(der).flatMap(pkcs8 -> key("EC", pkcs8)));
            case "" -> usable(field, key("RSA", der).or(() -> key("EC", der)));
            case "ENCRYPTED" -> throw new Defect(field + " is encrypted, which is not supported");
            default -> throw new Defect(field + " is of a kind that is not supported");
        };
    }

    /** In PEM, as PKCS#8. */
    public static String written(PrivateKey key) {
        return Pem.written("PRIVATE KEY", key.getEncoded());
    }

    private static Optional<PrivateKey> key(String algorithm, byte[] pkcs8) {
        try {
            return Optional.of(KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8)));
        } catch (GeneralSecurityException | RuntimeException e) {
            return Optional.empty();
        }
    }

    private static PrivateKey usable(String field, Optional<PrivateKey> key) {
        return key.filter(PemKey::isQuick)
                .orElseThrow(() -> new Defect(field + " is damaged, or neither an RSA nor an EC key"));
    }

    // The JDK limits the modulus alone; signing with other numbers of a million digits would not end.
    private static boolean isQuick(PrivateKey key) {
        if (!(key instanceof RSAPrivateCrtKey rsa)) {
            return !key.getAlgorithm().equals("RSA");
        }
        int bits = rsa.getModulus().bitLength();
        return Stream.of(
                rsa.getPublicExponent(), rsa.getPrivateExponent(), rsa.getPrimeP(), rsa.getPrimeQ(),
                rsa.getPrimeExponentP(), rsa.getPrimeExponentQ(), rsa.getCrtCoefficient())
                .mapToInt(BigInteger::bitLength)
                .allMatch(length -> length <= bits);
    }
}
