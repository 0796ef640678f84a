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
            revoke(options, injector.getInstance(HomeCluster.class));
            List<String> left = Nodeward.controllers(injector).stream()
                    .filter(CleanUp.class::isInstance).map(CleanUp.class::cast)
                    .flatMap(cleanUp -> cleanUp.run().stream()).toList();
            if (!left.isEmpty()) {
                throw new IllegalStateException("still there: " + String.join(", ", left));
            }
        }
        selected.stream().filter(controller -> !controller.leaves().isEmpty()).forEach(
                controller -> LOG.info("left on purpose, of {}: {}", controller.text(), controller.leaves()));
    }

    private static void revoke(ControllerCommand options, HomeCluster home) throws InterruptedException {
        List<ObjectKey> bindings = options.cleanUpBindings.stream().map(CleanUpRun::binding).toList();
        if (!options.dryRun && CleanUp.revoke(bindings, home) > 0) {
            Thread.sleep(UNTIL_REVOKED);
        }
    }

    private static ObjectKey binding(String text) {
        int slash = text.indexOf('/');
        return slash < 0 ? ObjectKey.clusterScoped(text)
                : new ObjectKey(text.substring(0, slash), text.substring(slash + 1));
    }
}
