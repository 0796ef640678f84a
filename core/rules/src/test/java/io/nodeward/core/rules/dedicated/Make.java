package io.nodeward.core.rules.dedicated;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.ClusterApiOwner;
import io.nodeward.api.dedicated.DaemonTemplate;
import io.nodeward.api.dedicated.DedicatedEffect;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.dedicated.DedicatedTaint;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.dedicated.PodClaim;
import io.nodeward.api.dedicated.SelectedNodes;
import io.nodeward.api.dedicated.Selector;
import io.nodeward.api.dedicated.Who;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.EvictionMode;
import io.nodeward.api.pod.Pod;
import io.nodeward.api.pod.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/** A group for tests, changed step by step: at first {@code dedicated=NAME:NoSchedule} of no Node and of namespace NAME. */
record Make(String name, DedicatedNodesSpec spec) {
    static final Set<String> SYSTEM = Set.of("kube-system");

    static Make group(String name) {
        return new Make(name, new DedicatedNodesSpec(SelectedNodes.NONE,
                new DedicatedTaint("dedicated", name, List.of(DedicatedEffect.NoSchedule), List.of()), Who.NONE, false,
                false, EnforcementMode.Enforce, OptionalLong.empty(), EvictionMode.DEFAULT)).namespaces(name);
    }

    static Make shared(String name) {
        return group(name).who(Who.NONE).with(true, false);
    }

    Make taint(String key, String value, DedicatedEffect... effects) {
        return new Make(name, new DedicatedNodesSpec(spec.nodes(),
                new DedicatedTaint(key, value, List.of(effects), List.of()), spec.who(), spec.exclusive(),
                spec.shared(),
                spec.enforcement(), spec.confirmedPods(), spec.eviction()));
    }

    Make effects(DedicatedEffect... effects) {
        return taint(spec.taint().key(), spec.taint().value(), effects);
    }

    Make unknownEffect(String effect) {
        DedicatedTaint taint = spec.taint();
        return new Make(name, new DedicatedNodesSpec(spec.nodes(),
                new DedicatedTaint(taint.key(), taint.value(), taint.effects(), List.of(effect)), spec.who(),
                spec.exclusive(), spec.shared(), spec.enforcement(), spec.confirmedPods(), spec.eviction()));
    }

    Make nodes(SelectedNodes nodes) {
        return new Make(name, new DedicatedNodesSpec(nodes, spec.taint(), spec.who(), spec.exclusive(), spec.shared(),
                spec.enforcement(), spec.confirmedPods(), spec.eviction()));
    }

    Make names(String... names) {
        return nodes(new SelectedNodes(spec.nodes().selector(), List.of(names), spec.nodes().owner()));
    }

    Make labelled(Selector selector) {
        return nodes(new SelectedNodes(Optional.of(selector), spec.nodes().names(), spec.nodes().owner()));
    }

    Make owner(ClusterApiOwner owner) {
        return nodes(new SelectedNodes(Optional.empty(), List.of(), Optional.of(owner)));
    }

    Make who(Who who) {
        return new Make(name, new DedicatedNodesSpec(spec.nodes(), spec.taint(), who, spec.exclusive(), spec.shared(),
                spec.enforcement(), spec.confirmedPods(), spec.eviction()));
    }

    Make namespaces(String... namespaces) {
        return who(new Who(List.of(namespaces), Optional.empty(), List.of(), Optional.empty(), List.of(), List.of()));
    }

    Make exclusive() {
        return with(spec.shared(), true);
    }

    private Make with(boolean shared, boolean exclusive) {
        return new Make(name, new DedicatedNodesSpec(spec.nodes(), spec.taint(), spec.who(), exclusive, shared,
                spec.enforcement(), spec.confirmedPods(), spec.eviction()));
    }

    Make mode(EnforcementMode mode) {
        return new Make(name, spec.withEnforcement(mode));
    }

    Make confirmed(long pods) {
        return new Make(name, new DedicatedNodesSpec(spec.nodes(), spec.taint(), spec.who(), spec.exclusive(),
                spec.shared(), spec.enforcement(), OptionalLong.of(pods), spec.eviction()));
    }

    /** Its pods go as their budgets permit. */
    Make respecting() {
        return evicting(new EvictionMode(EvictionMode.RESPECT, OptionalLong.empty()));
    }

    Make evicting(EvictionMode eviction) {
        return new Make(name, new DedicatedNodesSpec(spec.nodes(), spec.taint(), spec.who(), spec.exclusive(),
                spec.shared(), spec.enforcement(), spec.confirmedPods(), eviction));
    }

    Group ready() {
        return new Group(name, spec);
    }

    /** Nothing of it is established yet. */
    DeclaredGroup declared() {
        return new DeclaredGroup(name, spec, Optional.empty());
    }

    DeclaredGroup established() {
        return new DeclaredGroup(name, spec, Optional.of(spec));
    }

    /** This is what is declared, and the other is what is established. */
    DeclaredGroup over(Make applied) {
        return new DeclaredGroup(name, spec, Optional.of(applied.spec));
    }

    /** Where nobody gives pods that exist a toleration. */
    static Resolution resolution(List<DeclaredGroup> declared, ClusterView view) {
        return Resolution.of(declared, view, PodFeatures.NONE);
    }

    static Groups groups(Make... groups) {
        return new Groups(Stream.of(groups).map(Make::ready).toList());
    }

    static Selector selector(String key, String value) {
        return new Selector(Map.of(key, value), List.of());
    }

    static Node node(String name, Taint... taints) {
        return node(name, Map.of(), Map.of(), taints);
    }

    static Node node(String name, Map<String, String> labels, Map<String, String> annotations, Taint... taints) {
        return new Node(new Metadata(ObjectKey.clusterScoped(name), "u-" + name, "42", labels, annotations, List.of(),
                false), "", List.of(taints));
    }

    static CandidatePod pod(String key, String nodeName, Toleration... tolerations) {
        return pod(key, Map.of(), Map.of(), nodeName, "Running", List.of(), tolerations);
    }

    /** A static pod of the Node of this name that {@link #node} makes. */
    static CandidatePod mirror(String key, String nodeName) {
        return mirror(key, nodeName, new OwnerRef("v1", "Node", nodeName, "u-" + nodeName, true));
    }

    static CandidatePod mirror(String key, String nodeName, OwnerRef... owners) {
        return pod(key, Map.of(), Map.of("kubernetes.io/config.mirror", "x"), nodeName, "Running", List.of(owners));
    }

    /** One that has more tolerations than are kept. */
    static CandidatePod truncated(CandidatePod pod) {
        Pod all = pod.pod();
        return new CandidatePod(new Pod(all.metadata(), all.nodeName(), List.of(), "", all.phase(),
                List.of("spec.tolerations (64 distinct)")), pod.serviceAccount(), Set.of(), pod.claims(), false);
    }

    static CandidatePod finished(String key, String nodeName) {
        return pod(key, Map.of(), Map.of(), nodeName, "Succeeded", List.of());
    }

    static CandidatePod daemon(String key, String nodeName, Toleration... tolerations) {
        return pod(key, Map.of(), Map.of(), nodeName, "Running",
                List.of(new OwnerRef("apps/v1", "DaemonSet", "d", "u", true)), tolerations);
    }

    static CandidatePod labelled(String key, String label, String value) {
        return pod(key, Map.of(label, value), Map.of(), "", "Pending", List.of());
    }

    static CandidatePod with(CandidatePod pod, String account, Set<String> resources, PodClaim... claims) {
        return new CandidatePod(pod.pod(), account, resources, List.of(claims), pod.nodeGiven());
    }

    /** Its author has put it there. */
    static CandidatePod put(CandidatePod pod) {
        return new CandidatePod(pod.pod(), pod.serviceAccount(), pod.resources(), pod.claims(), true);
    }

    private static CandidatePod pod(String key, Map<String, String> labels, Map<String, String> annotations,
            String nodeName, String phase, List<OwnerRef> owners, Toleration... tolerations) {
        String[] parts = key.split("/");
        Metadata metadata = new Metadata(
                new ObjectKey(parts[0], parts[1]), "u-" + key, "7", labels, annotations, owners, false);
        return new CandidatePod(
                new Pod(metadata, nodeName, List.of(tolerations), "", phase), "default", Set.of(), List.of(), false);
    }

    static MemberFacts members() {
        return members(Map.of());
    }

    static MemberFacts members(Map<String, Map<String, String>> namespaces) {
        return new MemberFacts(namespaces, ClaimView.NONE, SYSTEM);
    }

    static ListedCluster facts(List<Node> nodes, CandidatePod... pods) {
        return new ListedCluster(new NodeSets(nodes), List.of(pods), members());
    }

    /** @param key of a DaemonSet that asks for no Node and whose template tolerates this */
    static ListedCluster withDaemonSet(ListedCluster cluster, String key, String uid, Toleration... tolerations) {
        CandidatePod template = pod(key, "", tolerations);
        Metadata metadata = new Metadata(template.key(), uid, "7", Map.of(), Map.of(), List.of(), false);
        return new ListedCluster(cluster.nodes(), cluster.all(), cluster.members(),
                Map.of(template.key(), new DaemonTemplate(metadata, template, Tree.ABSENT)));
    }

    /** With all NoExecute allowed. */
    static DedicatedNodePlan plan(Node node, Make... groups) {
        return plan(node, true, groups);
    }

    private static DedicatedNodePlan plan(Node node, boolean noExecute, Make... groups) {
        return DedicatedNodePlan.of(
                node, Stream.of(groups).map(group -> new Placed(group.ready(), noExecute)).toList());
    }

    static Node after(Node node, Make... groups) {
        return plan(node, groups).change().applyTo(node, "42");
    }

    static Node after(Node node, Make group, boolean noExecute) {
        return plan(node, noExecute, group).change().applyTo(node, "42");
    }
}
