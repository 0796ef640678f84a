package io.nodeward.cli.taint;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.cli.declared.StoredTaints;
import io.nodeward.cli.declared.MachineMaker;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.live.LiveFailure;
import io.nodeward.cli.taint.OwnerEditor.PlaceEdit;
import io.nodeward.core.spi.Resource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Refuses to change taints of a Machine that what made it declares as well, so that they would be put back.
 *
 * @param warn takes what could not be found out
 */
record PutBack(LiveCluster management, Consumer<String> warn) {
    /**
     * Of one Machine.
     *
     * @throws IllegalArgumentException naming a taint that would be put back, and what to taint instead
     */
    void require(JsonNode machine, PlaceEdit edit) {
        List<MachineTaint> before = DeclaredList.machineTaints(edit.before());
        List<MachineTaint> after = DeclaredList.machineTaints(edit.edit().taints());
        if (Set.copyOf(before).equals(Set.copyOf(after))) {
            return;
        }
        MachineMaker.reference(machine).flatMap(reference -> maker(machine, reference))
                .ifPresent(maker -> maker.putBack(before, after).stream().findFirst().ifPresent(taint -> {
                    throw new IllegalArgumentException(OwnerKind.MACHINE.typed(machine.at("/metadata/name").asText())
                            + ": " + StoredTaints.text(taint) + " is declared by " + maker.kindAndName()
                            + ", and would be put back: " + maker.instead(machine));
                }));
    }

    private Optional<MachineMaker> maker(JsonNode machine, JsonNode reference) {
        String name = reference.path("name").asText();
        String namespace = machine.at("/metadata/namespace").asText();
        try {
            Optional<Resource> kind = management.kindOf(reference);
            return kind.flatMap(known -> management.find(known, new ObjectKey(namespace, name)))
                    .map(MachineMaker::new);
        } catch (LiveFailure failure) {
            if (!failure.isForbidden()) {
                throw failure;
            }
            warn.accept("Warning: not allowed to get " + reference.path("kind").asText() + " " + name
                    + " in namespace " + namespace
                    + ": whether it declares the same taints, and puts them back, is not known");
            return Optional.empty();
        }
    }
}
