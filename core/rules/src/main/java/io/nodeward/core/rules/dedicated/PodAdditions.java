package io.nodeward.core.rules.dedicated;

import io.nodeward.api.admission.JsonPatch;
import io.nodeward.api.admission.JsonPatch.Operation;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.node.Node;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.selector.LabelSelector.Operator;
import io.nodeward.core.rules.selector.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a pod gets because of its groups.
 *
 * @param tolerations that it lacks
 * @param affinity what each term of its required node affinity has to ask for, by key: groups with one key let it run on the
 *     Nodes of any of them, groups with different keys on Nodes that are of all
 */
public record PodAdditions(List<Toleration> tolerations, List<Requirement> affinity) {
    private static final String TOLERATIONS = "tolerations";
    /** The path in the spec of a pod to the terms of its required node affinity. */
    static final List<String> TERMS = List.of(
            "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms");
    /** A client that chooses among Nodes names a few; a pod's author may name as many as a request can hold, and each is patched. */
    private static final int MOST_TERMS = 1000;

    static final PodAdditions NONE = new PodAdditions(List.of(), List.of());

    public PodAdditions {
        tolerations = List.copyOf(tolerations);
        affinity = List.copyOf(affinity);
    }

    /**
     * Decides. Nobody knows what a truncated pod lacks, so it gets nothing: it would get the same again and again.
     *
     * @param groups those that the pod is to tolerate; affinity comes from those of them that are exclusive
     */
    public static PodAdditions of(CandidatePod pod, List<Group> groups) {
        if (pod.isTruncated()) {
            return NONE;
        }
        List<Toleration> own = pod.pod().tolerations().stream().distinct().toList();
        List<Toleration> all = new ArrayList<>(own);
        for (Group group : groups) {
            if (!group.isFullyToleratedBy(all)) {
                all.add(group.toleration());
            }
        }
        return new PodAdditions(all.subList(own.size(), all.size()), affinity(groups));
    }

    /**
     * What a pod that exists lacks: it can only be given tolerations. A pod that has ended, and one that a kubelet runs by itself,
     * needs none.
     *
     * @param node that it runs on; empty if that is not known
     * @param declared all groups, each as it concerns pods
     */
    public static PodAdditions ofStored(
            CandidatePod pod, Optional<Node> node, Groups declared, MemberFacts facts) {
        return NewEvictions.counts(pod, node)
                ? of(pod, declared.of(pod, facts).stream().filter(Group::acts).toList()).withoutAffinity()
                : NONE;
    }

    PodAdditions withoutAffinity() {
        return new PodAdditions(tolerations, List.of());
    }

    private static List<Requirement> affinity(List<Group> groups) {
        Map<String, TreeSet<String>> values = new TreeMap<>();
        for (Group group : groups) {
            if (group.isEnforced() && group.spec().exclusive()) {
                values.computeIfAbsent(group.labelKey(), key -> new TreeSet<>()).add(group.spec().taint().value());
            }
        }
        return values.entrySet().stream()
                .map(entry -> new Requirement(entry.getKey(), Operator.IN, List.copyOf(entry.getValue())))
                .toList();
    }

    /** Returns why the pod cannot get this; empty if it can. */
    public Optional<String> fault(Tree spec) {
        int terms = spec.at(TERMS).elements().size();
        return affinity.isEmpty() || terms <= MOST_TERMS
                ? Optional.empty()
                : Optional.of("spec." + String.join(".", TERMS) + ": has " + terms
                        + " terms, and a member of an exclusive DedicatedNodes may have " + MOST_TERMS);
    }

    /**
     * Returns the patch of a pod that has this spec, and no {@link #fault}. It does not add again what is there already, so a webhook
     * that is invoked twice changes nothing more.
     */
    public JsonPatch patch(Tree spec) {
        return new JsonPatch(Stream.concat(tolerating(spec.at(TOLERATIONS).elements().isEmpty()),
                affinity.isEmpty() ? Stream.empty() : restricting(spec)).toList());
    }

    /** Returns the patch of a pod that exists: tolerations can be added to it, and nothing else. */
    public JsonPatch patch(CandidatePod stored) {
        return new JsonPatch(tolerating(stored.pod().tolerations().isEmpty()).toList());
    }

    /** @param hasNone whether the pod has no list of tolerations yet */
    private Stream<Operation> tolerating(boolean hasNone) {
        List<Tree> trees = tolerations.stream().map(PodAdditions::tree).toList();
        return hasNone && !trees.isEmpty()
                ? Stream.of(add(List.of(TOLERATIONS), new Tree.Items(trees)))
                : trees.stream().map(tree -> add(List.of(TOLERATIONS, "-"), tree));
    }

    private Stream<Operation> restricting(Tree spec) {
        List<Tree> requirements = affinity.stream().map(PodAdditions::tree).toList();
        List<Tree> terms = spec.at(TERMS).elements();
        return terms.isEmpty()
                ? Stream.of(firstTerm(spec, requirements))
                : IntStream.range(0, terms.size()).boxed()
                        .flatMap(i -> restricting(i, terms.get(i), requirements));
    }

    /** Adds the first field of the path that is missing, with all that is below it. */
    private static Operation firstTerm(Tree spec, List<Tree> requirements) {
        Tree value = Tree.of(List.of(Map.of("matchExpressions", requirements)));
        int depth = TERMS.size();
        while (depth > 1 && !(spec.at(TERMS.subList(0, depth - 1)) instanceof Tree.Fields)) {
            depth--;
            value = Tree.of(Map.of(TERMS.get(depth), value));
        }
        return add(TERMS.subList(0, depth), value);
    }

    /** Terms are alternatives, so each gets them. One without requirements matches no Node, and must not begin to. */
    private static Stream<Operation> restricting(int index, Tree term, List<Tree> requirements) {
        List<Tree> there = term.at("matchExpressions").elements();
        if (there.isEmpty() && term.at("matchFields").elements().isEmpty()) {
            return Stream.empty();
        }
        List<String> list = new ArrayList<>(TERMS);
        list.addAll(List.of(Integer.toString(index), "matchExpressions"));
        if (there.isEmpty()) {
            return Stream.of(add(list, new Tree.Items(requirements)));
        }
        list.add("-");
        return requirements.stream().filter(wanted -> !there.contains(wanted)).map(missing -> add(list, missing));
    }

    private static Operation add(List<String> below, Tree value) {
        return Operation.add(Stream.concat(Stream.of("spec"), below.stream()).toList(), value);
    }

    private static Tree tree(Requirement requirement) {
        return Tree.of(Map.of("key", requirement.key(), "operator", "In", "values", requirement.values()));
    }

    private static Tree tree(Toleration toleration) {
        Map<String, Object> fields = new TreeMap<>(Map.of("key", toleration.key(), "operator", toleration.operator()));
        if (!toleration.value().isEmpty()) {
            fields.put("value", toleration.value());
        }
        return Tree.of(fields);
    }
}
