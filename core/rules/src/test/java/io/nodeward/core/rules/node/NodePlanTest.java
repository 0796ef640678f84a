package io.nodeward.core.rules.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.Finding;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.node.NodeChange;
import io.nodeward.core.rules.validation.Warning;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class NodePlanTest {
    private static final NodeChange NONE =
            new NodeChange("n", "1", Optional.empty(), new TreeMap<>(), new TreeMap<>());

    @Test
    void each_warning_is_a_finding_that_says_what_it_concerns() {
        NodePlan plan = new NodePlan(NONE, List.of(
                new Warning(Reason.MALFORMED_TRACKING, "repaired"), new Warning(Reason.UNUSABLE_TAINT, "left out")));

        assertThat(plan.findings()).containsExactly(
                new Finding("MalformedTracking", "repaired", false, true),
                new Finding("UnusableTaint", "left out", true, false));
    }
}
