package io.nodeward.cli.explain;

import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.ClusterTopology;
import io.nodeward.api.machine.ClusterTopology.ControlPlaneRef;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.TaintId;
import io.nodeward.cli.origin.Ancestry;
import io.nodeward.cli.origin.NodeScopes;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.core.rules.fleet.Pause;
import io.nodeward.core.rules.origin.DeclaringObject;
import io.nodeward.core.rules.origin.NodeOrigins;
import io.nodeward.core.rules.origin.NodeScope.Gates;
import io.nodeward.core.rules.origin.Source;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * All that declares taints for the Nodes of a Cluster, from above to the Nodes.
 *
 * @param clusterClass that its topology is made of; empty if it has none
 * @param paused whether the Cluster itself is; what it makes may go on
 */
public record Tree(Manifest cluster, String clusterClass, boolean paused, List<Branch> branches,
        List<String> warnings) {
    /** Made by nobody who declares: control planes come first, then what has most below it. */
    private static final List<String> GROUPS = List.of("MachineDeployment", "MachineSet", "MachinePool", "Machine");

    public Tree {
        branches = List.copyOf(branches);
        warnings = List.copyOf(warnings);
    }

    /**
     * An object, and what it made.
     *
     * @param declared by it, and for it by the Cluster and its class
     */
    public record Branch(Manifest manifest, List<Line> declared, List<Branch> branches, List<Leaf> nodes) {
        Stream<Leaf> leaves() {
            return Stream.concat(nodes.stream(), branches.stream().flatMap(Branch::leaves));
        }
    }

    /**
     * One declared taint.
     *
     * @param missing how many of the Nodes below do not have it
     */
    public record Line(DeclaringObject level, DeclaringObject.Declared declared, long missing, long nodes) {}

    /** @param origins of its taints; empty if the Node is not known */
    public record Leaf(String node, Optional<NodeOrigins> origins) {
        boolean has(TaintId id) {
            return origins.filter(known -> known.taints().stream()
                    .anyMatch(origin -> origin.taint().id().equals(id))).isPresent();
        }

        /** Whether it has what is declared, and nothing else. */
        boolean isAsDeclared() {
            return origins.filter(known -> known.missing().isEmpty() && known.taints().stream().allMatch(
                    origin -> Marks.of(origin) == Marks.DECLARED)).isPresent();
        }
    }

    /** @throws NoSuchObjectException if the fleet does not have the Cluster */
    public static Tree of(Snapshot snapshot, ObjectKey cluster, Gates gates) throws NoSuchObjectException {
        Manifest found = snapshot.find(new Manifest.Id(ClusterApi.GROUP, "Cluster", cluster))
                .orElseThrow(() -> new NoSuchObjectException("there is no Cluster " + cluster
                        + "; is it in another namespace (-n), or is this not the management cluster?"));
        Set<String> warnings = new LinkedHashSet<>();
        ClusterTopology topology = snapshot.topology(found);
        List<Branch> branches = new Growing(snapshot, cluster, gates, warnings).branches(found);
        warnings.addAll(snapshot.gaps());
        return new Tree(found, Ancestry.classOf(topology).map(ObjectKey::toString).orElse(""),
                Pause.isPaused(Snapshot.read(found, Projection.CLUSTER)), branches, List.copyOf(warnings));
    }

    private static final class Growing {
        private final Snapshot snapshot;
        private final ObjectKey cluster;
        private final Ancestry ancestry;
        private final Map<Manifest.Id, List<Manifest>> children = new HashMap<>();
        private final Map<Manifest.Id, List<Leaf>> leaves = new HashMap<>();

        Growing(Snapshot snapshot, ObjectKey cluster, Gates gates, Set<String> warnings) {
            this.snapshot = snapshot;
            this.cluster = cluster;
            this.ancestry = new Ancestry(snapshot);
            NodeScopes scopes = new NodeScopes(snapshot, gates, warnings);
            for (Manifest manifest : snapshot.all("", "Node")) {
                Node node = Snapshot.read(manifest, Projection.NODE);
                scopes.owner(node).ifPresent(owner -> leaves
                        .computeIfAbsent(owner.id(), id -> new ArrayList<>())
                        .add(new Leaf(node.key().name(), Optional.of(NodeOrigins.of(scopes.of(manifest))))));
            }
        }

        List<Branch> branches(Manifest found) {
            List<Manifest> roots = new ArrayList<>();
            Set<Manifest.Id> known = new HashSet<>();
            controlPlane(found).filter(manifest -> known.add(manifest.id())).ifPresent(roots::add);
            for (String kind : GROUPS) {
                for (Manifest manifest : snapshot.clusterApi(kind)) {
                    if (isOfCluster(manifest)) {
                        place(manifest, roots, known);
                    }
                }
            }
            roots.sort(Comparator.comparing((Manifest root) -> Ancestry.source(root) != Source.CONTROL_PLANE));
            return roots.stream().map(this::branch).toList();
        }

        private void place(Manifest manifest, List<Manifest> roots, Set<Manifest.Id> known) {
            Optional<Manifest> parent = ancestry.controller(manifest);
            parent.ifPresent(above -> children.computeIfAbsent(above.id(), id -> new ArrayList<>()).add(manifest));
            Manifest root = parent.filter(above -> Ancestry.source(above) == Source.CONTROL_PLANE).orElse(manifest);
            boolean isRoot = parent.isEmpty() || root != manifest;
            if (isRoot && known.add(root.id())) {
                roots.add(root);
            }
        }

        /** It may have no Machines, or none that Cluster API has made. */
        private Optional<Manifest> controlPlane(Manifest found) {
            ControlPlaneRef ref = snapshot.topology(found).controlPlaneRef();
            return snapshot.find(new Manifest.Id(ref.group(), ref.kind(),
                    new ObjectKey(cluster.namespace(), ref.name())));
        }

        private boolean isOfCluster(Manifest manifest) {
            return manifest.id().key().namespace().equals(cluster.namespace())
                    && manifest.json().at("/spec/clusterName").asText().equals(cluster.name());
        }

        private Branch branch(Manifest manifest) {
            List<Branch> below = children.getOrDefault(manifest.id(), List.of()).stream().map(this::branch).toList();
            Branch bare = new Branch(manifest, List.of(), below, nodes(manifest));
            return new Branch(manifest, lines(manifest, bare), below, bare.nodes);
        }

        /** A Machine has at most one; that it has none yet is seen too. */
        private List<Leaf> nodes(Manifest manifest) {
            String name = manifest.json().at("/status/nodeRef/name").asText();
            return leaves.getOrDefault(manifest.id(), Ancestry.source(manifest) == Source.MACHINE && !name.isEmpty()
                    ? List.of(new Leaf(name, Optional.empty()))
                    : List.of());
        }

        private List<Line> lines(Manifest manifest, Branch branch) {
            List<Leaf> all = branch.leaves().toList();
            List<Line> lines = new ArrayList<>();
            for (DeclaringObject level : ancestry.of(manifest).levels()) {
                boolean own = level.key().equals(manifest.id().key()) && level.kind().equals(manifest.id().kind());
                boolean above = level.source() == Source.CLUSTER || level.source() == Source.CLUSTER_CLASS;
                if (own || above && ancestry.controller(manifest).isEmpty()) {
                    level.declared().forEach(declared -> lines.add(new Line(level, declared,
                            all.stream().filter(leaf -> !leaf.has(declared.taint().id())).count(), all.size())));
                }
            }
            return lines;
        }
    }
}
