package io.nodeward.e2e.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.crd.ShippedCrds;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The CustomResourceDefinition of DedicatedNodes is deleted, and all groups with it. */
@Tag("deep")
class DeletedDefinitionTest {
    private static final int COUNT = 20;

    @Test
    void nodes_keep_their_taint_while_the_definition_and_the_group_may_be_created_again() {
        try (DedicatedSuite suite = new DedicatedSuite(); RunningNodeward nodeward = suite.run()) {
            suite.namespace("kiwi");
            IntStream.range(0, COUNT).forEach(i -> suite.node("n-" + i));
            declare(suite);
            suite.awaitCondition("kiwi", "Ready", "True");
            AuditLog.Mark mark = suite.mark();
            suite.admin().delete("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/dedicatednodes.nodeward.io");
            await("the metric").atMost(MachineSuite.PATIENCE)
                    .until(() -> nodeward.metric("nodeward_dedicated_release_waiting") == COUNT);
            ClusterApiCrds.install(suite.admin(), List.of(ShippedCrds.own("dedicatednodes")));
            declare(suite);
            suite.awaitCondition("kiwi", "Ready", "True");
            await("the end of the release").atMost(MachineSuite.PATIENCE)
                    .until(() -> nodeward.metric("nodeward_dedicated_release_waiting") == 0);
            nodeward.awaitIdle();
            assertThat(suite.nodeWrites(mark)).isEmpty();
            assertThat(IntStream.range(0, COUNT).mapToObj(i -> suite.taints("n-" + i)))
                    .allMatch(taints -> taints.size() == 1);
        }
    }

    private static void declare(DedicatedSuite suite) {
        suite.declare("kiwi", """
                {'nodes':{'names':[%s]},'who':{'namespaces':['kiwi']},'enforcement':'Enforce',
                 'taint':{'key':'dedicated','value':'kiwi','effects':['NoSchedule']}}""".formatted(
                IntStream.range(0, COUNT).mapToObj(i -> "'n-" + i + "'").collect(Collectors.joining(","))));
    }
}
