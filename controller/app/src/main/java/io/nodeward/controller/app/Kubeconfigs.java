package io.nodeward.controller.app;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where the management cluster's kubeconfig comes from. */
final class Kubeconfigs {
    private static final Path SERVICE_ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    /** @param file where it was read from; empty if made from a pod's ServiceAccount */
    record Found(String text, Optional<Path> file) {
        /** Never shows the text. */
        @Override
        public String toString() {
            return "Found[" + file + "]";
        }
    }

    private Kubeconfigs() {}

    /**
     * The given file, else the one of {@code $KUBECONFIG}, else the pod's ServiceAccount, else {@code ~/.kube/config}.
     *
     * @throws IOException naming what was looked for
     */
    static Found find(@Nullable Path given, Map<String, String> environment) throws IOException {
        if (given != null) {
            return read(given, "--kubeconfig");
        }
        String variable = environment.getOrDefault("KUBECONFIG", "");
        if (variable.contains(File.pathSeparator)) {
            throw new IOException("$KUBECONFIG names several files; give one with --kubeconfig");
        }
        if (!variable.isEmpty()) {
            return read(Path.of(variable), "$KUBECONFIG");
        }
        String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
        if (!host.isEmpty()) {
            return new Found(inCluster(host, environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443")), Optional.empty());
        }
        return read(Path.of(environment.getOrDefault("HOME", "."), ".kube", "config"), "~/.kube/config, as neither --kubeconfig nor $KUBECONFIG is given");
    }

    private static Found read(Path file, String origin) throws IOException {
        try {
            return new Found(Files.readString(file), Optional.of(file));
        } catch (NoSuchFileException e) {
            throw new IOException("no kubeconfig: " + file + " does not exist (" + origin + ")", e);
        } catch (IOException e) {
            throw new IOException("cannot read " + file + " (" + origin + "): " + e.getMessage(), e);
        }
    }

    /** A kubeconfig that names the ServiceAccount's files, which the kubelet renews. */
    static String inCluster(String host, String port) {
        String address = host.contains(":") ? "[" + host + "]" : host;
        return """
                apiVersion: v1
                kind: Config
                clusters:
                - name: in-cluster
                  cluster: {server: "https://%s:%s", certificate-authority: "%s"}
                users:
                - name: in-cluster
                  user: {tokenFile: "%s"}
                contexts:
                - name: in-cluster
                  context: {cluster: in-cluster, user: in-cluster}
                current-context: in-cluster
                """
                .formatted(address, port, SERVICE_ACCOUNT.resolve("ca.crt"), SERVICE_ACCOUNT.resolve("token"));
    }
}
