package io.nodeward.cli.origin;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.cli.declared.StoredTaints;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.core.rules.origin.DeclaringObject;
import io.nodeward.core.rules.origin.Source;
import io.nodeward.core.rules.validation.DeclaringKind;
import io.nodeward.core.rules.validation.DeclaringPlace;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads what one object declares for Nodes, at the places where its kind does so. */
final class DeclaringObjects {
    private static final String ANYWHERE = "";
    private static final String CONTROL_PLANE = "controlPlane";

    private final Obstacles obstacles;

    /** @param cluster that the objects belong to, if it is known */
    DeclaringObjects(Optional<Manifest> cluster) {
        this.obstacles = new Obstacles(cluster);
    }

    /** Of a Machine, or of what makes Machines. */
    DeclaringObject of(Source source, Manifest manifest, Optional<DeclaringObject> below) {
        return of(source, manifest, ANYWHERE, "", below);
    }

    /**
     * Of a Cluster's topology, or a ClusterClass.
     *
     * @param list {@code machineDeployments}, {@code machinePools} or {@code controlPlane}
     * @param element name in the topology, or class of workers; empty for the control plane
     * @param below who gets what it declares, if it is known
     */
    DeclaringObject of(Source source, Manifest manifest, String list, String element, Optional<DeclaringObject> below) {
        DeclaringKind kind = kind(source);
        List<Place> taints = places(kind.taints(), list, element);
        List<Place> annotations = places(kind.annotations(), list, element);
        JsonNode object = manifest.json();
        List<MachineTaint> declared =
                taints.stream().flatMap(place -> StoredTaints.of(place.in(object)).stream()).toList();
        Map<String, String> texts = new LinkedHashMap<>();
        annotations.forEach(place -> place.in(object).properties().forEach(
                annotation -> texts.put(annotation.getKey(), annotation.getValue().asText())));
        return new DeclaringObject(source, manifest.id().kind(), manifest.id().key(), declared, texts,
                ManagedFields.of(object, taints, annotations), obstacles.of(manifest, below), obstacles.ofList(source));
    }

    private static DeclaringKind kind(Source source) {
        return switch (source) {
            case MACHINE -> DeclaringKind.MACHINE;
            case MACHINE_SET -> DeclaringKind.MACHINE_SET;
            case MACHINE_DEPLOYMENT -> DeclaringKind.MACHINE_DEPLOYMENT;
            case MACHINE_POOL -> DeclaringKind.MACHINE_POOL;
            case CLUSTER -> DeclaringKind.CLUSTER;
            case CLUSTER_CLASS -> DeclaringKind.CLUSTER_CLASS;
            // Any provider that keeps Cluster API's contract has them where kubeadm's has them.
            default -> DeclaringKind.KUBEADM_CONTROL_PLANE;
        };
    }

    private static List<Place> places(List<DeclaringPlace> places, String list, String element) {
        return places.stream()
                .filter(place -> list.equals(ANYWHERE) || place.path().contains(list))
                .map(place -> new Place(place, element))
                .toList();
    }

    static String controlPlane() {
        return CONTROL_PLANE;
    }
}
