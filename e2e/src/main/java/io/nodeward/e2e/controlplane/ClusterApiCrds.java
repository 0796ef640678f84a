package io.nodeward.e2e.controlplane;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Cluster API's own CRDs from its Go module, and those of a provider that provides nothing. */
public final class ClusterApiCrds {
    private static final String COLLECTION = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String PROVIDER = "/io/nodeward/e2e/provider-crds.yaml";
    private static final Duration SERVED_AT_MOST = Duration.ofMinutes(2);

    private ClusterApiCrds() {}

    /** Cluster API's CRDs as published, without the fake provider's. */
    public static List<JsonNode> published() {
        return inFolder(ClusterApiRelease.LATEST.crds());
    }

    private static List<JsonNode> inFolder(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().flatMap(file -> Json.yaml(Directories.io(() -> Files.readString(file))).stream())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** KubeadmControlPlane and its template as published, with the labels that its release gives them. */
    public static List<JsonNode> kubeadmControlPlane() {
        return kubeadmControlPlane(ClusterApiRelease.LATEST);
    }

    private static List<JsonNode> kubeadmControlPlane(ClusterApiRelease release) {
        List<JsonNode> all = inFolder(release.controlPlaneCrds());
        all.forEach(crd -> ((ObjectNode) crd.path("metadata")).putObject("labels")
                .put("cluster.x-k8s.io/v1beta1", "v1beta1")
                .put("cluster.x-k8s.io/v1beta2", "v1beta2"));
        return all;
    }

    /** Returns when all of them are served; what is installed already stays as it is. */
    public static void install(AdminClient admin) {
        install(admin, ClusterApiRelease.LATEST);
    }

    /** As above, of another release. */
    public static void install(AdminClient admin, ClusterApiRelease release) {
        List<JsonNode> all = new ArrayList<>(inFolder(release.crds()));
        all.addAll(Json.yaml(Directories.resource(PROVIDER)));
        install(admin, all);
    }

    /** Those of clusters that kubeadm sets up, besides what {@link #install} installs. */
    public static void installKubeadm(AdminClient admin, ClusterApiRelease release) {
        List<JsonNode> all = new ArrayList<>(kubeadmControlPlane(release));
        for (JsonNode bootstrap : inFolder(release.bootstrapCrds())) {
            ((ObjectNode) bootstrap.path("metadata")).putObject("labels").put("cluster.x-k8s.io/v1beta2", "v1beta2");
            all.add(bootstrap);
        }
        install(admin, all);
    }

    /** Returns when all of these CRDs are served. */
    public static void install(AdminClient admin, List<JsonNode> definitions) {
        definitions.forEach(crd -> admin.createIfAbsent(COLLECTION, crd));
        definitions.forEach(crd -> awaitServed(admin, crd));
    }

    private static void awaitServed(AdminClient admin, JsonNode definition) {
        JsonNode spec = definition.path("spec");
        String plural = spec.path("names").path("plural").asText();
        for (JsonNode version : spec.path("versions")) {
            if (version.path("served").asBoolean()) {
                String group = spec.path("group").asText();
                String path = "/apis/" + group + "/" + version.path("name").asText() + "/" + plural;
                Polling.until(
                        () -> admin.send("GET", path + "?limit=1", AdminClient.JSON, "").isOk(),
                        SERVED_AT_MOST,
                        () -> path + " was not served within " + SERVED_AT_MOST);
            }
        }
    }
}
