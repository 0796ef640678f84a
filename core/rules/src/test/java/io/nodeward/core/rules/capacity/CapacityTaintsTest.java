package io.nodeward.core.rules.capacity;

import static io.nodeward.core.rules.Fleet.always;
import static io.nodeward.core.rules.Fleet.once;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.rules.validation.Warning;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CapacityTaintsTest {
    private static final MachineTaint A = always("a", "1", "NoSchedule");
    private static final MachineTaint B = always("b", "", "NoExecute");

    @Test
    void what_is_declared_is_written_in_its_order_and_remembered_in_that_of_bytes() {
        Group after = Group.EMPTY.declaring(B, always("example.com/gpu", "a100", "PreferNoSchedule"), A);

        assertThat(after.text()).isEqualTo("b:NoExecute,example.com/gpu=a100:PreferNoSchedule,a=1:NoSchedule");
        assertThat(after.tracking())
                .isEqualTo("a=1:NoSchedule,b=:NoExecute,example.com/gpu=a100:PreferNoSchedule");
    }

    @Test
    void both_annotations_go_with_the_last_taint() {
        assertThat(Group.EMPTY.declaring(A, B).declaring()).isEqualTo(Group.EMPTY);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "a=1:NoSchedule,b:NoExecute", "b:NoExecute,a=1:NoSchedule", "b=:NoExecute,a=1:NoSchedule",
            "a=1:NoSchedule,b:NoExecute,", "a=1:NoSchedule,a=1:NoSchedule,b:NoExecute"})
    void a_text_that_says_it_already_is_not_written(String text) {
        CapacityPlan plan = Group.with(text).plan(A, B);

        assertThat(plan).isEqualTo(new CapacityPlan(Optional.of(text), Optional.empty(), false, false, List.of()));
    }

    @Test
    void a_users_entry_is_used_in_the_place_of_what_is_declared_and_is_said_to_be() {
        CapacityPlan plan = Group.with("u=3:NoExecute,b=mine:NoExecute").plan(A, B, always("c", "", "NoSchedule"));

        assertThat(plan.text()).contains("a=1:NoSchedule,b=mine:NoExecute,c:NoSchedule,u=3:NoExecute");
        assertThat(plan.tracking()).contains("a=1:NoSchedule,c=:NoSchedule");
        assertThat(plan.warnings()).containsExactly(new Warning(Reason.CAPACITY_OVERRIDE, "annotation "
                + CapacityAnnotations.TAINTS
                + ": \"b=mine:NoExecute\" is used in place of what is declared: \"b:NoExecute\""));
    }

    @Test
    void users_entries_keep_their_spelling() {
        assertThat(Group.with("u=:NoExecute,w=1:Strange,v").declaring(A).text())
                .isEqualTo("a=1:NoSchedule,u=:NoExecute,w=1:Strange,v");
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "u=-1:NoSchedule", "-u:NoSchedule", "u=1=2:NoSchedule", "u:No:Schedule", "u=1", "=1:NoSchedule", ":",
            "/u:NoSchedule", "x/y/u:NoSchedule", "Foo.com/u:NoSchedule", "u=1 :NoSchedule", "ü:NoSchedule"})
    void what_cannot_be_read_is_kept_last_and_reported(String piece) {
        CapacityPlan plan = Group.with(piece + ",u=2:NoExecute").plan(A);

        assertThat(plan.text()).contains("a=1:NoSchedule,u=2:NoExecute," + piece);
        assertThat(plan.warnings()).extracting(Warning::reason).containsExactly(Reason.UNREADABLE_CAPACITY);
        assertThat(plan.warnings().get(0).message())
                .contains(CapacityAnnotations.TAINTS, '"' + piece + '"', "key[=value]:Effect")
                .doesNotContain("blank");
    }

    @Test
    void a_blank_behind_a_comma_is_named() {
        CapacityPlan plan = Group.with("u:NoExecute, v:NoExecute").plan();

        assertThat(plan.isDue()).isFalse();
        assertThat(plan.warnings()).extracting(Warning::message).singleElement().asString()
                .contains("\" v:NoExecute\"", "a blank too many");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", "u:NoExecute,", "junk here", "u:NoExecute,u=2:NoExecute", "a=1:NoSchedule"})
    void where_nothing_is_declared_and_nothing_is_ours_any_text_stays(String text) {
        CapacityPlan plan = Group.with(text).plan();

        assertThat(plan.isDue()).isFalse();
        assertThat(plan.text()).contains(text);
        assertThat(plan.tracking()).isEmpty();
    }

    @Test
    void empty_pieces_go_with_the_next_write() {
        assertThat(Group.with(",u:NoExecute,,").declaring(A).text()).isEqualTo("a=1:NoSchedule,u:NoExecute");
        assertThat(Group.with("").declaring(A).text()).isEqualTo("a=1:NoSchedule");
    }

    @Test
    void a_key_alone_and_an_unknown_effect_are_read_but_reported() {
        CapacityPlan plan = Group.with("u,v:Strange").plan();

        assertThat(plan.isDue()).isFalse();
        assertThat(plan.warnings()).extracting(Warning::reason)
                .containsExactly(Reason.UNREADABLE_CAPACITY, Reason.UNREADABLE_CAPACITY);
    }

    @Test
    void of_a_users_two_entries_for_one_taint_the_later_is_kept() {
        CapacityPlan plan = Group.with("u=1:NoExecute,v:NoExecute,u=2:NoExecute").plan(A);

        assertThat(plan.text()).contains("a=1:NoSchedule,u=2:NoExecute,v:NoExecute");
        assertThat(plan.warnings()).extracting(Warning::reason).containsExactly(Reason.DUPLICATE_CAPACITY);
        // Up to 1.35 both count, so the text has to be mended even if what is declared is in it.
        assertThat(Group.with("a=1:NoSchedule,a=2:NoSchedule").plan(A).text()).contains("a=2:NoSchedule");
    }

    @Test
    void what_is_ours_follows_what_is_declared() {
        Group written = Group.EMPTY.declaring(A, B);

        assertThat(written.declaring(always("a", "2", "NoSchedule"), B).text())
                .isEqualTo("a=2:NoSchedule,b:NoExecute");
        assertThat(written.declaring(always("a", "1", "NoExecute"), B).text())
                .isEqualTo("a=1:NoExecute,b:NoExecute");
        assertThat(written.declaring(B).text()).isEqualTo("b:NoExecute");
        assertThat(written.plan(B, A).isDue()).as("another order").isFalse();
    }

    @Test
    void what_is_ours_and_was_deleted_by_hand_comes_back() {
        Group written = Group.EMPTY.declaring(A, B);

        assertThat(written.edited("u:NoExecute,b:NoExecute").declaring(A, B).text())
                .isEqualTo("a=1:NoSchedule,b:NoExecute,u:NoExecute");
        assertThat(new Group(Map.of(CapacityAnnotations.TAINTS_TRACKING, written.tracking())).declaring(A, B))
                .isEqualTo(written);
    }

    @Test
    void an_entry_of_ours_that_a_user_has_changed_is_theirs() {
        Group changed = Group.EMPTY.declaring(A, B).edited("a=mine:NoSchedule,b:NoExecute");

        assertThat(changed.plan(A, B).isDue()).isFalse();
        assertThat(changed.declaring().text()).isEqualTo("a=mine:NoSchedule");
        assertThat(changed.declaring().tracking()).isNull();
    }

    @Test
    void an_entry_of_ours_is_ours_in_another_spelling_too() {
        assertThat(Group.EMPTY.declaring(B).edited("u:NoExecute,b=:NoExecute").declaring().text())
                .isEqualTo("u:NoExecute");
        assertThat(Group.EMPTY.declaring(B).edited("b=:NoExecute").declaring(A, B).text())
                .isEqualTo("a=1:NoSchedule,b=:NoExecute");
    }

    @Test
    void an_entry_that_is_tracked_without_an_equals_sign_is_ours_whatever_its_value() {
        Group group = Group.with("a=9:NoSchedule", "a:NoSchedule");

        assertThat(group.declaring(A)).isEqualTo(Group.with("a=1:NoSchedule", "a=1:NoSchedule"));
        assertThat(group.declaring()).isEqualTo(Group.EMPTY);
    }

    @Test
    void what_was_written_by_hand_before_it_was_declared_stays_after_it() {
        Group byHand = Group.with("a=1:NoSchedule");

        assertThat(byHand.declaring(A)).isEqualTo(byHand);
        assertThat(byHand.declaring(A, B).declaring()).isEqualTo(byHand);
    }

    @Test
    void what_is_gone_from_text_and_declaration_alike_is_forgotten() {
        Group edited = Group.EMPTY.declaring(A, B).edited("b:NoExecute");

        CapacityPlan plan = edited.plan(B);
        assertThat(plan.changesText()).isFalse();
        assertThat(plan.isDue()).isTrue();
        assertThat(plan.tracking()).contains("b=:NoExecute");
        assertThat(edited.declaring(B).edited("b:NoExecute,a=1:NoSchedule").plan(B).isDue())
                .as("now it is the user's").isFalse();
    }

    @Test
    void what_a_user_has_changed_is_forgotten_when_it_is_declared_no_more() {
        Group changed = Group.EMPTY.declaring(A).edited("a=mine:NoSchedule");

        Group after = changed.declaring();
        assertThat(after).isEqualTo(Group.with("a=mine:NoSchedule"));
        assertThat(after.edited("a=1:NoSchedule").plan().isDue()).as("their own words from now on").isFalse();
    }

    @Test
    void nothing_is_forgotten_while_a_declaration_cannot_be_carried_out() {
        Group edited = Group.EMPTY.declaring(A, B).edited("b:NoExecute");

        assertThat(edited.plan(always("a", "no value", "NoSchedule"), B).isDue()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a:Strange", "a=1=2:NoSchedule", " a=1:NoSchedule", "a:No:Schedule"})
    void tracking_that_cannot_be_ours_removes_nothing_and_is_named(String tracking) {
        CapacityPlan plan = Group.with("a,a:Strange,a=1:NoSchedule", tracking).plan();

        assertThat(plan.isDue()).isFalse();
        assertThat(plan.warnings()).extracting(Warning::reason).contains(Reason.MALFORMED_TRACKING);
    }

    @Test
    void without_the_gate_nothing_is_read_or_written() {
        CapacityPolicy off = CapacityPolicy.standard().withTaints(false);

        for (Group group : List.of(Group.EMPTY, Group.with("a=9:NoSchedule, junk", "a=9:NoSchedule"))) {
            CapacityPlan plan = group.plan(off, A, always("bad key", "", "NoSchedule"));
            assertThat(plan.isDue()).isFalse();
            assertThat(plan.changesText()).isFalse();
            assertThat(plan.text()).isEqualTo(Optional.ofNullable(group.text()));
            assertThat(plan.tracking()).isEqualTo(Optional.ofNullable(group.tracking()));
            assertThat(plan.warnings()).isEmpty();
        }
    }

    @Test
    void what_no_node_would_get_is_left_out_and_named() {
        CapacityPlan plan = Group.EMPTY.plan(
                A, always(ClusterApi.UNINITIALIZED_TAINT, "", "NoSchedule"), always("b", "no value", "NoSchedule"),
                once("c", "no value", "NoSchedule"), new MachineTaint("d", "", "NoSchedule", "Sometimes"));

        assertThat(plan.text()).contains("a=1:NoSchedule");
        assertThat(plan.warnings()).extracting(Warning::reason).containsExactly(
                Reason.RESERVED_TAINT, Reason.UNUSABLE_TAINT, Reason.UNUSABLE_TAINT, Reason.UNKNOWN_PROPAGATION);
    }

    @Test
    void a_slip_in_a_value_or_propagation_removes_nothing_of_ours() {
        Group written = Group.EMPTY.declaring(A, B);

        Stream.of(always("a", "no value", "NoSchedule"), once("a", "no value", "NoSchedule"),
                new MachineTaint("a", "2", "NoSchedule", "Sometimes"))
                .forEach(slip -> assertThat(written.declaring(slip)).as("%s", slip)
                        .isEqualTo(Group.EMPTY.declaring(A)));
        assertThat(written.edited("a=u:NoSchedule,b:NoExecute").declaring(always("a", "no value", "NoSchedule")).text())
                .isEqualTo("a=u:NoSchedule");
    }

    @Test
    void taints_declared_by_annotation_count_too_and_the_spec_wins() {
        Map<String, String> template = Map.of(
                TaintAnnotations.PREFIX + "x", "x=1:NoSchedule", TaintAnnotations.PREFIX + "a", "a=9:NoSchedule",
                TaintAnnotations.PREFIX + "o", "o:NoExecute:OnInitialization");
        CapacityPlan plan = CapacityTaints.plan(List.of(A), template, Map.of(), CapacityPolicy.standard());

        assertThat(plan.text()).contains("a=1:NoSchedule,o:NoExecute,x=1:NoSchedule");
    }

    @Test
    void while_a_declaration_cannot_be_read_nothing_of_ours_is_removed() {
        Group written = Group.EMPTY.declaring(A, B);
        Map<String, String> slip = Map.of(TaintAnnotations.PREFIX + "x", "x NoSchedule");

        CapacityPlan plan = CapacityTaints.plan(
                List.of(always("c", "", "NoSchedule")), slip, written.annotations(), CapacityPolicy.standard());

        assertThat(plan.text()).contains("c:NoSchedule,a=1:NoSchedule,b:NoExecute");
        assertThat(plan.tracking()).contains("a=1:NoSchedule,b=:NoExecute,c=:NoSchedule");
        assertThat(plan.warnings()).extracting(Warning::reason).containsExactly(Reason.UNREADABLE_ANNOTATION);
    }

    @Test
    void what_is_withdrawn_is_ours_and_nothing_else() {
        Group written = Group.with("u:NoExecute, junk").declaring(A, B);

        Group after = written.written(CapacityTaints.withdraw(written.annotations()));

        assertThat(after).isEqualTo(Group.with("u:NoExecute, junk"));
        assertThat(CapacityTaints.withdraw(after.annotations()).isDue()).isFalse();
    }
}
