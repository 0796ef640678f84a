package io.nodeward.core.rules.validation;

import io.nodeward.api.machine.MachineTaint;

/**
 * One item of a declared list as it arrived. Fields the schema does not know are dropped by the server, so not here.
 */
public record DeclaredTaint(Given<String> key, Given<String> value, Given<String> effect, Given<String> propagation) {
    /** A stored taint; the empty value counts as absent. */
    public static DeclaredTaint of(MachineTaint taint) {
        return new DeclaredTaint(
                Given.of(taint.key()),
                taint.value().isEmpty() ? Given.absent() : Given.of(taint.value()),
                Given.of(taint.effect()),
                Given.of(taint.propagation()));
    }
}
