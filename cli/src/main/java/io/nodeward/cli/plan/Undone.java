package io.nodeward.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.cli.declared.MachineMaker;
import io.nodeward.cli.declared.OwnerHome;
import io.nodeward.cli.declared.StoredTaints;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.OwnerReferences;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.core.rules.fleet.Lineage;
import io.nodeward.core.rules.origin.NodeScope.Gates;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Tells which edits may not last, as what made the edited object declares something else. */
final class Undone {
    private static final String TAINTS = "/spec/taints";
    private static final String ANNOTATIONS = "/metadata/annotations";

    private final Snapshot snapshot;
    private final Gates gates;
    private final Set<String> warnings;
    private final List<Change> changes = new ArrayList<>(0);

    private record Change(Manifest before, Manifest after) {
        Manifest.Id id() {
            return before.id();
        }

        Manifest.Id id(OwnerRef maker) {
            return new Manifest.Id(Lineage.group(maker), maker.kind(),
                    new ObjectKey(id().key().namespace(), maker.name()));
        }
    }

    Undone(Snapshot snapshot, Gates gates, Set<String> warnings) {
        this.snapshot = snapshot;
        this.gates = gates;
        this.warnings = warnings;
    }

    /** Takes note of an edited Machine, or of what makes Machines. */
    void add(Manifest before, Manifest after) {
        changes.add(new Change(before, after));
    }

    /** To be called once all edits are in the fleet: what is edited together with its MachineDeployment lasts. */
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
        JsonNode before = change.before.json();
        JsonNode after = change.after.json();
        if (taints(before).equals(taints(after))) {
            return;
        }
        OwnerReferences.maker(before).map(change::id)
                .ifPresent(id -> snapshot.find(id).ifPresentOrElse(
                        found -> machine(change, new MachineMaker(found.json()), id.kind().equals("MachinePool")),
                        () -> warnings.add(snapshot.gap(id.kind()).orElse(change.id() + ": " + id
                                + " is not there: whether it puts this edit back is not known"))));
    }

    /** All that declares any. */
    private static List<Map<String, JsonNode>> taints(JsonNode machine) {
        Declared declared = Declared.of(machine);
        Map<String, JsonNode> annotations = new HashMap<>(declared.annotations());
        annotations.keySet().removeIf(name -> !name.startsWith(TaintAnnotations.PREFIX));
        return List.of(declared.taints(), annotations);
    }

    private void machine(Change change, MachineMaker maker, boolean isPool) {
        JsonNode before = change.before.json();
        JsonNode after = change.after.json();
        for (String annotation : maker.putBack(before.at(ANNOTATIONS), after.at(ANNOTATIONS))) {
            warnings.add(change.id() + ": annotation " + annotation + " is declared by " + maker.kindAndName()
                    + ", and is put back");
        }
        boolean propagates = !isPool || gates.propagates() && gates.pools().orElse(true);
        for (MachineTaint taint : propagates
                ? maker.putBack(StoredTaints.of(before.at(TAINTS)), StoredTaints.of(after.at(TAINTS)))
                : List.<MachineTaint>of()) {
            warnings.add(change.id() + ": " + StoredTaints.text(taint) + " is declared by " + maker.kindAndName()
                    + ", and is put back: " + maker.instead(before));
            if (isPool && gates.pools().isEmpty()) {
                warnings.add(NodeSteps.POOLS_NOT_SAID);
            }
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
        return OwnerReferences.maker(change.before.json())
                .flatMap(maker -> snapshot.find(change.id(maker)))
                .filter(owner -> Declared.of(owner.json().at(Edit.TEMPLATE)).has(before, after))
                .isPresent();
    }
}
