package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DedicatedAnnotations;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.dedicated.DedicatedTaint;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.dedicated.SelectedNodes;
import io.nodeward.api.dedicated.Who;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.EvictionMode;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.label.LabelDomains;
import io.nodeward.core.rules.selector.LabelSelector;
import io.nodeward.core.rules.toleration.Tolerance;
import io.nodeward.core.rules.validation.MachineTaintRules;
import io.nodeward.core.rules.validation.NodeAcceptance;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What one DedicatedNodes declares, made ready for many Nodes and pods. */
public final class Group {
    private static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

    private static final Tolerance COMPARING = new Tolerance(true);

    /** One key of it is for users, and detaches the volumes of a Node that is out of service. */
    static final String KUBERNETES = "node.kubernetes.io/";
    private static final Set<String> AUTOSCALER =
            Set.of("ToBeDeletedByClusterAutoscaler", "DeletionCandidateOfClusterAutoscaler");
    /** The domain of taints that it leaves out of its simulation, with a prefix such as {@code startup-taint.}. */
    private static final String AUTOSCALER_DOMAIN = "cluster-autoscaler.kubernetes.io/";

    private final String name;
    private final DedicatedNodesSpec spec;
    private final Optional<LabelSelector> selector;
    private final Set<String> names;
    private final Map<String, String> annotations;
    private final Members members;
    private final Optional<String> fault;
    private final List<Taint> taints;
    /** The taints, and what stands in for them until they are confirmed. */
    private final Set<Taint> reserved;
    private final List<Taint> ofAnyEffect;

    /** @param name of the DedicatedNodes */
    public Group(String name, DedicatedNodesSpec spec) {
        SelectedNodes nodes = spec.nodes();
        this.name = name;
        this.spec = spec;
        this.selector = nodes.selector().map(Selectors::of);
        this.names = Set.copyOf(nodes.names());
        this.annotations = nodes.owner().map(owner -> owner.annotations()).orElse(Map.of());
        this.members = new Members(spec.who());
        this.fault = findFault();
        this.taints = taints(spec.taint().effectsOnNode());
        this.reserved = Stream.concat(taints.stream(), taints.stream().map(Group::standIn))
                .collect(Collectors.toUnmodifiableSet());
        this.ofAnyEffect = taints(EFFECTS);
    }

    public String name() {
        return name;
    }

    public DedicatedNodesSpec spec() {
        return spec;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || other instanceof Group group && name.equals(group.name) && spec.equals(group.spec);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    public boolean isEnforced() {
        return spec.enforcement() == EnforcementMode.Enforce;
    }

    /** Returns whether it does anything to pods. */
    boolean acts() {
        return spec.enforcement() != EnforcementMode.Audit;
    }

    boolean isWarned() {
        return spec.enforcement() == EnforcementMode.Warn;
    }

    /** Returns the key of the label that its Nodes have, with the taint's value: no kubelet may set it. */
    public String labelKey() {
        return LabelDomains.restricted(spec.taint().key());
    }

    /** Returns what its pods get: it holds for all effects, so that it stays right when those change. */
    public Toleration toleration() {
        return Toleration.equalTo(spec.taint().key(), spec.taint().value(), "");
    }

    /** Returns the taints that its Nodes get; none if no Node accepts them. */
    public List<Taint> taints() {
        return taints;
    }

    /** Returns which of its taints the Node has. */
    List<Taint> taintsOn(Node node) {
        return node.taints().stream().filter(taint -> taints.stream()
                .anyMatch(own -> own.id().equals(taint.id()) && own.value().equals(taint.value()))).toList();
    }

    private List<Taint> taints(Collection<String> effects) {
        DedicatedTaint taint = spec.taint();
        return fault.isPresent()
                ? List.of()
                : effects.stream().map(effect -> Taint.of(taint.key(), taint.value(), effect)).toList();
    }

    /** Returns what a Node gets until it may get this one. */
    static Taint standIn(Taint taint) {
        return taint.effect().equals("NoExecute") ? Taint.of(taint.key(), taint.value(), "NoSchedule") : taint;
    }

    /** Returns whether pods that tolerate the other's taint tolerate this one's: on such Nodes each is a guest of the other. */
    boolean hasTaintOf(Group other) {
        return toleration().equals(other.toleration());
    }

    /** Returns whether the other, which this one becomes by an edit, keeps no pod off its Nodes any more. */
    boolean isWeakenedBy(Group other) {
        return keepsOff() && !other.keepsOff();
    }

    private boolean keepsOff() {
        return spec.taint().effectsOnNode().stream().anyMatch(Group::keepsOff);
    }

    private static boolean keepsOff(String effect) {
        return !effect.equals("PreferNoSchedule");
    }

    /** Returns whether the taint, of a Node, is one that the Node loses when this group gives it up. */
    boolean isLost(Taint taint) {
        return hasKeyAndValueOf(taint) && (keepsOff(taint.effect()) || !keepsOff());
    }

    /** Returns whether its members may use the other's Nodes: it is the other, or gives pods the same toleration. */
    boolean admitsTo(Group other) {
        return name.equals(other.name) || acts() && hasTaintOf(other);
    }

    /** Returns a group without Nodes and pods that stands for the one that this taint was set for; it is named as the taint. */
    static Group unknown(Taint taint) {
        return new Group(unknownName(taint.key(), taint.value()), new DedicatedNodesSpec(SelectedNodes.NONE,
                new DedicatedTaint(taint.key(), taint.value(), List.of(), List.of()), Who.NONE, false, false,
                EnforcementMode.Audit, OptionalLong.empty(), EvictionMode.DEFAULT));
    }

    static String unknownName(String key, String value) {
        return key + "=" + value;
    }

    boolean hasKeyAndValueOf(Taint taint) {
        return taint.key().equals(spec.taint().key()) && taint.value().equals(spec.taint().value());
    }

    /** Returns its taints, of any effect that they have now or later, past which these let a pod, each with the number of seconds. */
    private Map<Taint, Long> passed(Collection<Toleration> tolerations, Tolerance by) {
        Map<Taint, Long> passed = new HashMap<>();
        for (Toleration toleration : tolerations) {
            ofAnyEffect.stream().filter(taint -> by.tolerates(toleration, taint)).forEach(
                    taint -> passed.merge(taint, toleration.seconds().orElse(Long.MAX_VALUE), Math::max));
        }
        return passed;
    }

    /**
     * Returns whether any of these lets a pod past a taint that its Nodes have now or once it is confirmed, for however long. It
     * compares numbers, too: a server that does not stores no toleration that would.
     */
    public boolean isToleratedBy(Collection<Toleration> tolerations) {
        return !Collections.disjoint(passed(tolerations, COMPARING).keySet(), reserved);
    }

    /** Returns the first of these that {@link #isToleratedBy} and that lets a pod past more of its taints, or for longer, than others do. */
    Optional<Toleration> firstBeyond(List<Toleration> tolerations, Collection<Toleration> others) {
        List<Toleration> some = tolerations.stream().filter(one -> isToleratedBy(List.of(one))).toList();
        Map<Taint, Long> known = some.isEmpty() ? Map.of() : passed(others, COMPARING);
        return some.stream().filter(one -> passed(List.of(one), COMPARING).entrySet().stream()
                .anyMatch(each -> each.getValue() > known.getOrDefault(each.getKey(), Long.MIN_VALUE))).findFirst();
    }

    /** Returns whether nothing is to be added to these: they let a pod past its taint whatever effect that has, now or later. */
    boolean isFullyToleratedBy(List<Toleration> tolerations) {
        return passed(tolerations, Tolerance.DEFAULT).keySet().containsAll(ofAnyEffect);
    }

    /** Returns whether it declares this Node. A shared group declares none: {@link Groups} knows which Nodes are left. */
    public boolean selects(Node node) {
        return !spec.shared()
                && (names.contains(node.key().name())
                        || selector.filter(by -> by.matches(node.metadata().labels())).isPresent()
                        || !annotations.isEmpty() && node.metadata().annotations().entrySet()
                                .containsAll(annotations.entrySet()));
    }

    /** Returns whether a Node may become one of it whatever its name is. */
    boolean mayGainAny() {
        return spec.shared() || selector.isPresent() || !annotations.isEmpty();
    }

    /** Returns what the pod is to this group. A shared group declares no pod: {@link Groups} knows which pods are left. */
    public Membership membership(CandidatePod pod, MemberFacts facts) {
        return spec.shared() ? Membership.NONE : members.of(pod, facts);
    }

    /** Returns whether it may declare a pod of this namespace. */
    boolean mayAdmit(String namespace, MemberFacts facts) {
        return !spec.shared() && members.mayBeIn(namespace, facts);
    }

    /** Returns the namespaces of its members, unless it {@link #isOfAllNamespaces}. */
    public Stream<String> namespaces(MemberFacts facts) {
        return members.namespaces(facts);
    }

    /** Returns whether pods of any namespace may be its members. */
    public boolean isOfAllNamespaces() {
        return spec.shared() || members.isAnywhere();
    }

    /** Returns why no Node can have its taint or label; empty if Nodes can. */
    public Optional<String> fault() {
        return fault;
    }

    private Optional<String> findFault() {
        DedicatedTaint taint = spec.taint();
        if (!NodeAcceptance.isQualifiedName(taint.key()) || !NodeAcceptance.isLabelValue(taint.value())) {
            return Optional.of("spec.taint: no Node accepts " + taint.key() + "=" + taint.value());
        }
        if (!NodeAcceptance.isQualifiedName(labelKey())) {
            return Optional.of("spec.taint.key: its domain is too long for the label " + labelKey());
        }
        Optional<String> taken = takenKey(taint.key());
        if (taken.isPresent()) {
            return taken;
        }
        if (!taint.unknownEffects().isEmpty()) {
            return Optional.of("spec.taint.effects: this version does not know "
                    + String.join(", ", taint.unknownEffects()));
        }
        if (!spec.eviction().respectsBudgets() && !spec.eviction().name().equals(EvictionMode.DELETE)) {
            return Optional.of("spec.eviction: this version does not know " + spec.eviction().name());
        }
        return taint.effects().isEmpty() ? Optional.of("spec.taint.effects: none is known") : Optional.empty();
    }

    /** Returns who has another use for taints with this key. */
    private static Optional<String> takenKey(String key) {
        String whose = "";
        if (MachineTaintRules.isReserved(key) || MachineTaintRules.isLifecycle(key) || key.startsWith(KUBERNETES)) {
            whose = "another controller sets and removes ";
        } else if (AUTOSCALER.contains(key) || key.contains(AUTOSCALER_DOMAIN)) {
            whose = "the cluster-autoscaler sets, removes or ignores taints with the key ";
        } else if (Groups.CONTROL_PLANE.contains(key)) {
            whose = "Nodes of control planes are recognized by ";
        } else if (LabelDomains.restricted(key).equals(DedicatedAnnotations.DIGEST)) {
            whose = "Nodeward itself uses the label of ";
        }
        return whose.isEmpty() ? Optional.empty() : Optional.of("spec.taint.key: " + whose + key);
    }

    /**
     * Returns what of it a stolen kubelet or anyone who creates pods could use, and what of it nothing acts on yet.
     *
     * @param features what is done to pods
     */
    public List<Finding> findings(PodFeatures features) {
        List<Finding> findings = new ArrayList<>();
        String open = spec.nodes().selector().stream()
                .flatMap(Selectors::keys)
                .filter(LabelDomains::isOpenToKubelets)
                .distinct().sorted()
                .collect(Collectors.joining(", "));
        if (!open.isEmpty()) {
            findings.add(new Finding(Finding.Reason.SelectorNotTrusted,
                    "spec.nodes.selector: a kubelet may set these labels of its own Node: " + open));
        }
        if (!annotations.isEmpty()) {
            findings.add(new Finding(Finding.Reason.SelectorNotTrusted,
                    "spec.nodes.owner: a kubelet may set annotations of its own Node"));
        }
        if (spec.who().podSelector().isPresent()) {
            findings.add(new Finding(Finding.Reason.PodSelectorNotTrusted,
                    "spec.who.podSelector: anyone who creates a pod chooses its labels"));
        }
        FieldsNotInEffect.of(spec, features).ifPresent(findings::add);
        return findings;
    }
}
