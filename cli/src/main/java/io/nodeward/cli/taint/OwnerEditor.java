package io.nodeward.cli.taint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Taint;
import io.nodeward.cli.declared.OwnerHome;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.live.LiveFailure;
import io.nodeward.core.rules.command.DryRun;
import io.nodeward.core.rules.command.TaintCommand;
import io.nodeward.core.rules.command.TaintEdit;
import io.nodeward.core.rules.command.TaintEdit.Operation;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Changes the taints that one owner of Nodes after another declares; each write holds on what it was made from. */
final class OwnerEditor {
    private static final int MOST_TRIES = 100;

    private final LiveCluster cluster;
    private final OwnerKind kind;
    private final Resource resource;
    private final TaintCommand command;
    private final TaintOptions request;
    private final PutBack putBack;

    /** @param warn takes what could not be found out */
    OwnerEditor(LiveCluster cluster, OwnerKind kind, TaintCommand command, TaintOptions request,
            Consumer<String> warn) {
        this.cluster = cluster;
        this.kind = kind;
        this.resource = cluster.clusterApi(kind.plural());
        this.command = command;
        this.request = request;
        this.putBack = new PutBack(cluster, warn);
    }

    /** What is to become of one list. */
    record PlaceEdit(OwnerPlace place, List<Taint> before, TaintEdit edit) {}

    /**
     * What was done.
     *
     * @param owner as it is now, or would be
     */
    record Edited(ObjectNode owner, List<PlaceEdit> places) {
        Operation operation() {
            Set<Operation> operations = places.stream()
                    .map(place -> place.edit.operation())
                    .filter(operation -> operation != Operation.UNCHANGED)
                    .collect(Collectors.toSet());
            return operations.isEmpty() ? Operation.UNCHANGED
                    : operations.size() == 1 ? operations.iterator().next() : Operation.MODIFIED;
        }
    }

    Resource resource() {
        return resource;
    }

    /**
     * Applies the command.
     *
     * @throws io.nodeward.core.rules.command.TaintRefusal if the command does not fit what is declared
     * @throws IllegalArgumentException if it belongs elsewhere
     * @throws LiveFailure if the owner is not there or not to be written
     */
    Edited edit(String name) {
        ObjectKey key = new ObjectKey(cluster.namespace(), name);
        for (int tries = 1;; tries++) {
            ObjectNode owner = cluster.get(resource, key);
            requireHome(owner, name);
            List<PlaceEdit> places = places(owner, name);
            command.output().requireKnown();
            if (kind == OwnerKind.MACHINE) {
                places.forEach(place -> putBack.require(owner, place));
            }
            Edited planned = new Edited(owner, places);
            if (planned.operation() == Operation.UNCHANGED) {
                return planned;
            }
            OwnerPatch patch = OwnerPatch.of(owner, places);
            if (command.dryRun() == DryRun.CLIENT) {
                return new Edited(patch.applied(owner), places);
            }
            try {
                ObjectNode reply = cluster.patch(resource, key, Patch.json(patch.body(), manager()),
                        command.dryRun() == DryRun.SERVER);
                requireStored(reply, places, name);
                return new Edited(reply, places);
            } catch (LiveFailure failure) {
                if (!failure.isConflict()) {
                    throw failure;
                }
                if (tries == MOST_TRIES) {
                    throw LiveFailure.unusable("error: " + kind.typed(name) + " was changed by others each time it was"
                            + " to be written, " + tries + " times",
                            "'kubectl get " + kind.plural() + " " + name
                                    + " -o yaml --show-managed-fields' says who writes to it.");
                }
            }
        }
    }

    /** Of a Machine nothing is required here: it may have taints of its own. */
    private void requireHome(JsonNode owner, String name) {
        if (kind == OwnerKind.MACHINE || kind == OwnerKind.CLUSTER) {
            return;
        }
        OwnerHome.of(owner).ifPresent(home -> {
            throw new IllegalArgumentException(
                    kind.typed(name) + " is made from " + home.maker() + ": taint " + home.instead());
        });
    }

    private List<PlaceEdit> places(JsonNode owner, String name) {
        List<PlaceEdit> edits = new ArrayList<>();
        for (OwnerPlace place : OwnerPlace.of(kind, owner, request.place)) {
            List<Taint> before = DeclaredList.read(owner.at(place.path()));
            String subject = kind.typed(name) + (place.name().isEmpty() ? "" : " at " + place.name());
            edits.add(new PlaceEdit(place, before,
                    command.editDeclared(subject, before, request.lenience(), DeclaredList::same)));
        }
        return edits;
    }

    /** A server whose schema does not have the field drops it without a word. */
    private void requireStored(JsonNode reply, List<PlaceEdit> places, String name) {
        for (PlaceEdit place : places) {
            if (reply.at(place.place.path()).size() != place.edit.taints().size()) {
                throw new IllegalArgumentException(kind.typed(name) + " has no " + place.place.path().substring(1)
                        .replace('/', '.') + " in this Cluster API, which dropped it; declare it by an annotation:"
                        + " docs/guide/annotations.md");
            }
        }
    }

    private String manager() {
        return Optional.of(request.fieldManager).filter(name -> !name.equals("kubectl-taint")).orElse("nodeward-cli");
    }
}
