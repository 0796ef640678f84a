package io.nodeward.e2e.controlplane;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The go.mod files below {@code control-plane/}: the one place where versions of the control plane are written. */
enum GoModule {
    ETCD("etcd", "go.etcd.io/etcd/server/v3", "main.go", ""),
    KUBERNETES("kubernetes", "k8s.io/kubernetes", "tools.go", "k8s.io/component-base/version"),
    KUBERNETES_1_36("kubernetes-1.36", "k8s.io/kubernetes", "tools.go", "k8s.io/component-base/version"),
    CLUSTER_API("cluster-api", "sigs.k8s.io/cluster-api", "tools.go", "sigs.k8s.io/cluster-api/version"),
    CLUSTER_API_1_13("cluster-api-1.13", "sigs.k8s.io/cluster-api", "tools.go", "sigs.k8s.io/cluster-api/version"),
    CLUSTER_API_1_12("cluster-api-1.12", "sigs.k8s.io/cluster-api", "tools.go", "sigs.k8s.io/cluster-api/version"),
    HELM("helm", "helm.sh/helm/v4", "tools.go", ""),
    HELM_3("helm-3", "helm.sh/helm/v3", "tools.go", ""),
    CRANE("crane", "github.com/google/go-containerregistry", "tools.go", ""),
    /** Without the service discoveries, which are most of what would be compiled. */
    PROMETHEUS("prometheus", "github.com/prometheus/prometheus", "tools.go", "", "remove_all_sd");

    private final String directory;
    private final String path;
    private final String source;
    private final String versionPackage;
    private final String tags;

    GoModule(String directory, String path, String source, String versionPackage) {
        this(directory, path, source, versionPackage, "");
    }

    GoModule(String directory, String path, String source, String versionPackage, String tags) {
        this.directory = directory;
        this.path = path;
        this.source = source;
        this.versionPackage = versionPackage;
        this.tags = tags;
    }

    /** Import path of the module that the version belongs to. */
    String path() {
        return path;
    }

    /** As in go.mod, {@code v1.37.2}. */
    String version() {
        return found(Pattern.compile("(?m)^(?:require\\s+|\\t)" + Pattern.quote(path) + " (v\\S+)"));
    }

    /** The oldest Go that builds it, {@code 1.26.0}. */
    String goVersion() {
        return found(Pattern.compile("(?m)^go (\\S+)"));
    }

    /** Linker flags; without the version the API server calls itself v0.0.0. */
    String linkerFlags() {
        if (versionPackage.isEmpty()) {
            return "-s -w";
        }
        String[] numbers = version().substring(1).split("\\.");
        return "-s -w -X %1$s.gitVersion=%2$s -X %1$s.gitMajor=%3$s -X %1$s.gitMinor=%4$s"
                .formatted(versionPackage, version(), numbers[0], numbers[1]);
    }

    /** Build tags. */
    String tags() {
        return tags;
    }

    /** Copies the module: a build may complete go.mod and go.sum, and must not touch the pinned ones. */
    void copyTo(Path target) {
        for (String file : List.of("go.mod", "go.sum", source)) {
            Directories.write(target.resolve(file), text(file));
        }
    }

    private String found(Pattern pattern) {
        Matcher matcher = pattern.matcher(text("go.mod"));
        if (!matcher.find()) {
            throw new IllegalStateException(directory + "/go.mod has no line like " + pattern);
        }
        return matcher.group(1);
    }

    private String text(String file) {
        return Directories.resource("/io/nodeward/e2e/control-plane/" + directory + "/" + file);
    }
}
