package io.nodeward.e2e.controlplane;

import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The machine's own Go.
 *
 * @param go the command, {@code go} for the one in PATH
 */
record GoTool(String go) {
    /** @throws IllegalStateException if there is no Go or an older one, naming what to do */
    void build(Component component, Path target) {
        GoModule module = component.module();
        requireVersion(module);
        inCopy(module, copy -> run(copy, "build", "-ldflags", module.linkerFlags(), "-tags", module.tags(), "-o",
                target.toString(), component.goPackage()).orThrow("go build of " + component.cacheName()));
    }

    /** Where the module's files are in Go's module cache; downloads them when they are not there. */
    Path sources(GoModule module) {
        Path cached = moduleCache().resolve(module.path() + "@" + module.version());
        if (!Files.isDirectory(cached)) {
            requireVersion(module);
            inCopy(module, copy -> run(copy, "mod", "download", module.path()).orThrow("go mod download"));
        }
        return cached;
    }

    private Path moduleCache() {
        return Setting.GOMODCACHE.path().orElseGet(() -> {
            try {
                Path here = Path.of("").toAbsolutePath();
                return Path.of(run(here, "env", "GOMODCACHE").orThrow("go env").out().strip());
            } catch (UncheckedIOException e) {
                return Path.of(System.getProperty("user.home"), "go", "pkg", "mod");
            }
        });
    }

    private void requireVersion(GoModule module) {
        String needed = module.goVersion();
        String found;
        try {
            found = run(Path.of("").toAbsolutePath(), "env", "GOVERSION").orThrow("go env").out().strip();
        } catch (UncheckedIOException e) {
            throw new IllegalStateException(missing(module, needed, "there is no '" + go + "' here"), e);
        }
        if (Version.parse(found.replaceFirst("^go", "")).compareTo(Version.parse(needed)) < 0) {
            throw new IllegalStateException(missing(module, needed, "'" + go + "' is " + found));
        }
    }

    private static String missing(GoModule module, String needed, String found) {
        return """
                %s %s is neither given nor in the cache, and building it needs Go %s or later: %s.
                Either install Go, or set KUBEBUILDER_ASSETS to a directory with etcd, kube-apiserver and kubectl,
                or set NODEWARD_E2E_KUBECONFIG to the kubeconfig of a cluster that may be used for tests (kind will do).
                Cluster API's manager and kubectl beside an existing cluster may also be copied into the cache, %s."""
                .formatted(module.path(), module.version(), needed, found, BinaryCache.standardDirectory());
    }

    private static void inCopy(GoModule module, Consumer<Path> work) {
        Path copy = Directories.io(() -> Files.createTempDirectory("nodeward-go-"));
        try {
            module.copyTo(copy);
            work.accept(copy);
        } finally {
            Directories.delete(copy);
        }
    }

    /** @throws UncheckedIOException if there is no such program */
    private Command.Result run(Path directory, String... arguments) {
        List<String> words = new ArrayList<>(List.of(go));
        words.addAll(List.of(arguments));
        // GOTOOLCHAIN: an older Go would download a newer one, which is more than a test may do on its own.
        return new Command(words, Map.of("CGO_ENABLED", "0", "GOFLAGS", "-mod=mod", "GOTOOLCHAIN", "local"), directory)
                .run("");
    }
}
