package io.nodeward.api.json.kubeconfig;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;

/** Whether a key is the one its certificate is for; TLS would fail later, or go on without it. */
final class KeyMatch {
    private static final byte[] ANYTHING = {42};

    private KeyMatch() {}

    /** @throws Defect naming {@code field} if not */
    static PrivateKey checked(String field, PrivateKey key, List<X509Certificate> chain) {
        try {
            Signature signature = Signature.getInstance(
                    key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256with" + key.getAlgorithm());
            signature.initSign(key);
            signature.update(ANYTHING);
            byte[] signed = signature.sign();
            signature.initVerify(chain.getFirst().getPublicKey());
            signature.update(ANYTHING);
            if (signature.verify(signed)) {
                return key;
            }
        } catch (GeneralSecurityException e) {
            // a key of another kind
        }
        throw new Defect(field + " does not belong to the first client certificate");
    }
}
