package io.nodeward.core.runtime.https;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Shows the newest key to who connects from now on. A handshake asks for the name of a key, and then for key and
 * certificates by that name: the one before stays known, so that it never gets parts of two.
 */
public final class ReloadingKeyManager extends X509ExtendedKeyManager {
    private record Named(String name, ServerKey key) {}

    /** Newest first. */
    private volatile List<Named> known;

    public ReloadingKeyManager(ServerKey first) {
        this.known = List.of(new Named("0", first));
    }

    /** Returns what a server needs to show the newest key. */
    public SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[]{this}, null, null);
            // Who resumes a session is shown no certificate: a changed one would not be seen for a day.
            context.getServerSessionContext().setSessionTimeout(1);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no TLS", e);
        }
    }

    /** From now on; connections that are open go on with the one they have. */
    public synchronized void change(ServerKey next) {
        Named last = known.getFirst();
        known = List.of(new Named(Integer.toString(Integer.parseInt(last.name) + 1), next), last);
    }

    /** Returns the newest key. */
    public ServerKey get() {
        return known.getFirst().key;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return chooseServerAlias(keyType, issuers, null);
    }

    @Override
    public @Nullable String chooseServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        Named newest = known.getFirst();
        return newest.key.key().getAlgorithm().equals(keyType) ? newest.name : null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        ServerKey named = named(alias);
        return named == null ? null : named.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        ServerKey named = named(alias);
        return named == null ? null : named.key();
    }

    private @Nullable ServerKey named(String name) {
        for (Named key : known) {
            if (key.name.equals(name)) {
                return key.key;
            }
        }
        return null;
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        String alias = chooseServerAlias(keyType, issuers, null);
        return alias == null ? null : new String[]{alias};
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }
}
