package io.nodeward.e2e.controlplane;

import java.nio.file.Path;
import java.util.Optional;

/** Finds the programs: given ones first, then the cache, which builds what it lacks. */
public record Binaries(Optional<Assets> assets, BinaryCache cache) {
    public static Binaries fromEnvironment() {
        return new Binaries(
                Setting.KUBEBUILDER_ASSETS.path().map(Assets::new),
                new BinaryCache(BinaryCache.standardDirectory(), new GoTool("go")));
    }

    /** @throws IllegalStateException if it cannot be had, saying what would help */
    public Path path(Component component) {
        return assets.filter(a -> a.holds(component))
                .map(a -> a.path(component))
                .orElseGet(() -> cache.path(component));
    }
}
