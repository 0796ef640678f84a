package io.nodeward.core.rules.impact;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Pod;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.Cases;
import io.nodeward.core.rules.impact.Impact.Step;
import io.nodeward.core.rules.toleration.NodeFit;
import io.nodeward.core.rules.toleration.Tolerance;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Pods and Nodes of few kinds, as they are in a fleet. */
class PendingFitsTest {
    /** Of up to ten Pods on up to twelve Nodes each. */
    private static final int FLEETS = Cases.COUNT / 4;
    private static final List<String> KEYS = List.of("a", "b");
    private static final List<String> VALUES = List.of("", "1", "9");
    private static final List<String> EFFECTS = List.of("NoSchedule", "NoExecute", "PreferNoSchedule");
    private static final List<String> OPERATORS = List.of("", "Equal", "Exists", "Lt", "Gt");

    private final Random random = new Random(1);

    private static Metadata metadata(String namespace, String name) {
        return new Metadata(new ObjectKey(namespace, name), "u", "1", Map.of(), Map.of(), List.of(), false);
    }

    private String any(List<String> texts) {
        return texts.get(random.nextInt(texts.size()));
    }

    private Node node(String name) {
        List<Taint> taints = IntStream.range(0, random.nextInt(3)).mapToObj(i -> new Taint(any(KEYS), any(VALUES),
                any(EFFECTS), "{\"timeAdded\":\"" + random.nextInt() + "\"}")).toList();
        return new Node(metadata("", name), "", taints);
    }

    private Step step(String name) {
        return new Step(node(name), node(name));
    }

    private Pod pod(String name) {
        List<Toleration> tolerations = IntStream.range(0, random.nextInt(3)).mapToObj(i -> new Toleration(any(KEYS),
                any(OPERATORS), any(List.of("", "5")), any(List.of("", "NoSchedule", "NoExecute")),
                random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(60))).toList();
        return pod(name, tolerations);
    }

    private static Pod pod(String name, List<Toleration> tolerations) {
        return new Pod(metadata("d", name), "", tolerations, "", "Pending");
    }

    private static List<String> names(List<Step> steps, Predicate<Step> wanted) {
        return steps.stream().filter(wanted).map(step -> step.before().key().name()).sorted().toList();
    }

    /** Each pod with each Node, as if there were no other. */
    private static PendingFit alone(Pod pod, List<Step> steps, Tolerance tolerance) {
        Predicate<Step> before =
                step -> NodeFit.of(step.before().taints(), pod.tolerations(), tolerance).schedulable();
        Predicate<Step> after = step -> NodeFit.of(step.after().taints(), pod.tolerations(), tolerance).schedulable();
        return new PendingFit(pod.key(), names(steps, after.and(before.negate())),
                names(steps, before.and(after.negate())), names(steps, after).size());
    }

    @Test
    void each_pod_is_answered_as_if_it_were_looked_at_with_each_node() {
        int changed = 0;
        for (int fleet = 0; fleet < FLEETS; fleet++) {
            Tolerance tolerance = new Tolerance(random.nextBoolean());
            List<Step> steps = IntStream.range(0, 1 + random.nextInt(12)).mapToObj(i -> step("n" + i)).toList();
            List<Pod> pods = IntStream.range(0, random.nextInt(10)).mapToObj(i -> pod("p" + i)).toList();

            List<PendingFit> pending = Impact.of(steps, pods, List.of(), tolerance).pending();

            assertThat(pending).isEqualTo(pods.stream().map(pod -> alone(pod, steps, tolerance))
                    .filter(PendingFit::isChanged).toList());
            changed += pending.size();
        }
        assertThat(changed).isGreaterThan(FLEETS);
    }

    @Test
    void pods_that_tolerate_the_same_are_looked_at_once() {
        Node tainted = new Node(metadata("", "n"), "", List.of(Taint.of("a", "", "NoSchedule")));
        Step opens = new Step(tainted, new Node(tainted.metadata(), "", List.of()));

        List<PendingFit> pending = Impact.of(List.of(opens),
                List.of(pod("p", List.of(Toleration.exists("b", ""))), pod("q", List.of(Toleration.exists("b", "")))),
                List.of(), Tolerance.DEFAULT).pending();

        assertThat(pending).extracting(fit -> fit.pod().name()).containsExactly("p", "q");
        assertThat(pending.get(0).nowSchedulable()).containsExactly("n").isSameAs(pending.get(1).nowSchedulable());
    }
}
