package io.nodeward.core.rules.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.rules.Cases;
import io.nodeward.core.rules.capacity.AutoscalerReader.Seen;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What holds for every node group and policy. A failure prints the seed that leads to it. */
class CapacityLawsTest {
    private static final Predicate<CapacityCase> GATE_ON = c -> c.policy.propagatesTaints();

    @Test
    void planning_the_result_again_changes_nothing() {
        forAll(c -> true, c -> {
            CapacityPlan again = c.plan(c.after);
            assertThat(again.isDue()).as("second plan: %s", again).isFalse();
            assertThat(again.text()).isEqualTo(c.plan.text());
        });
    }

    @Test
    void a_text_is_read_as_the_autoscaler_reads_it() {
        forAll(c -> c.before.text() != null, c -> assertThat(CapacityTaints.read(c.before.text()))
                .extracting(taint -> new Seen(taint.key(), taint.value(), taint.effect()))
                .containsExactlyElementsOf(AutoscalerReader.upTo135(c.before.text())));
    }

    @Test
    void what_is_written_reads_back_to_what_was_meant() {
        forAll(GATE_ON.and(CapacityCase::concerned), c -> assertThat(seen(c.after))
                .isEqualTo(new HashSet<>(c.expected().values())));
    }

    @Test
    void the_text_is_written_exactly_when_it_says_something_else() {
        forAll(GATE_ON.and(CapacityCase::concerned), c -> assertThat(c.plan.changesText())
                .isEqualTo(!seen(c.before).equals(new HashSet<>(c.expected().values()))));
    }

    @Test
    void every_version_of_the_autoscaler_sees_the_same() {
        forAll(GATE_ON.and(c -> c.policy.onInitialization() == OnInitialization.INCLUDE
                && c.policy.autoscaler() != Autoscaler.READS_SPEC && !c.wanted().isEmpty()), c -> {
                    List<MachineTaint> spec = c.spec.usable();
                    assertThat(new HashSet<>(AutoscalerReader.from136(spec, c.after.text()))).isEqualTo(seen(c.after));
                });
    }

    @Test
    void an_autoscaler_that_reads_the_spec_sees_what_is_declared_even_if_only_the_rest_is_written() {
        forAll(GATE_ON.and(c -> c.policy.onInitialization() == OnInitialization.INCLUDE
                && c.policy.autoscaler() == Autoscaler.READS_SPEC), c -> {
                    List<Seen> all = AutoscalerReader.from136(c.spec.usable(), c.after.text());
                    Map<String, Seen> users = c.users();
                    c.spec.usable().forEach(t -> assertThat(all).contains(users.getOrDefault(
                            t.key() + ":" + t.effect(), new Seen(t.key(), t.value(), t.effect()))));
                });
    }

    @Test
    void users_entries_are_never_lost() {
        forAll(c -> true, c -> {
            assertThat(seen(c.after)).containsAll(c.users().values());
            assertThat(CapacityCase.unreadable(c.after.text()))
                    .isEqualTo(CapacityCase.unreadable(c.before.text()));
        });
    }

    @Test
    void users_entries_are_never_tracked() {
        forAll(c -> c.plan.isDue(), c -> {
            Set<Seen> tracked = new HashSet<>(AutoscalerReader.upTo135(c.after.tracking()));
            assertThat(tracked).noneMatch(c.users().values()::contains);
            assertThat(seen(c.after)).as("what is tracked is there").containsAll(tracked);
        });
    }

    @Test
    void without_the_gate_nothing_changes() {
        forAll(GATE_ON.negate(), c -> {
            assertThat(c.after).isEqualTo(c.before);
            assertThat(c.plan.warnings()).isEmpty();
        });
    }

    @Test
    void what_is_withdrawn_leaves_users_entries_alone() {
        forAll(c -> true, c -> {
            Group left = c.before.written(CapacityTaints.withdraw(c.before.annotations()));
            Set<Seen> users = new HashSet<>(c.users().values());

            assertThat(new HashSet<>(AutoscalerReader.from136(List.of(), left.text()))).isEqualTo(users);
            assertThat(left.tracking()).isNull();
        });
    }

    private static Set<Seen> seen(Group group) {
        return new HashSet<>(AutoscalerReader.upTo135(group.text()));
    }

    private static void forAll(Predicate<CapacityCase> which, Consumer<CapacityCase> law) {
        int tried = 0;
        for (long seed = 0; seed < Cases.COUNT; seed++) {
            CapacityCase c = new CapacityCase(seed);
            if (!which.test(c)) {
                continue;
            }
            tried++;
            try {
                law.accept(c);
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + c, e);
            }
        }
        assertThat(tried).as("cases that the law is about").isGreaterThan(Cases.COUNT / 50);
    }
}
