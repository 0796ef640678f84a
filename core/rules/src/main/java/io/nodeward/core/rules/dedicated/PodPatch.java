package io.nodeward.core.rules.dedicated;

import io.nodeward.api.admission.JsonPatch;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.selector.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Adds to a pod, or to a template of pods, what its groups ask for. What is there already is not added again, so that a
 * webhook that is invoked twice changes nothing more.
 */
public final class PodPatch {
    private static final List<String> TERMS = List.of(
            "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms");

    /** Who chooses among Nodes names a few; a pod's author may name as many as a request can hold, and each is patched. */
    private static final int MOST_TERMS = 1000;

    private final List<String> path;
    private final Tree spec;
    private final List<JsonPatch.Operation> operations = new ArrayList<>();

    private PodPatch(List<String> path, Tree spec) {
        this.path = path;
        this.spec = spec;
    }

    /**
     * Of an object that has or is a pod, and no {@link #fault}.
     *
     * @param path to the pod's spec, as {@code [spec]} of a pod and {@code [spec, template, spec]} of a DaemonSet
     */
    public static JsonPatch of(Tree object, List<String> path, PodAdditions additions) {
        PodPatch pod = new PodPatch(path, object.at(path));
        pod.tolerate(additions.tolerations());
        if (!additions.affinity().isEmpty()) {
            pod.restrict(additions.affinity().stream().map(PodPatch::tree).toList());
        }
        return new JsonPatch(pod.operations);
    }

    /** Of a pod that exists: tolerations can be added to it, and nothing else. */
    public static JsonPatch ofStored(CandidatePod stored, PodAdditions additions) {
        PodPatch pod = new PodPatch(List.of("spec"), Tree.of(Map.of(
                "tolerations", stored.pod().tolerations().stream().map(PodPatch::tree).toList())));
        pod.tolerate(additions.tolerations());
        return new JsonPatch(pod.operations);
    }

    /** Why the pod cannot get this; empty if it can. */
    public static Optional<String> fault(Tree object, List<String> path, PodAdditions additions) {
        int terms = object.at(path).at(TERMS).elements().size();
        return additions.affinity().isEmpty() || terms <= MOST_TERMS
                ? Optional.empty()
                : Optional.of(String.join(".", path) + "." + String.join(".", TERMS) + ": has " + terms
                        + " terms, and a member of an exclusive DedicatedNodes may have " + MOST_TERMS);
    }

    private void tolerate(List<Toleration> tolerations) {
        if (tolerations.isEmpty()) {
            return;
        }
        List<Tree> trees = tolerations.stream().map(PodPatch::tree).toList();
        if (spec.at("tolerations").elements().isEmpty()) {
            add(at(List.of("tolerations")), new Tree.Items(trees));
            return;
        }
        trees.forEach(tree -> add(at(List.of("tolerations", "-")), tree));
    }

    private void restrict(List<Tree> requirements) {
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
