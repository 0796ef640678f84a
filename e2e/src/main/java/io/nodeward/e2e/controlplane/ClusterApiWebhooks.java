package io.nodeward.e2e.controlplane;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Cluster API's own webhook configurations from its Go module, pointed at a manager on this machine. */
public final class ClusterApiWebhooks implements AutoCloseable {
    private static final String COLLECTION = "/apis/admissionregistration.k8s.io/v1/";

    private final AdminClient admin;
    private final List<String> paths = new ArrayList<>();

    private ClusterApiWebhooks(AdminClient admin) {
        this.admin = admin;
    }

    /** @param authority PEM of who has signed the manager's certificate */
    static ClusterApiWebhooks install(AdminClient admin, UpstreamProgram program, int port, String authority) {
        ClusterApiWebhooks webhooks = new ClusterApiWebhooks(admin);
        String bundle = Base64.getEncoder().encodeToString(authority.getBytes(StandardCharsets.UTF_8));
        for (JsonNode configuration : manifests(program)) {
            ObjectNode metadata = (ObjectNode) configuration.path("metadata");
            metadata.put("name", program.name() + "-" + metadata.path("name").asText()); // all managers' are called alike
            for (JsonNode webhook : configuration.path("webhooks")) {
                String path = webhook.at("/clientConfig/service/path").asText();
                ((ObjectNode) webhook).set("clientConfig", Json.tree(Map.of(
                        "url", "https://127.0.0.1:" + port + path, "caBundle", bundle)));
            }
            String collection = COLLECTION + configuration.path("kind").asText().toLowerCase(Locale.ROOT) + "s";
            admin.create(collection, configuration);
            webhooks.paths.add(collection + "/" + metadata.path("name").asText());
        }
        return webhooks;
    }

    private static List<JsonNode> manifests(UpstreamProgram program) {
        return Json.yaml(Directories.io(() -> Files.readString(program.webhooks().get())));
    }

    @Override
    public void close() {
        paths.forEach(admin::delete);
    }
}
