package io.nodeward.cli.plan;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonNode.OverwriteMode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.cli.declared.GivenTaints;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.core.rules.validation.MachineTaintRules;
import io.nodeward.core.rules.validation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Edited objects, brought into a fleet as Cluster API carries them down in place: from a MachineDeployment, MachineSet or
 * MachinePool to its Machines. What others have added to a Machine stays there.
 */
final class Edit {
    static final String TEMPLATE = "/spec/template";

    private static final Set<String> OWNERS = Set.of("Machine", "MachineSet", "MachineDeployment", "MachinePool");
    private static final Set<String> CLUSTERS = Set.of("Cluster", "ClusterClass");
    private static final String POOL = "MachinePool";
    /** Of v1beta2, and of v1beta1. */
    private static final Set<String> ROLLOUT = Set.of("rollout", "rolloutAfter");

    private static final JsonPointer ANNOTATIONS = JsonPointer.compile("/metadata/annotations");

    private final Snapshot snapshot;
    private final Optional<Boolean> topologies;
    private final Optional<Boolean> pools;
    private final Set<String> warnings;
    private final Undone undone;
    private final List<String> replaced = new ArrayList<>(0);

    Edit(Snapshot snapshot, Plan.Settings settings, Set<String> warnings) {
        this.snapshot = snapshot;
        this.topologies = settings.gates().topologies();
        this.pools = settings.gates().pools();
        this.warnings = warnings;
        this.undone = new Undone(snapshot, settings.gates(), warnings);
    }

    /** Returns the objects on which taints depend, and says how many others there are: a repository declares more than a fleet. */
    static List<Manifest> relevant(List<Manifest> edited, Set<String> warnings) {
        Map<String, Long> others = edited.stream().map(Manifest::id).filter(id -> !isRelevant(id))
                .collect(Collectors.groupingBy(Manifest.Id::kind, TreeMap::new, Collectors.counting()));
        if (!others.isEmpty()) {
            warnings.add("not planned, as no taint depends on them: " + others.entrySet().stream()
                    .map(kind -> kind.getValue() + " " + kind.getKey()).collect(Collectors.joining(", ")));
        }
        return edited.stream().filter(manifest -> isRelevant(manifest.id())).toList();
    }

    static boolean isOwnerOrCluster(String kind) {
        return OWNERS.contains(kind) || kind.equals("Cluster");
    }

    private static boolean isRelevant(Manifest.Id id) {
        return switch (id.group()) {
            case "" -> id.kind().equals("Node");
            case "policy" -> id.kind().equals("PodDisruptionBudget");
            case ClusterApi.GROUP -> OWNERS.contains(id.kind()) || CLUSTERS.contains(id.kind());
            default -> id.group().equals(DedicatedNodes.DEFINITION.group()) || id.group().startsWith("controlplane.");
        };
    }

    void apply(List<Manifest> edited) {
        edited.forEach(this::apply);
        undone.tell();
    }

    /** Owners whose Machines the edit replaces. */
    List<String> replaced() {
        return replaced;
    }

    private void apply(Manifest edited) {
        Manifest.Id id = edited.id();
        switch (id.group() + '/' + id.kind()) {
            case "/Node" -> snapshot.put(NodeEdit.of(there(edited), edited, warnings));
            case "policy/PodDisruptionBudget" -> {
                there(edited);
                declared(edited);
            }
            case "nodeward.io/DedicatedNodes" -> declared(edited);
            case ClusterApi.GROUP + "/Cluster" -> cluster(there(edited), edited);
            default -> {
                if (!id.group().equals(ClusterApi.GROUP) || !OWNERS.contains(id.kind())) {
                    throw edited.error(Instead.of(edited, snapshot));
                }
                owner(there(edited), edited);
            }
        }
    }

    /** An edit does not change the status, which says what is so by now, nor annotations that it does not name. */
    private void declared(Manifest edited) {
        ObjectNode json = edited.json().deepCopy();
        json.remove("status");
        snapshot.find(edited.id()).ifPresent(there -> {
            if (there.json().get("status") instanceof ObjectNode status) {
                json.set("status", status);
            }
            ObjectNode annotations = json.withObject(ANNOTATIONS, OverwriteMode.ALL, true);
            there.json().at(ANNOTATIONS).properties()
                    .forEach(stored -> annotations.putIfAbsent(stored.getKey(), stored.getValue()));
            annotations.removeIf(JsonNode::isNull);
        });
        snapshot.put(new Manifest(json, edited.source()));
    }

    private Manifest there(Manifest edited) {
        boolean nameless = edited.id().key().namespace().isEmpty() && !edited.id().kind().equals("Node");
        return snapshot.find(edited.id()).orElseThrow(() -> edited.error("is edited, but not in the fleet"
                + (nameless ? "; it names no namespace: give one with -n" : "")));
    }

    private void cluster(Manifest there, Manifest edited) {
        requireMeant(there.id().key(), edited);
        PausedEdit.warn(there, edited, warnings);
        TopologyEdit.of(there, edited, snapshot, topologies, warnings).forEach(propagated -> {
            if (propagated.made().id().kind().equals("Machine")) {
                snapshot.put(replaced(propagated.made(), propagated.before(), propagated.after()));
            } else {
                PausedEdit.warn(propagated.made(), propagated.made(), warnings);
                propagate(propagated.made(), propagated.before(), propagated.after());
            }
        });
    }

    private void requireMeant(ObjectKey cluster, Manifest edited) {
        if (!cluster.name().isEmpty() && !snapshot.isMeant(cluster)) {
            throw edited.error("is of Cluster " + cluster + ", but the plan is of " + snapshot.whose());
        }
    }

    private void owner(Manifest there, Manifest edited) {
        String cluster = there.json().at("/spec/clusterName").asText();
        requireMeant(new ObjectKey(there.id().key().namespace(), cluster), edited);
        if (there.id().kind().equals("Machine")) {
            validate(edited, "/spec/taints");
            tellOthers(there, edited, Set.of("taints"));
            snapshot.put(replaced(there, Declared.of(there.json()), Declared.of(edited.json())));
        } else {
            validate(edited, TEMPLATE + "/spec/taints");
            ofTemplate(there, edited);
        }
        snapshot.find(there.id()).ifPresent(after -> undone.add(there, after));
    }

    /** What a server would not store is not planned. */
    private static void validate(Manifest edited, String place) {
        List<Violation> faults = MachineTaintRules.validate(
                place.substring(1).replace('/', '.'), true, GivenTaints.of(edited.json().at(place)));
        if (!faults.isEmpty()) {
            throw edited.error(faults.get(0).field() + ": " + faults.get(0).message());
        }
        if (!place.startsWith("/spec/taints") && edited.json().at("/spec").has("taints")) {
            throw edited.error("spec.taints: this kind declares them in spec.template.spec.taints");
        }
    }

    private void ofTemplate(Manifest there, Manifest edited) {
        Declared before = Declared.of(there.json().at(TEMPLATE));
        Declared after = Declared.of(edited.json().at(TEMPLATE));
        if (Rollout.isDue(there.json().at(TEMPLATE + "/spec"), edited.json().at(TEMPLATE + "/spec"))) {
            replaced.add(there.id().toString());
        }
        tellOthers(there, edited, there.id().kind().equals("MachineDeployment")
                ? Set.of("template", "paused")
                : Set.of("template"));
        if (there.id().kind().equals(POOL)) {
            propagate(PausedEdit.after(there, edited), before, after);
        } else {
            PausedEdit.warn(there, edited, warnings);
            propagate(there, before, after);
            if (PausedEdit.letsRolloutsGo(there, edited) && isRolloutDue(there, edited)) {
                replaced.add(there.id() + " (spec.paused)");
            }
        }
    }

    /** Whether Machines run on another template than the one they are to have. */
    private boolean isRolloutDue(Manifest deployment, Manifest edited) {
        JsonNode template = edited.json().at(TEMPLATE + "/spec");
        return Made.sets(deployment, snapshot).stream()
                .filter(set -> set.json().at("/spec/replicas").asInt(1) > 0)
                .map(set -> set.json().at(TEMPLATE + "/spec"))
                .anyMatch(set -> Rollout.isDue(set, deployment.json().at(TEMPLATE + "/spec"))
                        || Rollout.isDue(set, template));
    }

    private void propagate(Manifest there, Declared before, Declared after) {
        List<Manifest> machines = Made.by(there, snapshot);
        snapshot.put(templated(there, before, after));
        Made.sets(there, snapshot).forEach(set -> snapshot.put(templated(set, before, after)));
        Declared propagated = there.id().kind().equals(POOL) ? ofPool(there, machines, before, after) : after;
        machines.forEach(machine -> snapshot.put(replaced(machine, before, propagated)));
        if (machines.isEmpty() && !there.id().kind().equals(POOL)) {
            warnings.add(there.id() + ": none of its Machines is there");
        }
    }

    /** What comes to the Machines of a pool, which Cluster API itself gives labels and annotations alone. */
    private Declared ofPool(Manifest pool, List<Manifest> machines, Declared before, Declared after) {
        if (machines.isEmpty() || before.taints().equals(after.taints())) {
            return after;
        }
        PausedEdit.warn(pool, pool, warnings);
        cluster(pool).ifPresent(cluster -> PausedEdit.warn(cluster, cluster, warnings));
        if (pools.equals(Optional.of(false))) {
            warnings.add(pool.id() + ": its Machines get no taints, as " + NodeSteps.POOL_GATE + " is off");
            return new Declared(before.taints(), after.labels(), after.annotations());
        }
        if (pools.isEmpty()) {
            warnings.add(NodeSteps.POOLS_NOT_SAID);
        }
        return after;
    }

    private Optional<Manifest> cluster(Manifest owner) {
        return snapshot.find(new Manifest.Id(ClusterApi.GROUP, "Cluster", new ObjectKey(
                owner.id().key().namespace(), owner.json().at("/spec/clusterName").asText())));
    }

    /** What else the edit does, to Machines and to what runs on them. */
    private void tellOthers(Manifest there, Manifest edited, Set<String> planned) {
        JsonNode before = there.json().path("spec");
        for (Map.Entry<String, JsonNode> field : edited.json().path("spec").properties()) {
            if (planned.contains(field.getKey()) || field.getValue().equals(before.path(field.getKey()))) {
                continue;
            }
            boolean removed = field.getValue().isNull(); // Cluster API sets one replica then, and no rollout is due
            boolean fewer = field.getKey().equals("replicas")
                    && (removed ? 1 : field.getValue().asInt()) < before.path("replicas").asInt(1);
            if (fewer || ROLLOUT.contains(field.getKey()) && !removed) {
                replaced.add(there.id() + " (spec." + field.getKey() + ")");
            } else {
                warnings.add(there.id() + ": what the edit of spec." + field.getKey() + " does is not planned");
            }
        }
    }

    private static Manifest templated(Manifest there, Declared before, Declared after) {
        ObjectNode owner = there.json().deepCopy();
        after.replace(before, owner.withObject(TEMPLATE));
        return new Manifest(owner, there.source());
    }

    private static Manifest replaced(Manifest there, Declared before, Declared after) {
        ObjectNode object = there.json().deepCopy();
        after.replace(before, object);
        return new Manifest(object, there.source());
    }
}
