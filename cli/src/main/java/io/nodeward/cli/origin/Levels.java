package io.nodeward.cli.origin;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Condition;
import io.nodeward.cli.declared.StoredTaints;
import io.nodeward.cli.fleet.Document;
import io.nodeward.core.rules.origin.Level;
import io.nodeward.core.rules.origin.Level.Obstacle;
import io.nodeward.core.rules.origin.Missing.Reason;
import io.nodeward.core.rules.origin.Source;
import io.nodeward.core.rules.validation.DeclaringKind;
import io.nodeward.core.rules.validation.DeclaringPlace;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads what one object declares for Nodes, at the places where its kind does so. */
final class Levels {
    private static final String ANYWHERE = "";
    private static final String CONTROL_PLANE = "controlPlane";
    private static final List<String> CONDITIONS = List.of("Blocked", "TopologyBlocked");

    private final Optional<Document> cluster;

    /** @param cluster that the objects belong to, if it is known */
    Levels(Optional<Document> cluster) {
        this.cluster = cluster;
    }

    /** Of a Machine, or of what makes Machines. */
    Level of(Source source, Document document) {
        return of(source, document, ANYWHERE, "");
    }

    /**
     * Of a Cluster's topology, or a ClusterClass.
     *
     * @param list {@code machineDeployments}, {@code machinePools} or {@code controlPlane}
     * @param element name in the topology, or class of workers; empty for the control plane
     */
    Level of(Source source, Document document, String list, String element) {
        DeclaringKind kind = kind(source);
        List<Place> taints = places(kind.taints(), list, element);
        List<Place> annotations = places(kind.annotations(), list, element);
        JsonNode object = document.json();
        List<MachineTaint> declared =
                taints.stream().flatMap(place -> StoredTaints.of(place.in(object)).stream()).toList();
        Map<String, String> texts = new LinkedHashMap<>();
        annotations.forEach(place -> place.in(object).properties().forEach(
                annotation -> texts.put(annotation.getKey(), annotation.getValue().asText())));
        return new Level(source, document.id().kind(), document.id().key(), declared, texts,
                Writers.of(object, taints, annotations), obstacle(document), ofList(source));
    }

    /** From pools to Machines nobody carries lists while the Cluster is paused. */
    private Optional<Obstacle> ofList(Source source) {
        return cluster.filter(found -> source == Source.MACHINE_POOL && isAnnotated(found))
                .map(found -> new Obstacle(Reason.PAUSED, found.id() + " is paused"));
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

    private Optional<Obstacle> obstacle(Document document) {
        if (cluster.filter(Levels::isPausedWithAll).isPresent()) {
            return Optional.of(new Obstacle(Reason.PAUSED, "the Cluster is paused"));
        }
        if (isAnnotated(document)) {
            return Optional.of(new Obstacle(Reason.PAUSED, document.id() + " is paused"));
        }
        for (String place : List.of("/status/conditions", "/status/v1beta2/conditions")) {
            for (JsonNode condition : document.json().at(place)) {
                String type = condition.path("type").asText();
                boolean ours = CONDITIONS.stream().anyMatch(name -> type.equals(Condition.PREFIX + name));
                if (ours && condition.path("status").asText().equals("True")) {
                    return Optional.of(new Obstacle(Reason.BLOCKED, document.id() + " is blocked ("
                            + condition.path("reason").asText() + "): " + condition.path("message").asText()));
                }
            }
        }
        return Optional.empty();
    }

    /** Whether a Cluster is by its spec, and with it all that belongs to it. */
    static boolean isPausedWithAll(Document cluster) {
        return cluster.json().at("/spec/paused").asBoolean();
    }

    /** Whether an object itself is; that of a Cluster does not hold for its Machines. */
    static boolean isAnnotated(Document document) {
        return document.json().at("/metadata/annotations").has(ClusterApi.PAUSED_ANNOTATION);
    }

    static String controlPlane() {
        return CONTROL_PLANE;
    }
}
