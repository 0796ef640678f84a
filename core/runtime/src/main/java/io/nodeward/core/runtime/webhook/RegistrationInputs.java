package io.nodeward.core.runtime.webhook;

import io.nodeward.core.spi.Resource;
import java.util.Set;

/** What decides, besides its settings, what a component registers and answers. The component watches it itself. */
@FunctionalInterface
public interface RegistrationInputs {
    /** There is none. */
    RegistrationInputs NONE = (known, changed) -> known.run();

    /**
     * Starts watching.
     *
     * @param known to be called once, when it is known: nothing is served or registered before
     * @param changed to be called when the registration may have to change
     */
    void start(Runnable known, Runnable changed);

    default void stop() {}

    /** Kinds of the registration itself of which every change makes a call of {@code changed}: nobody else watches them. */
    default Set<Resource> watched() {
        return Set.of();
    }
}
