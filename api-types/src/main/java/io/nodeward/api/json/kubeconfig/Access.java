package io.nodeward.api.json.kubeconfig;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How to reach one API server and log in to it: what the current context of a kubeconfig says, judged, and read to the
 * last file. Whoever connects by it needs no kubeconfig any more.
 *
 * @param server URL without a slash at its end; a path may be part of it
 * @param certificate what to show the server on TLS
 * @param impersonation as whom to act, if not as oneself
 */
public record Access(
        String server,
        Trust trust,
        Optional<Proxy> proxy,
        Optional<ClientCertificate> certificate,
        Credential credential,
        Optional<Impersonation> impersonation) {

    /** Who may vouch for the server. */
    public sealed interface Trust {}

    /** The authorities that the JVM knows. */
    public record PublicAuthorities() implements Trust {}

    /** These alone. */
    public record Authorities(List<X509Certificate> certificates) implements Trust {}

    /** Nobody has to. */
    public record Anyone() implements Trust {}

    /** An HTTP proxy, which is asked to CONNECT. */
    public record Proxy(String host, int port) {
        /** Returns its address, for a client library that resolves the name whenever it connects. */
        public InetSocketAddress unresolved() {
            return InetSocketAddress.createUnresolved(Network.plain(host), port);
        }
    }

    /** A certificate, the ones that vouch for it, and its key. */
    public record ClientCertificate(List<X509Certificate> chain, PrivateKey key) {
        /** Never shows the key. */
        @Override
        public String toString() {
            return "ClientCertificate";
        }
    }

    /** What each request says of who asks. */
    public sealed interface Credential {}

    /** Nothing; a client certificate may say it. */
    public record Nothing() implements Credential {}

    public record Token(String token) implements Credential {
        /** Never shows the token. */
        @Override
        public String toString() {
            return "Token";
        }
    }

    /** A token that is read anew for each request, as the kubelet renews it. */
    public record TokenFile(Path file) implements Credential {}

    public record Password(String username, String password) implements Credential {
        /** Never shows the password. */
        @Override
        public String toString() {
            return "Password";
        }
    }

    /** Whatever a program says. */
    public record Plugin(ExecPlugin exec) implements Credential {}

    /** @param uid may be empty, as may {@code groups} and {@code extra} */
    public record Impersonation(String user, String uid, List<String> groups, Map<String, List<String>> extra) {}

    /**
     * What {@code kubeconfig} says.
     *
     * @param file where it was read from; empty for one from a Secret, of which {@link SecretKubeconfig} must accept all
     * @throws IllegalArgumentException if it cannot be used; the message names the field, never a credential
     */
    public static Access of(String kubeconfig, Optional<Path> file) {
        if (file.isPresent()) {
            return AccessReader.read(PlainYaml.read(kubeconfig), file.get());
        }
        return switch (SecretKubeconfig.judge(kubeconfig)) {
            case SecretKubeconfig.Refused refused -> throw new Defect(refused.defect());
            case SecretKubeconfig.Accepted accepted ->
                    AccessReader.read(StrictYaml.read(accepted.kubeconfig()), Path.of("kubeconfig")); // names no file
        };
    }

    public boolean tls() {
        return server.startsWith("https:");
    }

    /** Never shows credentials. */
    @Override
    public String toString() {
        return "Access[" + server + "]";
    }
}
