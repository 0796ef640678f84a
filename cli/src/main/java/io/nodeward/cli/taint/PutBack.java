package io.nodeward.cli.taint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.live.LiveFailure;
import io.nodeward.cli.taint.OwnerEditor.PlaceEdit;
import io.nodeward.core.spi.Resource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Taints of a Machine that what made it declares as well. Whoever carries them applies those, and no others: a change
 * of one of them is undone, and others on the Machine stay.
 */
final class PutBack {
    private static final List<String> TEMPLATE = List.of("/spec/template/spec/taints");
    private static final List<String> CONTROL_PLANE =
            List.of("/spec/machineTemplate/spec/taints", "/spec/machineTemplate/taints");

    private final LiveCluster management;
    private final Consumer<String> warn;

    /** @param warn takes what could not be found out */
    PutBack(LiveCluster management, Consumer<String> warn) {
        this.management = management;
        this.warn = warn;
    }

    /**
     * Of one Machine.
     *
     * @throws IllegalArgumentException naming a taint that would be put back, and what to taint instead
     */
    void require(JsonNode machine, PlaceEdit edit) {
        List<TaintId> changed = changed(edit.before(), edit.edit().taints());
        if (changed.isEmpty()) {
            return;
        }
        machine.at("/metadata/ownerReferences").valueStream().filter(PutBack::isMaker).findFirst()
                .ifPresent(maker -> made(machine, maker).ifPresent(object -> require(machine, object, edit, changed)));
    }

    private static boolean isMaker(JsonNode reference) {
        String group = reference.path("apiVersion").asText().split("/")[0];
        String kind = reference.path("kind").asText();
        return group.equals(ClusterApi.GROUP) && (kind.equals("MachineSet") || kind.equals("MachinePool"))
                || group.startsWith("controlplane.");
    }

    private Optional<ObjectNode> made(JsonNode machine, JsonNode maker) {
        String name = maker.path("name").asText();
        String namespace = machine.at("/metadata/namespace").asText();
        try {
            Optional<Resource> kind = management.kindOf(maker);
            return kind.flatMap(known -> management.find(known, new ObjectKey(namespace, name)));
        } catch (LiveFailure failure) {
            if (!failure.isForbidden()) {
                throw failure;
            }
            warn.accept("Warning: not allowed to get " + maker.path("kind").asText() + " " + name + " in namespace "
                    + namespace + ": whether it declares the same taints, and puts them back, is not known");
            return Optional.empty();
        }
    }

    private static void require(JsonNode machine, ObjectNode maker, PlaceEdit edit, List<TaintId> changed) {
        for (Taint declared : declared(maker)) {
            boolean kept = edit.edit().taints().stream()
                    .anyMatch(taint -> taint.id().equals(declared.id()) && DeclaredList.same(taint, declared));
            if (!kept && changed.contains(declared.id())) {
                throw new IllegalArgumentException(OwnerKind.MACHINE.typed(machine.at("/metadata/name").asText()) + ": "
                        + DeclaredList.text(declared) + " is declared by " + told(maker) + ", and would be put back: "
                        + instead(machine, maker));
            }
        }
    }

    private static List<TaintId> changed(List<Taint> before, List<Taint> after) {
        return Stream.concat(before.stream().filter(taint -> lacks(after, taint)),
                after.stream().filter(taint -> lacks(before, taint))).map(Taint::id).distinct().toList();
    }

    private static boolean lacks(List<Taint> taints, Taint wanted) {
        return taints.stream()
                .noneMatch(taint -> taint.id().equals(wanted.id()) && DeclaredList.same(taint, wanted));
    }

    private static List<Taint> declared(ObjectNode maker) {
        return (isControlPlane(maker) ? CONTROL_PLANE : TEMPLATE).stream()
                .flatMap(path -> DeclaredList.read(maker.at(path)).stream()).toList();
    }

    private static String instead(JsonNode machine, ObjectNode maker) {
        if (isControlPlane(maker)) {
            return OwnerHome.topology(machine).map(cluster -> "taint " + cluster)
                    .orElse("edit spec.machineTemplate of " + told(maker));
        }
        return "taint " + OwnerHome.topology(maker).or(() -> OwnerHome.topology(machine))
                .or(() -> OwnerHome.deployment(maker)).orElseGet(() -> typed(maker));
    }

    private static String typed(ObjectNode maker) {
        OwnerKind kind = maker.path("kind").asText().equals("MachinePool")
                ? OwnerKind.MACHINE_POOL
                : OwnerKind.MACHINE_SET;
        return kind.typed(maker.at("/metadata/name").asText());
    }

    private static String told(ObjectNode maker) {
        return maker.path("kind").asText() + " " + maker.at("/metadata/name").asText();
    }

    private static boolean isControlPlane(ObjectNode maker) {
        return !maker.path("apiVersion").asText().startsWith(ClusterApi.GROUP + "/");
    }
}
