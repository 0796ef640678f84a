package io.nodeward.core.rules.impact;

import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Pod;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.impact.Impact.Step;
import io.nodeward.core.rules.toleration.NodeFit;
import io.nodeward.core.rules.toleration.Tolerance;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * For which pods that wait Nodes become schedulable or filtered out. What a pod tolerates and which taints a Node has
 * decide that alone: of pods that tolerate the same, and of Nodes with the same taints, one is looked at.
 */
final class PendingFits {
    private final Collection<List<Step>> alike;
    private final Tolerance tolerance;
    private final Map<List<Toleration>, Fit> fits = new HashMap<>();

    /** A taint as it is compared with tolerations: since when it is there differs from Node to Node. */
    private record Compared(String key, String value, String effect) {
        static List<Compared> of(Node node) {
            return node.taints().stream().map(taint -> new Compared(taint.key(), taint.value(), taint.effect()))
                    .toList();
        }
    }

    private record Change(List<Compared> before, List<Compared> after) {
        static Change of(Step step) {
            return new Change(Compared.of(step.before()), Compared.of(step.after()));
        }
    }

    private record Fit(List<String> nowSchedulable, List<String> nowFilteredOut, int schedulable) {}

    PendingFits(Collection<Step> steps, Tolerance tolerance) {
        this.alike = steps.stream().collect(Collectors.groupingBy(Change::of)).values();
        this.tolerance = tolerance;
    }

    PendingFit of(Pod pod) {
        Fit fit = fits.computeIfAbsent(pod.tolerations(), this::fit);
        return new PendingFit(pod.key(), fit.nowSchedulable, fit.nowFilteredOut, fit.schedulable);
    }

    private Fit fit(List<Toleration> tolerations) {
        List<String> nowSchedulable = new ArrayList<>();
        List<String> nowFilteredOut = new ArrayList<>();
        int schedulable = 0;
        for (List<Step> steps : alike) {
            boolean before = isSchedulable(steps.get(0).before().taints(), tolerations);
            boolean after = isSchedulable(steps.get(0).after().taints(), tolerations);
            schedulable += after ? steps.size() : 0;
            if (before != after) {
                steps.forEach(step -> (after ? nowSchedulable : nowFilteredOut).add(step.before().key().name()));
            }
        }
        return new Fit(sorted(nowSchedulable), sorted(nowFilteredOut), schedulable);
    }

    private boolean isSchedulable(List<Taint> taints, List<Toleration> tolerations) {
        return NodeFit.of(taints, tolerations, tolerance).schedulable();
    }

    /** All fits of a kind share it: a copy of a copy is none. */
    private static List<String> sorted(List<String> names) {
        return List.copyOf(names.stream().sorted().toList());
    }
}
