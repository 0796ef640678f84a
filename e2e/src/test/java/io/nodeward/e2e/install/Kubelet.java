package io.nodeward.e2e.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.image.Container;
import io.nodeward.e2e.image.UnpackedImage;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Does with one Pod of one container what a kubelet does, by nothing but that Pod, and with seccomp and resources left out. */
final class Kubelet {
    private final AdminClient admin;
    private final JsonNode pod;
    private final JsonNode container;
    private final Path directory;
    private final List<ProjectedVolume> projected = new ArrayList<>();
    /** The address of the pod, at which no process listens unless this has started its container. */
    private String address = "198.51.100.254";

    /** @param directory an empty one */
    Kubelet(AdminClient admin, JsonNode pod, Path directory) {
        assertThat(pod.at("/spec/containers")).hasSize(1);
        assertThat(pod.at("/spec/initContainers")).isEmpty();
        this.admin = admin;
        this.pod = pod;
        this.container = pod.at("/spec/containers/0");
        this.directory = directory;
    }

    /**
     * Starts the container.
     *
     * @param network of the pod
     * @param token for the ServiceAccount, until the next {@link #renewToken}
     * @param services environment variables about Services
     */
    Process start(UnpackedImage image, PodNetwork network, String token, Map<String, String> services)
            throws IOException {
        address = network.pod();
        Map<String, String> environment = new HashMap<>(services);
        container.path("env").forEach(each -> environment.put(each.path("name").asText(), each.path("value").asText()));
        List<Container.Volume> volumes = new ArrayList<>();
        for (JsonNode mount : container.path("volumeMounts")) {
            volumes.add(new Container.Volume(folder(mount.path("name").asText(), token),
                    mount.path("mountPath").asText(), mount.path("readOnly").asBoolean() ? "ro" : "rw"));
        }
        List<String> command = container.has("command") ? words("command") : image.entryPoint();
        return new Container(image.root(), user() + ":" + security("runAsGroup").asInt(),
                security("readOnlyRootFilesystem").asBoolean() ? "ro" : "rw", network.name(), environment, volumes)
                .start(Stream.concat(command.stream(), words("args").stream()).toList(), log());
    }

    /** All that the container prints. */
    Path log() {
        return directory.resolve("log");
    }

    private List<String> words(String field) {
        return container.path(field).valueStream().map(JsonNode::asText).toList();
    }

    private int user() {
        return security("runAsUser").asInt();
    }

    private JsonNode security(String field) {
        JsonNode own = container.path("securityContext").path(field);
        return own.isMissingNode() ? pod.at("/spec/securityContext").path(field) : own;
    }

    private Path folder(String name, String token) throws IOException {
        JsonNode volume = pod.at("/spec/volumes").valueStream().filter(each -> each.path("name").asText().equals(name))
                .findFirst().orElseThrow();
        Path folder = Files.createDirectory(directory.resolve(name));
        if (volume.has("projected")) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            projected.add(new ProjectedVolume(folder, pod, volume.at("/projected/sources")));
            projected.getLast().write(admin, token, user());
        } else {
            assertThat(volume.has("emptyDir")).as("a volume of a kind that this knows: %s", volume).isTrue();
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        return folder;
    }

    /** Renews the token, as a kubelet does before it expires. */
    void renewToken() throws IOException {
        String path = "/api/v1/namespaces/" + namespace() + "/serviceaccounts/"
                + pod.at("/spec/serviceAccountName").asText() + "/token";
        String token = admin.create(path, Json.tree(Map.of("apiVersion", "authentication.k8s.io/v1", "kind",
                "TokenRequest", "spec", Map.of("boundObjectRef", Map.of("apiVersion", "v1", "kind", "Pod",
                        "name", name(), "uid", pod.at("/metadata/uid").asText())))))
                .at("/status/token").asText();
        for (ProjectedVolume volume : projected) {
            volume.write(admin, token, user());
        }
    }

    /** Waits until a probe succeeds; in vain for as long as it may fail, it fails. */
    void awaitProbe(String name, Process process) {
        JsonNode probe = container.path(name);
        JsonNode port = probe.at("/httpGet/port");
        int number = port.isInt() ? port.asInt() : container.path("ports").valueStream()
                .filter(each -> each.path("name").equals(port)).findFirst().orElseThrow().path("containerPort").asInt();
        HttpRequest request = HttpRequest.newBuilder(URI.create(
                "http://" + address + ":" + number + probe.at("/httpGet/path").asText()))
                .timeout(Duration.ofSeconds(probe.path("timeoutSeconds").asInt())).build();
        Duration period = Duration.ofSeconds(probe.path("periodSeconds").asInt());
        try (HttpClient http = HttpClient.newHttpClient()) {
            await(name + " " + request.uri()).pollDelay(Duration.ZERO).pollInterval(period)
                    .atMost(period.multipliedBy(probe.path("failureThreshold").asInt()))
                    .failFast("the container has ended", () -> !process.isAlive())
                    .ignoreExceptionsInstanceOf(ConnectException.class)
                    .untilAsserted(() -> assertThat(http.send(request, BodyHandlers.ofString()).statusCode())
                            .isBetween(200, 399));
        }
    }

    /** Reports that the container is ready. */
    void reportReady() {
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        List<Map<String, String>> conditions = Stream.of("PodScheduled", "Initialized", "ContainersReady", "Ready")
                .map(type -> Map.of("type", type, "status", "True", "lastTransitionTime", now)).toList();
        admin.mergePatch("/api/v1/namespaces/" + namespace() + "/pods/" + name() + "/status",
                Json.tree(Map.of("status", Map.of("phase", "Running", "startTime", now,
                        "podIP", address, "podIPs", List.of(Map.of("ip", address)),
                        "conditions", conditions,
                        "containerStatuses", List.of(Map.of("name", container.path("name").asText(),
                                "image", container.path("image").asText(), "imageID", "unpacked", "restartCount", 0,
                                "ready", true, "started", true,
                                "state", Map.of("running", Map.of("startedAt", now)))))))
                        .toString());
    }

    /** Ends the container within its grace period. Returns its exit code. */
    int stop(Process process) throws InterruptedException {
        process.children().forEach(ProcessHandle::destroy);
        assertThat(process.waitFor(pod.at("/spec/terminationGracePeriodSeconds").asInt(), TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private String namespace() {
        return pod.at("/metadata/namespace").asText();
    }

    private String name() {
        return pod.at("/metadata/name").asText();
    }
}
