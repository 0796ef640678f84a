package io.nodeward.cli.taint;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.rules.command.Lenience;
import io.nodeward.core.rules.command.TaintCommand;
import java.time.Duration;

/**
 * What is asked of a command beside kubectl's own words.
 *
 * @param selector as given
 * @param managedFields whether objects are printed with theirs
 * @param awaits whether to wait for what comes of it
 * @param timeout of that; zero for none
 * @param propagation of declared taints
 * @param place of a Cluster; else empty
 */
record TaintRequest(String selector, String fieldManager, boolean managedFields, Lenience lenience,
        boolean awaits, Duration timeout, String propagation, String place) {

    /**
     * Checks what belongs together.
     *
     * @param owners whether it is about owners of Nodes
     * @throws IllegalArgumentException naming the flags
     */
    void require(TaintCommand command, boolean owners) {
        if (!MachineTaint.ALWAYS.equals(propagation) && !MachineTaint.ON_INITIALIZATION.equals(propagation)) {
            throw new IllegalArgumentException("--propagation is Always or OnInitialization, not " + propagation);
        }
        if (!owners && (!place.isEmpty() || !MachineTaint.ALWAYS.equals(propagation))) {
            throw new IllegalArgumentException("--place and --propagation are for owners of Nodes, not for Nodes");
        }
        if (awaits && command.removed().isEmpty() && MachineTaint.ON_INITIALIZATION.equals(propagation)) {
            throw new IllegalArgumentException(
                    "--wait waits for nothing: with OnInitialization, Nodes that are there stay as they are");
        }
    }
}
