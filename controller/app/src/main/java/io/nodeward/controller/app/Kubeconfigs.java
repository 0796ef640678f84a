package io.nodeward.controller.app;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where the management cluster's kubeconfig comes from. */
final class Kubeconfigs {
    /** Where the kubelet puts a pod's ServiceAccount. */
    static final Path SERVICE_ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    /** @param file where it was read from, or would be if made from a pod's ServiceAccount: paths in it are allowed */
    record Found(String text, Path file) {
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
     * @param serviceAccount the folder of the pod's ServiceAccount
     * @throws IOException naming what was looked for
     */
    static Found find(@Nullable Path given, Map<String, String> environment, Path serviceAccount) throws IOException {
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
            return inCluster(host, environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443"), serviceAccount);
        }
        return read(
                Path.of(environment.getOrDefault("HOME", "."), ".kube", "config"),
                "~/.kube/config, as neither --kubeconfig nor $KUBECONFIG is given");
    }

    private static Found read(Path file, String origin) throws IOException {
        try {
            return new Found(Files.readString(file), file);
        } catch (NoSuchFileException e) {
            throw new IOException("no kubeconfig: " + file + " does not exist (" + origin + ")", e);
        } catch (IOException e) {
            throw new IOException("cannot read " + file + " (" + origin + "): " + e.getMessage(), e);
        }
    }

    // Names the files instead of holding what is in them, as the kubelet renews the token.
    private static Found inCluster(String host, String port, Path serviceAccount) throws IOException {
        for (String file : List.of("ca.crt", "token")) {
            if (!Files.isReadable(serviceAccount.resolve(file))) {
                throw new IOException("no kubeconfig: $KUBERNETES_SERVICE_HOST says that this is a pod, but "
                        + serviceAccount.resolve(file) + " cannot be read (automountServiceAccountToken)");
            }
        }
        String address = host.contains(":") ? "[" + host + "]" : host;
        String text = """
                apiVersion: v1
                kind: Config
                clusters:
                - name: in-cluster
                  cluster: {server: "https://%s:%s", certificate-authority: ca.crt}
                users:
                - name: in-cluster
                  user: {tokenFile: token}
                contexts:
                - name: in-cluster
                  context: {cluster: in-cluster, user: in-cluster}
                current-context: in-cluster
                """.formatted(address, port);
        return new Found(text, serviceAccount.resolve("kubeconfig"));
    }
}
