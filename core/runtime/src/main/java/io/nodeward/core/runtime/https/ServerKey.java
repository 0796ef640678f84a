package io.nodeward.core.runtime.https;

import io.nodeward.api.json.kubeconfig.PemCertificates;
import io.nodeward.api.json.kubeconfig.PemKey;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * The key and the certificates that a server shows to its callers.
 *
 * @param chain its own certificate first
 */
public record ServerKey(PrivateKey key, List<X509Certificate> chain) {
    private static final byte[] ANYTHING = {42};

    public ServerKey {
        chain = List.copyOf(chain);
    }

    /**
     * Reads a key as a Secret of type {@code kubernetes.io/tls} holds it.
     *
     * @throws IllegalArgumentException saying what is wrong, without anything of what is in it: also if the key is not the
     *     certificate's, as it is while one of two files has been replaced
     */
    public static ServerKey read(byte[] certificates, byte[] key) {
        List<X509Certificate> chain = PemCertificates.read("tls.crt", certificates);
        PrivateKey own = PemKey.read("tls.key", key);
        if (chain.isEmpty() || !belongs(own, chain.getFirst().getPublicKey())) {
            throw new IllegalArgumentException("tls.key is not the key of the first certificate in tls.crt");
        }
        return new ServerKey(own, chain);
    }

    /** Returns whether callers refuse the certificate until a later time, as the clock of its maker was ahead. */
    boolean isEarly(Instant now) {
        return Authority.isEarly(chain.getFirst(), now);
    }

    /** Returns whether callers accept the certificate at this time. */
    public boolean isValid(Instant now) {
        return !isEarly(now) && expires().isAfter(now);
    }

    /** Returns the time from which callers refuse the certificate. */
    public Instant expires() {
        return chain.getFirst().getNotAfter().toInstant();
    }

    /** Returns whether the certificate covers all these names and addresses. */
    public boolean isFor(List<String> names) {
        return Names.covers(chain.getFirst(), names);
    }

    /** Returns whether a caller that trusts these authorities trusts the certificate. */
    public boolean leadsTo(List<X509Certificate> authorities) {
        for (int i = 0; i < chain.size(); i++) {
            X509Certificate at = chain.get(i);
            if (authorities.stream().anyMatch(authority -> at.equals(authority) || isSigned(at, authority))) {
                return true;
            }
            if (i + 1 < chain.size() && !isSigned(at, chain.get(i + 1))) {
                return false;
            }
        }
        return false;
    }

    private static boolean isSigned(X509Certificate certificate, X509Certificate by) {
        try {
            certificate.verify(by.getPublicKey());
            return certificate.getIssuerX500Principal().equals(by.getSubjectX500Principal());
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** Returns whether the two keys make a pair. */
    static boolean belongs(PrivateKey key, PublicKey shown) {
        if (!key.getAlgorithm().equals(shown.getAlgorithm())) {
            return false;
        }
        try {
            Signature signature = Signature.getInstance(
                    key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA");
            signature.initSign(key);
            signature.update(ANYTHING);
            byte[] signed = signature.sign();
            signature.initVerify(shown);
            signature.update(ANYTHING);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
