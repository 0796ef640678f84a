package io.nodeward.controller.app;

import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.webhook.CleanUp;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Whether the process does its work, for its readiness probe. */
final class Readiness {
    private final Map<String, Supplier<Optional<String>>> parts = new LinkedHashMap<>();
    private volatile boolean ending;

    /** @param unsynced what is missing in the caches */
    Readiness(Supplier<Optional<String>> unsynced, Collection<Controller> controllers) {
        parts.put("caches", unsynced);
        controllers.forEach(controller -> parts.put(controller.name(), controller::unready));
    }

    /** From now on it is not ready, so that nobody new is sent here. */
    void end() {
        ending = true;
    }

    /**
     * What is missing; empty if nothing is.
     *
     * @param part {@code caches}, or a controller by its name; empty for all
     */
    Optional<String> missing(String part) {
        if (ending) {
            return Optional.of("it is stopping");
        }
        if (part.isEmpty()) {
            return parts.values().stream().map(Supplier::get).flatMap(Optional::stream).findFirst();
        }
        if (parts.containsKey(CleanUp.nameFor(part))) {
            return Optional.empty(); // it is switched off, and a probe that asks for it must not stop the rollout
        }
        return parts.getOrDefault(part, () -> Optional.of("there is no such part as " + part)).get();
    }
}
