package io.nodeward.controller.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.json.kubeconfig.PemCertificates;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Calls a webhook as an API server does: where its configuration says, and trusting whom that says. */
final class Caller {
    private Caller() {}

    /** @param configuration of the API server */
    static JsonNode review(JsonNode configuration, String request) throws IOException {
        JsonNode client = configuration.at("/webhooks/0/clientConfig");
        byte[] pem = Base64.getDecoder().decode(client.path("caBundle").asText());
        try (HttpClient http = HttpClient.newBuilder().sslContext(trusting(pem)).build()) {
            HttpRequest post = HttpRequest.newBuilder(URI.create(client.path("url").asText()))
                    .POST(BodyPublishers.ofString(AdmissionFixture.json("{'apiVersion':'admission.k8s.io/v1',"
                            + "'kind':'AdmissionReview','request':" + request + "}").toString()))
                    .build();
            return AdmissionFixture.json(http.send(post, BodyHandlers.ofString()).body()).path("response");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (GeneralSecurityException e) {
            throw new IOException("no such trust", e);
        }
    }

    /** A new object of this kind with one taint. */
    static JsonNode create(JsonNode configuration, String kind, String key) throws IOException {
        String group = kind.startsWith("Kubeadm") ? "controlplane.cluster.x-k8s.io" : "cluster.x-k8s.io";
        String taints = "'taints':[{'key':'" + key + "','effect':'NoSchedule','propagation':'Always'}]";
        String spec = kind.equals("Machine") ? taints : "'template':{'spec':{" + taints + "}}";
        return review(configuration, "{'uid':'u','kind':{'group':'" + group + "','version':'v1beta2','kind':'" + kind
                + "'},'operation':'CREATE','object':{'metadata':{'name':'n'},'spec':{" + spec + "}}}");
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
}
