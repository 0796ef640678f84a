package io.nodeward.api.json.kubeconfig;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.json.kubeconfig.Access.Anyone;
import io.nodeward.api.json.kubeconfig.Access.Authorities;
import io.nodeward.api.json.kubeconfig.Access.ClientCertificate;
import io.nodeward.api.json.kubeconfig.Access.PublicAuthorities;
import io.nodeward.api.json.kubeconfig.Access.Proxy;
import io.nodeward.api.json.kubeconfig.Access.Trust;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * A kubeconfig that may name files and plugins, read as kubectl does: data wins over a file, an empty text counts as
 * absent. What some client library would skip without a word is refused by name.
 */
final class AccessReader {
    private static final String AUTHORITY = "certificate-authority";
    private static final String CERTIFICATE = "client-certificate";
    private static final String KEY = "client-key";

    private final Section root;
    private final Path file;

    private AccessReader(Section root, Path file) {
        this.root = root;
        this.file = file;
    }

    /** @param file where it was read from, which the paths in it are relative to */
    static Access read(ObjectNode kubeconfig, Path file) {
        return new AccessReader(new Section("", kubeconfig), file).read();
    }

    private Access read() {
        Section context = named("context", root.given("current-context"), "current-context");
        Section cluster = named("cluster", context.given("cluster"), "cluster of the context");
        Optional<String> name = context.given("user");
        Section user = name.isEmpty() ? new Section("user", JsonNodeFactory.instance.objectNode())
                : named("user", name, "user of the context");
        cluster.refuseGiven("tls-server-name", "is not supported");
        String server = ClusterRules.server(cluster);
        return new Access(
                server.endsWith("/") ? server.substring(0, server.length() - 1) : server, trust(cluster),
                cluster.has("proxy-url") ? proxy(cluster) : Optional.empty(), certificate(user),
                CredentialReader.read(user, cluster, file), CredentialReader.impersonation(user));
    }

    // kubectl takes no second entry of a name either; client libraries take the first or the last.
    private Section named(String kind, Optional<String> name, String where) {
        String wanted = name.orElseThrow(() -> new Defect(where + " is missing"));
        List<Section> found = root.entries(kind + "s").stream()
                .filter(entry -> entry.text("name").filter(wanted::equals).isPresent())
                .toList();
        if (found.size() > 1) {
            throw new Defect("there are two entries of " + kind + " " + wanted);
        }
        return found.stream().findFirst().flatMap(entry -> entry.section(kind))
                .orElseThrow(() -> new Defect("there is no " + kind + " " + wanted));
    }

    private static Optional<Proxy> proxy(Section cluster) {
        if (cluster.given("proxy-url").isEmpty()) {
            return Optional.empty();
        }
        return ClusterRules.proxy(cluster).map(URI::create).map(url -> new Proxy(url.getHost(), url.getPort()));
    }

    private Trust trust(Section cluster) {
        Optional<Pem> authority = pem(cluster, AUTHORITY);
        if (cluster.flag("insecure-skip-tls-verify")) {
            if (authority.isPresent()) {
                throw new Defect(authority.get().field + " and insecure-skip-tls-verify exclude each other");
            }
            return new Anyone();
        }
        return authority.isEmpty() ? new PublicAuthorities()
                : new Authorities(PemCertificates.read(authority.get().field, authority.get().bytes));
    }

    private Optional<ClientCertificate> certificate(Section user) {
        if (isThere(user, CERTIFICATE) != isThere(user, KEY)) {
            throw new Defect("user has one of " + CERTIFICATE + " and " + KEY + ", and not the other");
        }
        Optional<Pem> certificate = pem(user, CERTIFICATE);
        Optional<Pem> key = pem(user, KEY);
        return certificate.map(pem -> {
            List<X509Certificate> chain = PemCertificates.read(pem.field, pem.bytes);
            PrivateKey read = PemKey.read(key.orElseThrow().field, key.orElseThrow().bytes);
            return new ClientCertificate(chain, KeyMatch.checked(key.orElseThrow().field, read, chain));
        });
    }

    private static boolean isThere(Section section, String field) {
        return section.given(field).or(() -> section.given(field + "-data")).isPresent();
    }

    private record Pem(String field, byte[] bytes) {}

    private Optional<Pem> pem(Section section, String field) {
        String data = field + "-data";
        if (section.given(data).isPresent()) {
            String path = section.path(data);
            return section.given(data).map(text -> new Pem(path, Base64Data.decoded(path, text)));
        }
        return section.given(field).map(name -> new Pem(section.path(field), content(section.path(field), name)));
    }

    private byte[] content(String field, String name) {
        Path path = resolved(field, name, file);
        try {
            return Files.readAllBytes(path);
        } catch (IOException e) {
            throw new Defect(field + ": " + path + " cannot be read");
        }
    }

    /** Against the kubeconfig, not the working directory. */
    static Path resolved(String field, String name, Path file) {
        try {
            return file.toAbsolutePath().resolveSibling(name).normalize();
        } catch (java.nio.file.InvalidPathException e) {
            throw new Defect(field + " is no path");
        }
    }
}
