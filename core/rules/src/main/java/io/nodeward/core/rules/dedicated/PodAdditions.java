package io.nodeward.core.rules.dedicated;

import io.nodeward.api.admission.JsonPatch;
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

/**
 * What a pod, or a template of pods, gets because of its groups.
 *
 * @param tolerations that it lacks
 * @param affinity what each term of its required node affinity has to ask for, by key: groups with one key let it run on the
 *     Nodes of any of them, groups with different keys on Nodes that are of all
 */
public record PodAdditions(List<Toleration> tolerations, List<Requirement> affinity) {
    private static final List<String> TERMS = List.of(
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
        List<Toleration> all = new ArrayList<>(pod.pod().tolerations());
        for (Group group : groups) {
            if (!group.isFullyToleratedBy(all)) {
                all.add(group.toleration());
            }
        }
        return new PodAdditions(all.subList(pod.pod().tolerations().size(), all.size()), affinity(groups));
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
    public Optional<String> fault(Tree object, List<String> path) {
        int terms = object.at(path).at(TERMS).elements().size();
        return affinity.isEmpty() || terms <= MOST_TERMS
                ? Optional.empty()
                : Optional.of(String.join(".", path) + "." + String.join(".", TERMS) + ": has " + terms
                        + " terms, and a member of an exclusive DedicatedNodes may have " + MOST_TERMS);
    }

    /**
     * Returns the patch of an object that has or is a pod, and no {@link #fault}. It does not add again what is there already, so a webhook
     * that is invoked twice changes nothing more.
     *
     * @param path to the pod's spec, as {@code [spec]} of a pod and {@code [spec, template, spec]} of a DaemonSet
     */
    public JsonPatch patch(Tree object, List<String> path) {
        Patch patch = new Patch(path, object.at(path));
        patch.tolerate(tolerations);
        if (!affinity.isEmpty()) {
            patch.restrict(affinity.stream().map(PodAdditions::tree).toList());
        }
        return new JsonPatch(patch.operations);
    }

    /** Returns the patch of a pod that exists: tolerations can be added to it, and nothing else. */
    public JsonPatch patch(CandidatePod stored) {
        Patch patch = new Patch(List.of("spec"), Tree.of(Map.of(
                "tolerations", stored.pod().tolerations().stream().map(PodAdditions::tree).toList())));
        patch.tolerate(tolerations);
        return new JsonPatch(patch.operations);
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

    /** The patch of one pod. */
    private static final class Patch {
        private final List<String> path;
        private final Tree spec;
        private final List<JsonPatch.Operation> operations = new ArrayList<>();

        Patch(List<String> path, Tree spec) {
            this.path = path;
            this.spec = spec;
        }

        void tolerate(List<Toleration> tolerations) {
            if (tolerations.isEmpty()) {
                return;
            }
            List<Tree> trees = tolerations.stream().map(PodAdditions::tree).toList();
            if (spec.at("tolerations").elements().isEmpty()) {
                add(at(List.of("tolerations")), new Tree.Items(trees));
                return;
            }
            trees.forEach(tree -> add(at(List.of("tolerations", "-")), tree));
        }

        void restrict(List<Tree> requirements) {
            List<Tree> terms = spec.at(TERMS).elements();
            if (terms.isEmpty()) {
                addTerm(requirements);
                return;
            }
            for (int i = 0; i < terms.size(); i++) {
                restrict(i, terms.get(i), requirements);
            }
        }

        /** Adds the first field of the path that is missing, with all that is below it. */
        private void addTerm(List<Tree> requirements) {
            Tree value = Tree.of(List.of(Map.of("matchExpressions", requirements)));
            int depth = TERMS.size();
            while (depth > 1 && !(spec.at(TERMS.subList(0, depth - 1)) instanceof Tree.Fields)) {
                depth--;
                value = Tree.of(Map.of(TERMS.get(depth), value));
            }
            add(at(TERMS.subList(0, depth)), value);
        }

        /** Terms are alternatives, so each gets them. One without requirements matches no Node, and must not begin to. */
        private void restrict(int index, Tree term, List<Tree> requirements) {
            List<Tree> there = term.at("matchExpressions").elements();
            if (there.isEmpty() && term.at("matchFields").elements().isEmpty()) {
                return;
            }
            List<Tree> missing = requirements.stream().filter(wanted -> !there.contains(wanted)).toList();
            List<String> list = new ArrayList<>(TERMS);
            list.addAll(List.of(Integer.toString(index), "matchExpressions"));
            if (there.isEmpty()) {
                add(at(list), new Tree.Items(missing));
                return;
            }
            list.add("-");
            missing.forEach(requirement -> add(at(list), requirement));
        }

        private void add(List<String> where, Tree value) {
            operations.add(JsonPatch.Operation.add(where, value));
        }

        private List<String> at(List<String> below) {
            List<String> all = new ArrayList<>(path);
            all.addAll(below);
            return all;
        }
    }
}
