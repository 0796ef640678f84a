package io.nodeward.cli.explain;

import io.nodeward.api.pod.Pod;
import io.nodeward.core.rules.impact.Budget;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tells what evictions that respect PodDisruptionBudgets wait for. */
public final class BudgetWords {
    private BudgetWords() {}

    /** Returns the budgets that permit fewer of these pods to go now than there are, and how many pods have several budgets. */
    public static Stream<String> of(Collection<Pod> evicted, List<Budget> all) {
        List<List<Budget>> ofPods = evicted.stream()
                .map(pod -> all.stream().filter(budget -> budget.covers(pod)).toList()).toList();
        Map<Budget, Long> pods = ofPods.stream().filter(some -> some.size() == 1).flatMap(List::stream)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        long several = ofPods.stream().filter(some -> some.size() > 1).count();
        return Stream.concat(
                pods.entrySet().stream().filter(held -> held.getKey().allowed() < held.getValue())
                        .sorted(Comparator.comparing(held -> held.getKey().key()))
                        .map(held -> "PodDisruptionBudget " + held.getKey().key() + ", which permits "
                                + held.getKey().allowed() + " of " + Words.counted(held.getValue(), "pod")
                                + " to go now"),
                Stream.of(Words.counted(several, "pod") + " that several PodDisruptionBudgets select:"
                        + " the API server evicts no such pod").filter(any -> several > 0));
    }
}
