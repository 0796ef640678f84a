package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectChanges;
import java.util.List;
import org.junit.jupiter.api.Test;

class DryRunWriterTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void a_dry_run_writes_no_change_and_counts_each_by_its_kind() {
        DryRunWriter writer = new DryRunWriter(registry);
        List<ObjectChange> changes = List.of(ObjectChanges.ofNode(), ObjectChanges.ofHomeNode(),
                ObjectChanges.ofTaints(), ObjectChanges.ofAnnotations(), ObjectChanges.ofObject());
        assertThat(changes)
                .allSatisfy(change -> assertThat(writer.apply(change, "m", false)).isEqualTo(new Applied.DryRun()));
        assertThat(dryRuns("nodeward.node.writes")).isEqualTo(2);
        assertThat(dryRuns("nodeward.declared.taints.writes")).isOne();
        assertThat(dryRuns("nodeward.annotation.writes")).isOne();
        assertThat(dryRuns("nodeward.object.writes")).isOne();
    }

    private double dryRuns(String name) {
        return registry.get(name).tag("result", "dry_run").counter().count();
    }
}
