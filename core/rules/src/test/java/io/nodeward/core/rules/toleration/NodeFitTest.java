package io.nodeward.core.rules.toleration;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Toleration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeFitTest {
    private static final Taint SCHEDULE = Taint.of("a", "1", "NoSchedule");
    private static final Taint PREFER = Taint.of("b", "", "PreferNoSchedule");
    private static final Taint EXECUTE = Taint.of("c", "", "NoExecute");

    @Test
    void the_first_untolerated_taint_in_the_nodes_order_is_named() {
        assertThat(fit(List.of(PREFER, SCHEDULE, EXECUTE)).scheduling()).contains(SCHEDULE);
        assertThat(fit(List.of(PREFER, EXECUTE, SCHEDULE)).scheduling()).contains(EXECUTE);
        assertThat(fit(List.of(SCHEDULE, EXECUTE), Toleration.exists("a", "")).scheduling()).contains(EXECUTE);
        assertThat(fit(List.of(PREFER)).scheduling()).isEmpty();
    }

    @Test
    void the_kubelet_looks_at_no_execute_alone() {
        assertThat(fit(List.of(SCHEDULE, PREFER)).admitted()).isTrue();
        assertThat(fit(List.of(SCHEDULE, PREFER)).schedulable()).isFalse();
        assertThat(fit(List.of(SCHEDULE, EXECUTE)).admission()).contains(EXECUTE);
        assertThat(fit(List.of(SCHEDULE, EXECUTE)).admitted()).isFalse();
        assertThat(fit(List.of(EXECUTE), Toleration.exists("c", "").forSeconds(1)).admitted()).isTrue();
    }

    @Test
    void a_taint_is_told_as_people_write_it() {
        assertThat(NodeFit.text(SCHEDULE)).isEqualTo("a=1:NoSchedule");
        assertThat(NodeFit.text(EXECUTE)).isEqualTo("c:NoExecute");
    }

    @Test
    void a_node_is_the_worse_the_more_it_has_that_is_not_tolerated() {
        Map<String, List<Taint>> nodes = new LinkedHashMap<>();
        nodes.put("three", List.of(PREFER, prefer("x"), prefer("y"), SCHEDULE, EXECUTE));
        nodes.put("none", List.of(SCHEDULE, EXECUTE));
        nodes.put("one", List.of(prefer("x")));
        nodes.put("also-one", List.of(prefer("y")));

        assertThat(NodeScore.rank(nodes, List.of(), Tolerance.DEFAULT)).containsExactly(
                new NodeScore("none", 0, 100),
                new NodeScore("also-one", 1, 67),
                new NodeScore("one", 1, 67),
                new NodeScore("three", 3, 0));
        assertThat(NodeScore.rank(nodes, List.of(Toleration.exists("x", "PreferNoSchedule")), Tolerance.DEFAULT))
                .containsExactly(
                        new NodeScore("none", 0, 100),
                        new NodeScore("one", 0, 100),
                        new NodeScore("also-one", 1, 50),
                        new NodeScore("three", 2, 0));
    }

    @Test
    void only_tolerations_for_the_effect_or_for_any_make_a_node_better() {
        List<Taint> taints = List.of(prefer("x"));

        assertThat(count(taints, Toleration.exists("x", "PreferNoSchedule"))).isZero();
        assertThat(count(taints, Toleration.exists("", ""))).isZero();
        assertThat(count(taints, Toleration.exists("x", "NoSchedule"))).isOne();
        assertThat(NodeScore.rank(Map.of(), List.of(), Tolerance.DEFAULT)).isEmpty();
    }

    private static int count(List<Taint> taints, Toleration toleration) {
        return NodeScore.intolerable(taints, List.of(toleration), Tolerance.DEFAULT);
    }

    private static Taint prefer(String key) {
        return Taint.of(key, "", "PreferNoSchedule");
    }

    private static NodeFit fit(List<Taint> taints, Toleration... tolerations) {
        return NodeFit.of(taints, List.of(tolerations), Tolerance.DEFAULT);
    }
}
