package io.nodeward.controller.app;

import com.google.inject.Injector;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.RuntimeConfig;
import io.nodeward.core.runtime.RuntimeModule;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.webhook.CleanUp;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What {@code --cleanup} does. */
final class CleanUpRun {
    private static final Logger LOG = LoggerFactory.getLogger(CleanUpRun.class);
    /** Each API server learns by a watch of its own which bindings are gone. */
    private static final Duration UNTIL_REVOKED = Duration.ofSeconds(2);

    private CleanUpRun() {}

    /**
     * Deletes what the selected controllers have registered for admission, and returns when it is gone.
     *
     * @throws IOException if a file cannot be read
     * @throws IllegalStateException if something is there still
     */
    static void of(ControllerCommand options) throws IOException, InterruptedException {
        FeatureGates gates = FeatureGates.of(options.gates);
        Set<KnownController> selected = new ControllerSelection(options.controllers).selected();
        RuntimeConfig config = Nodeward.config(options);
        try (RuntimeModule runtime = new RuntimeModule(config)) {
            Injector injector =
                    Nodeward.injector(options, selected, gates, config, runtime, Nodeward.registry(gates));
            boolean revoked = revoke(options, injector.getInstance(HomeCluster.class));
            List<CleanUp> all = Nodeward.controllers(injector).stream()
                    .filter(CleanUp.class::isInstance).map(CleanUp.class::cast).toList();
            clean(all);
            if (revoked) { // an API server that learned of it later may have let the controller register once more
                Thread.sleep(UNTIL_REVOKED);
                clean(all);
            }
        }
        selected.stream().filter(controller -> !controller.leaves().isEmpty()).forEach(
                controller -> LOG.info("left on purpose, of {}: {}", controller.text(), controller.leaves()));
    }

    private static void clean(List<CleanUp> all) {
        List<String> left = all.stream().flatMap(cleanUp -> cleanUp.run().stream()).toList();
        if (!left.isEmpty()) {
            throw new IllegalStateException("still there: " + String.join(", ", left));
        }
    }

    /** Returns whether there was anything to revoke. */
    private static boolean revoke(ControllerCommand options, HomeCluster home) throws InterruptedException {
        List<ObjectKey> bindings = options.cleanUpBindings.stream().map(CleanUpRun::binding).toList();
        boolean revoked = !options.dryRun && CleanUp.revoke(bindings, home) > 0;
        if (revoked) {
            Thread.sleep(UNTIL_REVOKED);
        }
        return revoked;
    }

    private static ObjectKey binding(String text) {
        int slash = text.indexOf('/');
        return slash < 0 ? ObjectKey.clusterScoped(text)
                : new ObjectKey(text.substring(0, slash), text.substring(slash + 1));
    }
}
