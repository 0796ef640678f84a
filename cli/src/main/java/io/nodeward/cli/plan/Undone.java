package io.nodeward.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.cli.declared.DeclaredTaints;
import io.nodeward.cli.declared.MachineMaker;
import io.nodeward.cli.declared.OwnerHome;
import io.nodeward.cli.fleet.Document;
import io.nodeward.cli.fleet.Fleet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Tells which edits may not last, as what made the edited object declares something else. */
final class Undone {
    private static final String TAINTS = "/spec/taints";

    private final Fleet fleet;
    private final Optional<Boolean> pools;
    private final Set<String> warnings;
    private final List<Change> changes = new ArrayList<>(0);

    private record Change(Document before, Document after) {
        Document.Id id() {
            return before.id();
        }

        Document.Id maker(String group, JsonNode reference) {
            return new Document.Id(group, reference.path("kind").asText(),
                    new ObjectKey(id().key().namespace(), reference.path("name").asText()));
        }
    }

    /**
     * For one fleet.
     *
     * @param pools the controller's gate MachinePoolTaintPropagation; empty if it is not said
     */
    Undone(Fleet fleet, Optional<Boolean> pools, Set<String> warnings) {
        this.fleet = fleet;
        this.pools = pools;
        this.warnings = warnings;
    }

    /** Takes note of an edited Machine, or of what makes Machines. */
    void add(Document before, Document after) {
        changes.add(new Change(before, after));
    }

    /** To be called once all edits are in the fleet: what is edited together with its maker lasts. */
    void tell() {
        for (Change change : changes) {
            if (change.id().kind().equals("Machine")) {
                machine(change);
            } else {
                template(change);
            }
        }
    }

    private void machine(Change change) {
        JsonNode machine = change.before.json();
        List<MachineTaint> before = DeclaredTaints.of(machine.at(TAINTS));
        List<MachineTaint> after = DeclaredTaints.of(change.after.json().at(TAINTS));
        if (Set.copyOf(before).equals(Set.copyOf(after))) {
            return;
        }
        MachineMaker.reference(machine)
                .map(reference -> change.maker(reference.path("apiVersion").asText().split("/")[0], reference))
                .filter(id -> !id.kind().equals("MachinePool") || pools.orElse(true))
                .ifPresent(id -> fleet.find(id).ifPresentOrElse(
                        found -> putBack(change.before, new MachineMaker(found.json()), before, after),
                        () -> fleet.gap(id.kind() + ' ').ifPresent(warnings::add)));
    }

    private void putBack(Document machine, MachineMaker maker, List<MachineTaint> before, List<MachineTaint> after) {
        for (MachineTaint taint : maker.putBack(before, after)) {
            warnings.add(machine.id() + ": " + DeclaredTaints.text(taint) + " is declared by " + maker.told()
                    + ", and is put back: " + maker.instead(machine.json()));
        }
    }

    private void template(Change change) {
        Declared before = Declared.of(change.before.json().at(Edit.TEMPLATE));
        Declared after = Declared.of(change.after.json().at(Edit.TEMPLATE));
        if (before.equals(after) || isDeclaredAbove(change, before, after)) {
            return;
        }
        OwnerHome.of(change.before.json()).ifPresent(home -> warnings.add(change.id() + " is made from " + home.maker()
                + ", which may undo this edit: "
                + (before.taints().equals(after.taints()) ? "edit " + home.typed() : "taint " + home.instead())));
    }

    private boolean isDeclaredAbove(Change change, Declared before, Declared after) {
        return change.before.json().at("/metadata/ownerReferences").valueStream()
                .filter(reference -> reference.path("kind").asText().equals("MachineDeployment"))
                .flatMap(reference -> fleet.find(change.maker(ClusterApi.GROUP, reference)).stream())
                .anyMatch(owner -> Declared.of(owner.json().at(Edit.TEMPLATE)).has(before, after));
    }
}
