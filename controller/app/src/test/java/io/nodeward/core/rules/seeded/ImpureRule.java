package io.nodeward.core.rules.seeded;

import io.nodeward.core.spi.Resource;
import java.io.File;
import java.util.concurrent.CompletableFuture;

/** Breaks the arrows, purity, and where threads start. */
public class ImpureRule {
    static int count;

    final Resource resource = new Resource("", "v1", "nodes", false);

    boolean decide() {
        return CompletableFuture.supplyAsync(() -> new File("/x").exists()).join() && System.nanoTime() > count;
    }
}
