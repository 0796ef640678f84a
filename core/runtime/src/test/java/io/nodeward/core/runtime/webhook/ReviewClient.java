package io.nodeward.core.runtime.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.json.kubeconfig.PemCertificates;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Calls a webhook as an API server does: where its configuration says, and trusting only the authorities there. */
final class ReviewClient implements AutoCloseable {
    private final HttpClient http;
    private final String url;

    /** @param configuration of the API server, whose first webhook is called */
    ReviewClient(JsonNode configuration) throws GeneralSecurityException, IOException {
        JsonNode client = configuration.at("/webhooks/0/clientConfig");
        this.http = HttpClient.newBuilder()
                .sslContext(trusting(Base64.getDecoder().decode(client.path("caBundle").asText()))).build();
        this.url = client.path("url").asText();
    }

    /** @param request of an AdmissionReview, in JSON with single quotes */
    JsonNode review(String request) throws Exception {
        HttpResponse<String> reply = post(review(request.replace('\'', '"'), ""));
        if (reply.statusCode() != 200) {
            throw new IOException(reply.statusCode() + ": " + reply.body());
        }
        return WebhookFixture.json(reply.body()).path("response");
    }

    static String review(String request, String more) {
        return "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"request\":" + request + more
                + "}";
    }

    HttpResponse<String> post(String body) throws Exception {
        return http.send(HttpRequest.newBuilder(URI.create(url)).POST(BodyPublishers.ofString(body)).build(),
                BodyHandlers.ofString());
    }

    /** Without saying its length. */
    HttpResponse<String> postChunked(String body) throws Exception {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return http.send(HttpRequest.newBuilder(URI.create(url))
                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes))).build(),
                BodyHandlers.ofString());
    }

    private static SSLContext trusting(byte[] pem) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        int i = 0;
        for (X509Certificate certificate : PemCertificates.read("caBundle", pem)) {
            store.setCertificateEntry("authority" + i++, certificate);
        }
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trusted.getTrustManagers(), null);
        return context;
    }

    @Override
    public void close() {
        http.close();
    }
}
