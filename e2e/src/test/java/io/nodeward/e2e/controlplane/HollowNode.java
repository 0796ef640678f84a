package io.nodeward.e2e.controlplane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A real kubelet over a fake container runtime, which is Kubernetes' kubemark: it registers a Node, reports its status, and starts
 * and ends pods of which no container runs. It calls no device driver. It has the rights of a kubelet, and serves on all addresses
 * of this machine, as kubemark has no flag for that.
 */
public record HollowNode(ControlPlane controlPlane, String name, Path directory, LoggedProcess process)
        implements AutoCloseable {
    private static final String PROGRAM = "kubemark";
    private static final String STATIC_PODS = "static-pods";
    /** The lines of the log that name the folder and the socket of this kubelet. Their parent is fixed in kubemark. */
    private static final Pattern ROOT = Pattern.compile("Using (\\S+) as root dir for hollow-kubelet");
    private static final Pattern SOCKET = Pattern.compile("unix://(\\S+/kubelet_remote_\\d+\\.sock)");

    /**
     * Starts the kubelet, and returns when its Node is ready.
     *
     * @param flags of kubemark, such as {@code --register-with-taints=key=value:NoSchedule}
     */
    public static HollowNode start(ControlPlane controlPlane, String name, String... flags) {
        Path directory = Directories.temporary(controlPlane.directory(), "hollow-node-");
        Path kubeconfig =
                controlPlane.file(controlPlane.kubeconfigForUser("system:node:" + name, List.of("system:nodes")));
        List<Integer> ports = Ports.free(2);
        HollowNode node = new HollowNode(controlPlane, name, directory, LoggedProcess.start(PROGRAM,
                Stream.concat(Stream.of(
                        controlPlane.binaries().path(Component.KUBEMARK).toString(),
                        "--morph=kubelet", "--name=" + name, "--kubeconfig=" + kubeconfig, "--cert-dir=" + directory,
                        "--kubelet-port=" + ports.get(0), "--kubelet-read-only-port=" + ports.get(1),
                        "--use-host-image-service=false", "--v=3"), Stream.of(flags)).toList(),
                Map.of(), directory));
        try {
            node.process.awaitReady(node::isReady);
            return node;
        } catch (RuntimeException | Error e) {
            node.close();
            throw e;
        }
    }

    private boolean isReady() {
        AdminClient.Reply reply = controlPlane.admin().send("GET", "/api/v1/nodes/" + name, AdminClient.JSON, "");
        return reply.isOk() && reply.body().at("/status/conditions").valueStream()
                .anyMatch(condition -> condition.path("type").asText().equals("Ready")
                        && condition.path("status").asText().equals("True"));
    }

    /** Writes a manifest into the kubelet's folder of static pods. The kubelet looks for new files every 20 s at the latest. */
    public void staticPod(String file, String manifest) {
        try (Stream<Path> children = Files.list(logged(ROOT).orElseThrow())) {
            Path pods = children.filter(child -> child.getFileName().toString().startsWith(STATIC_PODS)).findFirst()
                    .orElseThrow();
            Files.writeString(pods.resolve(file), manifest);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Optional<Path> logged(Pattern line) {
        return Directories.io(() -> Files.readString(directory.resolve(PROGRAM + ".log"), StandardCharsets.ISO_8859_1))
                .lines().map(line::matcher).filter(Matcher::find).map(found -> Path.of(found.group(1))).findFirst();
    }

    /** Returns the end of what the kubelet logged. */
    public String log() {
        return process.tail();
    }

    /** Ends the kubelet at once. Its Node and its pods stay. */
    @Override
    public void close() {
        process.close();
        Stream.of(ROOT, SOCKET).flatMap(line -> logged(line).stream()).forEach(Directories::delete);
    }
}
