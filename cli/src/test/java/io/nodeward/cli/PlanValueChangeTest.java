package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.cli.Cluster.Result;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A taint with another value is another taint to pods: who tolerated the one need not tolerate the other. */
class PlanValueChangeTest {
    @TempDir
    Path directory;

    private static String node(String value) {
        return "{apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {taints: [{key: k, value: " + value
                + ", effect: NoExecute}]}}\n";
    }

    private static String withPod(String value) {
        return node(value) + """
                ---
                apiVersion: v1
                kind: Pod
                metadata: {namespace: shop, name: web}
                spec:
                  nodeName: n1
                  tolerations: [{key: k, operator: Equal, value: old, effect: NoExecute}]
                """;
    }

    private Result plan(String fleet, String edit) throws IOException {
        return new Planning(directory).plan(fleet, edit, "--fail-on", "evictions");
    }

    @Test
    void it_evicts_who_tolerates_the_old_value_alone() throws IOException {
        Result result = plan(withPod("old"), node("new"));
        assertThat(result.out()).contains("1 pod is evicted").contains("shop/web");
        assertThat(result.exit()).isEqualTo(3);
    }

    @Test
    void without_any_pod_nobody_can_tell_whom_it_evicts() throws IOException {
        Result result = plan(node("old"), node("new"));
        assertThat(result.err()).isEqualTo("warning: there is no Pod in -: which pods NoExecute evicts is not known\n");
        assertThat(result.exit()).isEqualTo(3);
    }
}
