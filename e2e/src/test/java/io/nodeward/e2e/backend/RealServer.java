package io.nodeward.e2e.backend;

import io.nodeward.core.fakeapi.Client;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.controlplane.TlsContext;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A kube-apiserver for the sentences of FakeApiServer, which think that they are alone. */
final class RealServer {
    private static final List<String> COLLECTIONS = List.of(
            "/api/v1/nodes", "/apis/cluster.x-k8s.io/v1beta2/namespaces/%s/machines", "/api/v1/namespaces/%s/pods",
            "/api/v1/namespaces/%s/secrets", "/api/v1/namespaces/%s/events",
            "/apis/policy/v1/namespaces/%s/poddisruptionbudgets");
    private static RealServer started;

    private final ControlPlane controlPlane = ControlPlane.start(Options.standard());

    private RealServer() {
        AdminClient admin = controlPlane.admin();
        ClusterApiCrds.install(admin);
        // Pods need one, and the controller that would make it does not run here.
        new Client(http(), url()).post("/api/v1/namespaces/default/serviceaccounts", "{'metadata':{'name':'default'}}");
    }

    /** The same for all of this JVM, emptied. */
    static synchronized Optional<Client> emptied() {
        if (started == null) {
            started = new RealServer();
        }
        started.empty();
        return Optional.of(new Client(started.http(), started.url()));
    }

    private String url() {
        return controlPlane.adminKubeconfig().server();
    }

    private HttpClient http() {
        return HttpClient.newBuilder()
                .sslContext(TlsContext.of(controlPlane.adminKubeconfig()))
                .connectTimeout(Duration.ofSeconds(10))
                .build();
    }

    private void empty() {
        try (Client client = new Client(http(), url())) {
            for (String collection : COLLECTIONS) {
                for (String namespace : List.of("default", "kube-system")) {
                    String path = collection.formatted(namespace);
                    client.get(path).json().path("items").forEach(item -> {
                        String object = path + "/" + item.at("/metadata/name").asText();
                        client.merge(object, "{'metadata':{'finalizers':null}}");
                        client.delete(object + "?gracePeriodSeconds=0");
                    });
                }
            }
        }
    }
}
