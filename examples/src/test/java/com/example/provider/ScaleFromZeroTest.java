package com.example.provider;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.provider.ScaleFromZero.Patch;
import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ScaleFromZeroTest {
    private static final String MAX = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size";
    private static final List<MachineTaint> GPU =
            List.of(new MachineTaint("example.com/gpu", "a100", "NoSchedule", MachineTaint.ALWAYS));

    private final Map<String, String> annotations =
            new TreeMap<>(Map.of(MAX, "3", CapacityAnnotations.TAINTS, "mine=1:NoExecute"));

    @Test
    void a_provider_keeps_the_annotation_of_its_own_machine_deployment() {
        Patch patch = plan(GPU).orElseThrow();
        assertThat(patch.resourceVersion()).isEqualTo("7");
        write(patch);

        assertThat(annotations).containsEntry(
                CapacityAnnotations.TAINTS, "example.com/gpu=a100:NoSchedule,mine=1:NoExecute");
        assertThat(plan(GPU)).as("it is there").isEmpty();
    }

    @Test
    void what_is_declared_no_more_or_of_no_group_any_more_goes_and_what_the_user_wrote_stays() {
        Map<String, String> before = Map.copyOf(annotations);
        write(plan(GPU).orElseThrow());
        write(plan(List.of()).orElseThrow());
        assertThat(annotations).isEqualTo(before);

        write(plan(GPU).orElseThrow());
        annotations.remove(MAX);
        write(plan(GPU).orElseThrow());
        assertThat(annotations).isEqualTo(Map.of(CapacityAnnotations.TAINTS, "mine=1:NoExecute"));
    }

    private Optional<Patch> plan(List<MachineTaint> taints) {
        Metadata metadata = new Metadata(
                new ObjectKey("fleet", "gpu"), "uid", "7", Map.of(), annotations, List.of(), false);
        return ScaleFromZero.plan(metadata, taints, Map.of());
    }

    private void write(Patch patch) {
        patch.annotations().forEach((annotation, text) -> text.ifPresentOrElse(
                value -> annotations.put(annotation, value), () -> annotations.remove(annotation)));
    }
}
