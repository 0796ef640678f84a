package io.nodeward.api.json.kubeconfig;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.json.kubeconfig.Access.ClientCertificate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;

/**
 * What an {@link ExecPlugin} answered: a token, a client certificate or both.
 *
 * @param expires when the plugin has to be asked again; empty if only after a 401
 */
public record ExecCredential(
        Optional<String> token, Optional<ClientCertificate> certificate, Optional<Instant> expires) {
    private static final String KEY = "status.clientKeyData";
    private static final JsonMapper JSON = new JsonMapper();

    /** Never shows a credential. */
    @Override
    public String toString() {
        return "ExecCredential[until " + expires + "]";
    }

    /**
     * Reads what the plugin printed.
     *
     * @throws IllegalArgumentException if it is no credential of the plugin's version; the message never quotes it
     */
    public static ExecCredential read(ExecPlugin plugin, byte[] printed) {
        Section answer = new Section("", parsed(printed));
        if (!answer.given("kind").equals(Optional.of("ExecCredential"))
                || !answer.given("apiVersion").equals(Optional.of(plugin.apiVersion()))) {
            throw new Defect("it printed no ExecCredential of " + plugin.apiVersion());
        }
        Section status = answer.section("status").orElseThrow(() -> new Defect("it printed no status"));
        Optional<String> token = status.given("token").map(text -> UserRules.token("status.token", text));
        Optional<ClientCertificate> certificate = certificate(status);
        if (token.isEmpty() && certificate.isEmpty()) {
            throw new Defect("it printed neither a token nor a client certificate");
        }
        return new ExecCredential(token, certificate, status.given("expirationTimestamp").map(ExecCredential::instant));
    }

    private static ObjectNode parsed(byte[] printed) {
        try {
            JsonNode node = JSON.readTree(printed);
            if (node instanceof ObjectNode object) {
                return object;
            }
        } catch (IOException e) {
            // said below: the parser's message quotes what it read
        }
        throw new Defect("it printed no JSON object");
    }

    private static Optional<ClientCertificate> certificate(Section status) {
        Optional<byte[]> chain = status.given("clientCertificateData").map(ExecCredential::bytes);
        Optional<byte[]> key = status.given("clientKeyData").map(ExecCredential::bytes);
        if (chain.isPresent() != key.isPresent()) {
            throw new Defect("it printed one of clientCertificateData and clientKeyData, and not the other");
        }
        return chain.map(pem -> {
            List<X509Certificate> read = PemCertificates.read("status.clientCertificateData", pem);
            PrivateKey own = PemKey.read(KEY, key.orElseThrow());
            return new ClientCertificate(read, KeyMatch.checked(KEY, own, read));
        });
    }

    private static byte[] bytes(String pem) {
        return pem.getBytes(StandardCharsets.US_ASCII);
    }

    private static Instant instant(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw new Defect("status.expirationTimestamp is no time of RFC 3339");
        }
    }
}
