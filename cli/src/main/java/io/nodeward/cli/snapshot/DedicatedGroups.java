package io.nodeward.cli.snapshot;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.ClaimedClasses;
import io.nodeward.api.dedicated.DaemonTemplate;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.dedicated.LabeledNamespace;
import io.nodeward.api.dedicated.PodClaim;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.dedicated.DeclaredGroup;
import io.nodeward.core.rules.dedicated.ListedCluster;
import io.nodeward.core.rules.dedicated.MemberFacts;
import io.nodeward.core.rules.dedicated.NodeSets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Groups of dedicated Nodes, and what of a fleet decides which pods are their members. */
public final class DedicatedGroups {
    public static final String DEVICES = "resource.k8s.io";
    /** The kinds that are looked at, besides pods and Nodes. */
    public static final String NAMESPACES = "namespaces";
    public static final List<String> CLAIMS = List.of("resourceclaims", "resourceclaimtemplates");
    public static final String DAEMON_SETS = "daemonsets";
    static final String APPS = "apps";
    static final String DAEMON_SET = "DaemonSet";
    private static final String NAMESPACE = "Namespace";

    private DedicatedGroups() {}

    public static List<DeclaredGroup> of(Snapshot snapshot) {
        return objects(snapshot).map(DeclaredGroup::of).toList();
    }

    private static Stream<CustomResource<DedicatedNodes>> objects(Snapshot snapshot) {
        return snapshot.all(DedicatedNodes.DEFINITION.group(), DedicatedNodes.DEFINITION.kind()).stream()
                .map(manifest -> Snapshot.read(manifest, DedicatedNodes.PROJECTION));
    }

    /** By the name of the group, why its spec is not in force, as far as the controller reports it for this spec. */
    public static Map<String, String> conflicts(Snapshot snapshot) {
        return objects(snapshot).flatMap(group -> group.conditions().stream()
                .filter(condition -> condition.type().equals(DedicatedNodes.CONFLICT)
                        && condition.status().equals(Condition.TRUE)
                        && condition.observedGeneration() == group.generation())
                .map(condition -> Map.entry(group.key().name(), condition.message())))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (first, second) -> first));
    }

    /** What of all this could not be read. */
    public static Stream<String> gaps(Snapshot snapshot) {
        return Stream.of(Stream.of(DedicatedNodes.DEFINITION.plural(), NAMESPACES, DAEMON_SETS), CLAIMS.stream())
                .flatMap(kinds -> kinds).flatMap(kind -> snapshot.gap(kind).stream());
    }

    /** The cluster with these Nodes, as groups see it. */
    public static ListedCluster cluster(Snapshot snapshot, Collection<Node> nodes) {
        return new ListedCluster(new NodeSets(nodes),
                snapshot.all("", "Pod").stream().map(pod -> Snapshot.read(pod, CandidatePod.PROJECTION)).toList(),
                facts(snapshot),
                snapshot.all(APPS, DAEMON_SET).stream().collect(Collectors.toMap(daemon -> daemon.id().key(),
                        daemon -> Snapshot.read(daemon, DaemonTemplate.PROJECTION))));
    }

    /** Returns what the snapshot shows; it knows no flags, so the namespaces of the system are those by default. */
    public static MemberFacts facts(Snapshot snapshot) {
        return MemberFacts.of(snapshot.all("", NAMESPACE).stream()
                .map(manifest -> Snapshot.read(manifest, LabeledNamespace.PROJECTION)).toList(),
                claim -> requests(snapshot, claim),
                Set.of((MemberFacts.SYSTEM_NAMESPACES + ",nodeward-system").split(",")));
    }

    private static Optional<Set<Set<String>>> requests(Snapshot snapshot, PodClaim claim) {
        return snapshot.find(new Manifest.Id(
                DEVICES, claim.template() ? "ResourceClaimTemplate" : "ResourceClaim", claim.key()))
                .map(manifest -> Snapshot.read(
                        manifest, claim.template() ? ClaimedClasses.OF_TEMPLATE : ClaimedClasses.OF_CLAIM).requests());
    }
}
