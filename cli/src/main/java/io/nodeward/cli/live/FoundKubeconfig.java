package io.nodeward.cli.live;

import io.nodeward.api.json.kubeconfig.MergedKubeconfig;
import io.nodeward.api.json.kubeconfig.MergedKubeconfig.Source;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The kubeconfig that kubectl would take: the given file, else those of {@code $KUBECONFIG}, else {@code ~/.kube/config},
 * else the pod's ServiceAccount.
 *
 * @param file one of those it was read from
 * @param podNamespace of the pod, if it was made from its ServiceAccount
 */
record FoundKubeconfig(MergedKubeconfig kubeconfig, Path file, Optional<String> podNamespace) {
    /** Where the kubelet puts a pod's ServiceAccount. */
    static final Path SERVICE_ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    /**
     * Looks for it.
     *
     * @param given empty for none
     * @param serviceAccount the folder of the pod's ServiceAccount
     * @throws LiveFailure naming what was looked for
     */
    static FoundKubeconfig find(String given, Map<String, String> environment, Path serviceAccount) {
        if (!given.isEmpty()) {
            Path file = Path.of(given);
            return of(List.of(source(file).orElseThrow(() -> LiveFailure.unusable(
                    "error: there is no kubeconfig " + file, "--kubeconfig names it."))));
        }
        Set<Path> files = files(environment);
        List<Source> sources = new ArrayList<>();
        files.forEach(file -> source(file).ifPresent(sources::add));
        if (!sources.isEmpty()) {
            FoundKubeconfig found = of(sources);
            if (!found.kubeconfig.contexts().isEmpty()) {
                return found;
            }
        }
        return inCluster(environment, serviceAccount).orElseThrow(() -> LiveFailure.unusable(
                "error: no kubeconfig: " + looked(files, sources.isEmpty()),
                "Name one with --kubeconfig or $KUBECONFIG; 'kubectl config view' shows what it is to hold."));
    }

    private static String looked(Set<Path> files, boolean missing) {
        String names = String.join(", ", files.stream().map(Path::toString).toList());
        return names + (files.size() > 1
                ? missing ? " do not exist" : " hold no context"
                : missing ? " does not exist" : " holds no context");
    }

    private static Set<Path> files(Map<String, String> environment) {
        Set<Path> files = new LinkedHashSet<>();
        for (String name : environment.getOrDefault("KUBECONFIG", "").split(File.pathSeparator)) {
            if (!name.isEmpty()) {
                files.add(Path.of(name));
            }
        }
        if (files.isEmpty()) {
            files.add(Path.of(environment.getOrDefault("HOME", "."), ".kube", "config"));
        }
        return files;
    }

    private static FoundKubeconfig of(List<Source> sources) {
        try {
            return new FoundKubeconfig(MergedKubeconfig.of(sources), sources.getFirst().file(), Optional.empty());
        } catch (IllegalArgumentException unusable) {
            throw LiveFailure.unusable("error: the kubeconfig cannot be used: " + unusable.getMessage(), "");
        }
    }

    private static Optional<Source> source(Path file) {
        try {
            return Optional.of(new Source(file.toAbsolutePath(), Files.readString(file)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw LiveFailure.unusable("error: the kubeconfig " + file + " cannot be read", Files.isDirectory(file)
                    ? "It is a directory; name a file in it."
                    : Files.isReadable(file) ? "It is no text in UTF-8." : "You may not read that file.");
        }
    }

    // Names the files instead of holding what is in them, as the kubelet renews the token.
    private static Optional<FoundKubeconfig> inCluster(Map<String, String> environment, Path serviceAccount) {
        String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
        if (host.isEmpty() || !Files.isReadable(serviceAccount.resolve("token"))) {
            return Optional.empty();
        }
        String text = """
                clusters: [{name: in-cluster, cluster: {server: "https://%s:%s", certificate-authority: ca.crt}}]
                users: [{name: in-cluster, user: {tokenFile: token}}]
                contexts: [{name: in-cluster, context: {cluster: in-cluster, user: in-cluster}}]
                current-context: in-cluster
                """.formatted(host.contains(":") ? "[" + host + "]" : host,
                environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443"));
        FoundKubeconfig made = of(List.of(new Source(serviceAccount.resolve("kubeconfig").toAbsolutePath(), text)));
        return Optional.of(new FoundKubeconfig(made.kubeconfig, made.file,
                Optional.of(podNamespace(environment, serviceAccount))));
    }

    private static String podNamespace(Map<String, String> environment, Path serviceAccount) {
        String named = environment.getOrDefault("POD_NAMESPACE", "");
        if (!named.isEmpty()) {
            return named;
        }
        try {
            return Files.readString(serviceAccount.resolve("namespace")).strip();
        } catch (IOException e) {
            return "default";
        }
    }
}
