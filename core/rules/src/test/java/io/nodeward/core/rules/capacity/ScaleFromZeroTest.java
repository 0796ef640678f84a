package io.nodeward.core.rules.capacity;

import static io.nodeward.core.rules.Fleet.always;
import static io.nodeward.core.rules.Fleet.once;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.rules.capacity.AutoscalerReader.Seen;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A pod is pending and its group has no Node: whether the autoscaler finds that a Node of the group would do, before
 * and after it is advertised. It leaves startup taints out of its simulation, and takes all others for permanent.
 */
class ScaleFromZeroTest {
    private static final MachineTaint GPU = always("example.com/gpu", "a100", "NoSchedule");
    private static final MachineTaint DRIVER = once("example.com/driver", "", "NoExecute");
    /** Keys that the pod tolerates. */
    private static final Set<String> GPU_POD = Set.of("example.com/gpu");
    private static final Set<String> ANY_POD = Set.of();

    @Test
    void up_to_1_35_a_group_that_is_not_advertised_grows_for_pods_that_it_will_not_take() {
        assertThat(fits(ANY_POD, AutoscalerReader.upTo135(null))).as("before").isTrue();

        List<Seen> advertised = AutoscalerReader.upTo135(Group.EMPTY.declaring(GPU).text());
        assertThat(fits(ANY_POD, advertised)).isFalse();
        assertThat(fits(GPU_POD, advertised)).isTrue();
    }

    @Test
    void a_text_that_has_gone_stale_keeps_a_group_at_zero_until_it_follows_what_is_declared() {
        Group stale = Group.EMPTY.declaring(always("example.com/old", "", "NoSchedule"));
        assertThat(fits(GPU_POD, AutoscalerReader.upTo135(stale.text()))).as("before").isFalse();

        assertThat(fits(GPU_POD, AutoscalerReader.upTo135(stale.declaring(GPU).text()))).isTrue();
    }

    @Test
    void a_taint_for_initialization_keeps_a_group_at_zero_unless_it_is_hidden() {
        for (OnInitialization choice : OnInitialization.values()) {
            CapacityPolicy policy = CapacityPolicy.standard().withOnInitialization(choice);
            String text = Group.EMPTY.plan(policy, GPU, DRIVER).text().orElseThrow();
            boolean hidden = choice != OnInitialization.INCLUDE;

            assertThat(fits(GPU_POD, AutoscalerReader.upTo135(text))).as("up to 1.35, %s", choice).isEqualTo(hidden);
            assertThat(fits(GPU_POD, AutoscalerReader.from136(List.of(GPU, DRIVER), text)))
                    .as("from 1.36 on, %s", choice).isFalse();
        }
    }

    @Test
    void a_taint_for_initialization_with_a_startup_key_keeps_no_group_at_zero() {
        MachineTaint startup = once("startup-taint.cluster-autoscaler.kubernetes.io/driver", "", "NoExecute");
        String text = Group.EMPTY.plan(GPU, startup).text().orElseThrow();

        assertThat(fits(GPU_POD, AutoscalerReader.upTo135(text))).isTrue();
        assertThat(fits(GPU_POD, AutoscalerReader.from136(List.of(GPU, startup), text))).isTrue();
    }

    @Test
    void from_1_36_on_a_copy_that_is_behind_would_win_so_what_is_in_the_spec_is_taken_out() {
        Group before = Group.EMPTY.declaring(always("example.com/gpu", "h100", "NoSchedule"));
        assertThat(AutoscalerReader.from136(List.of(GPU), before.text()))
                .as("before").containsExactly(new Seen("example.com/gpu", "h100", "NoSchedule"));

        CapacityPolicy from136 =
                OnInitializationTest.withAutoscaler(CapacityPolicy.standard(), Autoscaler.READS_SPEC);
        Group after = before.written(before.plan(from136, GPU));
        assertThat(AutoscalerReader.from136(List.of(GPU), after.text()))
                .containsExactly(new Seen("example.com/gpu", "a100", "NoSchedule"));
    }

    private static boolean fits(Set<String> tolerated, List<Seen> taints) {
        return taints.stream()
                .filter(taint -> !taint.key().startsWith("startup-taint.cluster-autoscaler.kubernetes.io/"))
                .filter(taint -> !taint.effect().equals("PreferNoSchedule"))
                .allMatch(taint -> tolerated.contains(taint.key()));
    }
}
