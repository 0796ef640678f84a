package io.nodeward.controller.app;

import com.google.inject.Injector;
import com.google.inject.Module;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.RuntimeConfig;
import io.nodeward.core.runtime.RuntimeModule;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.runtime.webhook.CleanUp;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.DeleteOptions;
import io.nodeward.core.spi.Resource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What {@code --cleanup} does. */
final class CleanUpRun {
    private static final Logger LOG = LoggerFactory.getLogger(CleanUpRun.class);
    private static final String RBAC = "rbac.authorization.k8s.io";
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
            List<Module> modules =
                    selected.stream().flatMap(controller -> controller.cleanUp(options, gates).stream()).toList();
            Injector injector = Nodeward.injector(options, modules, config, runtime, Nodeward.registry(gates));
            boolean revoked = revoke(options, injector.getInstance(HomeCluster.class).server());
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
    private static boolean revoke(ControllerCommand options, ApiServer home) throws InterruptedException {
        boolean revoked = false;
        for (String binding : options.dryRun ? List.<String>of() : options.cleanUpBindings) {
            revoked |= isDeleted(binding, home);
        }
        if (revoked) {
            Thread.sleep(UNTIL_REVOKED);
        }
        return revoked;
    }

    private static boolean isDeleted(String binding, ApiServer home) {
        int slash = binding.indexOf('/');
        Resource kind = slash < 0 ? Resources.clusterScoped(RBAC, "v1", "clusterrolebindings")
                : Resources.namespaced(RBAC, "v1", "rolebindings");
        try {
            home.delete(kind, new ObjectKey(binding.substring(0, Math.max(slash, 0)), binding.substring(slash + 1)),
                    DeleteOptions.NONE);
        } catch (ApiFailure.NotFound gone) {
            LOG.debug("{} {} is gone already", kind.plural(), binding);
            return false;
        }
        LOG.info("deleted {} {}: nothing is registered any more", kind.plural(), binding);
        return true;
    }
}
