package io.nodeward.core.spi.connect;

import io.nodeward.api.json.kubeconfig.Access.Anyone;
import io.nodeward.api.json.kubeconfig.Access.Authorities;
import io.nodeward.api.json.kubeconfig.Access.ClientCertificate;
import io.nodeward.api.json.kubeconfig.Access.PublicAuthorities;
import io.nodeward.api.json.kubeconfig.Access.Trust;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStore.PasswordProtection;
import java.security.KeyStore.PrivateKeyEntry;
import java.security.cert.Certificate;
import java.util.Optional;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEParameterSpec;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Whom a server must be certified by, and what it is shown, as the JDK takes it. */
public final class Tls {
    private static final char[] NO_PASSWORD = {};
    /** The store is never written anywhere; the default is 10,000 rounds to hide the key, and as many to read it. */
    private static final PasswordProtection AT_ONCE = new PasswordProtection(
            NO_PASSWORD, "PBEWithHmacSHA256AndAES_256",
            new PBEParameterSpec(new byte[16], 1, new IvParameterSpec(new byte[16])));

    private Tls() {}

    /** @throws IllegalArgumentException if there is no use of the authorities */
    public static X509ExtendedTrustManager trust(Trust trust) {
        return switch (trust) {
            case Anyone anyone -> new TrustAnyone();
            case PublicAuthorities known -> new TrustNamed(authorities(null));
            case Authorities named -> new TrustNamed(authorities(named));
        };
    }

    private static X509ExtendedTrustManager authorities(@Nullable Authorities authorities) {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(authorities == null ? null : store(authorities));
            return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("certificate-authority cannot be used", e);
        }
    }

    private static KeyStore store(Authorities authorities) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (Certificate certificate : authorities.certificates()) {
            store.setCertificateEntry(Integer.toString(store.size()), certificate);
        }
        return store;
    }

    /**
     * Null without a client certificate.
     *
     * @throws IllegalArgumentException if key and certificate do not go together
     */
    public static KeyManager @Nullable [] keys(Optional<ClientCertificate> certificate) {
        if (certificate.isEmpty()) {
            return null;
        }
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            Certificate[] chain = certificate.get().chain().toArray(Certificate[]::new);
            store.setEntry("client", new PrivateKeyEntry(certificate.get().key(), chain), AT_ONCE);
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, NO_PASSWORD);
            return factory.getKeyManagers();
        } catch (GeneralSecurityException | IOException e) {
            // Not kept as the cause: a decoder's message may quote a key.
            throw new IllegalArgumentException("client-certificate or client-key cannot be used");
        }
    }
}
