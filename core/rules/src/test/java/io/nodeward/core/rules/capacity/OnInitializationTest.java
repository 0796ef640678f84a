package io.nodeward.core.rules.capacity;

import static io.nodeward.core.rules.Fleet.always;
import static io.nodeward.core.rules.Fleet.once;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.rules.taint.DeclaredTaints;
import io.nodeward.core.rules.validation.Warning;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Taints for initialization alone, and what each version of the autoscaler makes of them. */
class OnInitializationTest {
    private static final MachineTaint ALWAYS = always("a", "1", "NoSchedule");
    private static final MachineTaint ONCE = once("example.com/driver", "x", "NoExecute");
    private static final CapacityPolicy FROM_136 = withAutoscaler(CapacityPolicy.standard(), Autoscaler.READS_SPEC);
    private static final String IGNORE = "ignore-taint.cluster-autoscaler.kubernetes.io/";
    private static final String STARTUP = "startup-taint.cluster-autoscaler.kubernetes.io/";

    @Test
    void they_are_included_unless_something_else_is_asked_for() {
        assertThat(Group.EMPTY.plan(ALWAYS, ONCE).text()).contains("a=1:NoSchedule,example.com/driver=x:NoExecute");
        assertThat(Group.EMPTY.plan(ALWAYS, ONCE).warnings()).isEmpty();
    }

    @Test
    void they_can_be_left_out() {
        assertThat(Group.EMPTY.plan(policy("exclude"), ALWAYS, ONCE).text()).contains("a=1:NoSchedule");
        assertThat(Group.EMPTY.plan(policy("exclude"), ONCE).isDue()).isFalse();
    }

    @Test
    void they_can_be_advertised_as_startup_taints() {
        MachineTaint known = once(STARTUP + "b", "", "NoSchedule");
        MachineTaint older = once(IGNORE + "c", "", "NoSchedule");

        assertThat(Group.EMPTY.plan(policy("startup"), ONCE, ALWAYS, known, older).text()).contains(STARTUP
                + "example.com_driver=x:NoExecute,a=1:NoSchedule," + STARTUP + "b:NoSchedule," + IGNORE
                + "c:NoSchedule");
    }

    @Test
    void a_startup_key_that_would_be_too_long_is_left_out() {
        String fits = "d".repeat(31) + "/" + "n".repeat(31);

        assertThat(Group.EMPTY.plan(policy("startup"), once(fits, "", "NoExecute")).text())
                .contains(STARTUP + fits.replace('/', '_') + ":NoExecute");
        assertThat(Group.EMPTY.plan(policy("startup"), once("d" + fits, "", "NoExecute")).text()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"include,exclude", "exclude,include", "startup,include", "include,startup", "exclude,startup"})
    void another_choice_leaves_nothing_of_the_one_before(String before, String after) {
        Group changed = Group.EMPTY.written(Group.EMPTY.plan(policy(before), ALWAYS, ONCE));

        assertThat(changed.written(changed.plan(policy(after), ALWAYS, ONCE)))
                .isEqualTo(Group.EMPTY.written(Group.EMPTY.plan(policy(after), ALWAYS, ONCE)));
    }

    @Test
    void a_change_of_propagation_is_no_change_while_they_are_included() {
        Group written = Group.EMPTY.declaring(ALWAYS);

        assertThat(written.plan(once("a", "1", "NoSchedule")).isDue()).isFalse();
        assertThat(written.written(written.plan(policy("exclude"), once("a", "1", "NoSchedule"))))
                .isEqualTo(Group.EMPTY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"exclude", "startup"})
    void who_hides_them_is_warned_that_from_1_36_on_the_spec_is_read(String choice) {
        CapacityPolicy unknown = policy(choice);

        assertThat(Group.EMPTY.plan(unknown, ALWAYS, ONCE).warnings()).singleElement().satisfies(warning -> {
            assertThat(warning.reason()).isEqualTo(Reason.INITIALIZATION_NOT_HIDDEN);
            assertThat(warning.message()).contains("example.com/driver:NoExecute", "1.36", STARTUP, "--startup-taint");
        });
        assertThat(Group.EMPTY.plan(withAutoscaler(unknown, Autoscaler.READS_SPEC), ONCE).warnings()).hasSize(1);
        assertThat(Group.EMPTY.plan(withAutoscaler(unknown, Autoscaler.READS_ANNOTATION), ONCE).warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"exclude", "startup"})
    void keys_that_the_autoscaler_takes_for_startup_taints_are_hidden_from_all_versions(String choice) {
        CapacityPolicy policy = ignoring(policy(choice), new IgnoredTaints(Set.of(ONCE.key()), Set.of()));

        assertThat(Group.EMPTY.plan(policy, ONCE, once(STARTUP + "b", "", "NoSchedule")).warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "node.kubernetes.io/not-ready", "node.cloudprovider.kubernetes.io/uninitialized",
            "status-taint.cluster-autoscaler.kubernetes.io/b", "ToBeDeletedByClusterAutoscaler",
            "startup.example.com/b"})
    void so_are_those_that_it_leaves_out_for_another_reason(String key) {
        CapacityPolicy policy =
                ignoring(policy("startup"), new IgnoredTaints(Set.of(), Set.of("startup.example.com/")));
        CapacityPlan plan = Group.EMPTY.plan(policy, once(key, "", "NoSchedule"));

        assertThat(plan.warnings()).extracting(Warning::reason).doesNotContain(Reason.INITIALIZATION_NOT_HIDDEN);
        assertThat(plan.text()).as("its own key does").contains(key + ":NoSchedule");
    }

    @Test
    void a_taint_that_keeps_no_pod_off_needs_not_be_hidden() {
        assertThat(Group.EMPTY.plan(policy("exclude"), once("b", "", "PreferNoSchedule")).warnings()).isEmpty();
        assertThat(Group.EMPTY.plan(policy("exclude"), once("b", "", "NoSchedule")).warnings()).hasSize(1);
    }

    @Test
    void startup_taints_are_advertised_before_1_29_by_the_prefix_that_is_known_then() {
        CapacityPolicy before = withAutoscaler(policy("startup"), Autoscaler.BEFORE_STARTUP_TAINTS);

        assertThat(Group.EMPTY.plan(before, ONCE, once(STARTUP + "b", "", "NoSchedule")).text()).contains(IGNORE
                + "example.com_driver=x:NoExecute," + IGNORE + STARTUP.replace('/', '_') + "b:NoSchedule");
        assertThat(Group.EMPTY.plan(before, once(IGNORE + "c", "", "NoSchedule")).text())
                .contains(IGNORE + "c:NoSchedule");
        assertThat(Group.EMPTY.plan(before, ONCE).warnings()).isEmpty();
    }

    @Test
    void a_key_that_the_flags_of_the_autoscaler_name_needs_no_prefix() {
        CapacityPolicy policy = ignoring(policy("startup"), new IgnoredTaints(Set.of(ONCE.key()), Set.of()));

        assertThat(Group.EMPTY.plan(policy, ONCE).text()).contains("example.com/driver=x:NoExecute");
    }

    @Test
    void only_what_is_not_in_the_spec_is_advertised_to_an_autoscaler_that_reads_it() {
        Map<String, String> template = Map.of(TaintAnnotations.PREFIX + "x", "x:NoSchedule");
        Group written = Group.EMPTY.declaring(ALWAYS, ONCE).edited("u:NoExecute,a=1:NoSchedule");

        CapacityPlan plan =
                CapacityTaints.plan(List.of(ALWAYS, ONCE), template, written.annotations(), FROM_136);

        assertThat(plan.text()).contains("x:NoSchedule,u:NoExecute");
        assertThat(plan.tracking()).contains("x=:NoSchedule");
    }

    @Test
    void a_copy_of_what_the_autoscaler_reads_in_the_spec_goes_even_while_an_annotation_cannot_be_read() {
        Map<String, String> slip = Map.of(TaintAnnotations.PREFIX + "x", "junk");
        Group written = Group.EMPTY.declaring(always("a", "old", "NoSchedule"), always("b", "", "NoSchedule"));

        CapacityPlan from136 = CapacityTaints.plan(List.of(ALWAYS), slip, written.annotations(),
                withAutoscaler(CapacityPolicy.standard(), Autoscaler.READS_SPEC));
        CapacityPlan upTo135 = CapacityTaints.plan(List.of(), slip, written.annotations(),
                withAutoscaler(CapacityPolicy.standard(), Autoscaler.READS_ANNOTATION));

        assertThat(from136.text()).as("only what the spec does not say stays").contains("b:NoSchedule");
        assertThat(upTo135.isDue()).isFalse();
    }

    @Test
    void it_is_redundant_where_the_spec_says_all_that_is_advertised() {
        DeclaredTaints x = annotated("x:NoSchedule");
        DeclaredTaints once = annotated("x:NoSchedule:OnInitialization");

        assertThat(CapacityTaints.isRedundant(DeclaredTaints.NONE, CapacityPolicy.standard())).isTrue();
        assertThat(CapacityTaints.isRedundant(x, CapacityPolicy.standard())).isFalse();
        assertThat(CapacityTaints.isRedundant(once, CapacityPolicy.standard())).isFalse();
        assertThat(CapacityTaints.isRedundant(once, policy("exclude"))).isTrue();
        assertThat(CapacityTaints.isRedundant(x, CapacityPolicy.standard().withTaints(false))).isTrue();
    }

    @Test
    void it_is_not_redundant_while_a_declaration_cannot_be_carried_out() {
        assertThat(CapacityTaints.isRedundant(annotated("junk"), CapacityPolicy.standard())).isFalse();
        DeclaredTaints held = DeclaredTaints.of(List.of(always("x", "no value", "NoSchedule")));
        assertThat(CapacityTaints.isRedundant(held, CapacityPolicy.standard())).isFalse();
    }

    @Test
    void a_users_entry_that_outdoes_the_spec_is_named_though_what_is_in_the_spec_is_not_advertised() {
        CapacityPlan plan = Group.with("a=old:NoSchedule").plan(FROM_136, ALWAYS);

        assertThat(plan.isDue()).isFalse();
        assertThat(plan.warnings()).containsExactly(new Warning(Reason.CAPACITY_OVERRIDE, "annotation "
                + CapacityAnnotations.TAINTS
                + ": \"a=old:NoSchedule\" is used in place of what is declared: \"a=1:NoSchedule\""));
        assertThat(Group.with("a=1:NoSchedule").plan(FROM_136, ALWAYS).warnings()).isEmpty();
        assertThat(Group.EMPTY.plan(FROM_136, ALWAYS).warnings()).isEmpty();
    }

    @Test
    void so_is_one_that_outdoes_a_taint_of_the_spec_that_was_to_be_hidden() {
        Group group = Group.with("example.com/driver=old:NoExecute");
        CapacityPolicy exclude = ignoring(policy("exclude"), new IgnoredTaints(Set.of(ONCE.key()), Set.of()));

        for (Autoscaler reading : List.of(Autoscaler.READS_SPEC, Autoscaler.UNKNOWN)) {
            assertThat(group.plan(withAutoscaler(exclude, reading), ONCE).warnings())
                    .extracting(Warning::reason).containsExactly(Reason.CAPACITY_OVERRIDE);
        }
        assertThat(group.plan(withAutoscaler(exclude, Autoscaler.READS_ANNOTATION), ONCE).warnings()).isEmpty();
    }

    @Test
    void hidden_taints_of_annotations_are_hidden_from_all_versions() {
        Map<String, String> template = Map.of(TaintAnnotations.PREFIX + "x", "x:NoSchedule:OnInitialization");

        CapacityPlan plan = CapacityTaints.plan(List.of(), template, Map.of(), policy("exclude"));

        assertThat(plan.isDue()).isFalse();
        assertThat(plan.warnings()).extracting(Warning::reason).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
            "1.27,BEFORE_STARTUP_TAINTS", "v1.28.9,BEFORE_STARTUP_TAINTS", "1.29.0,READS_ANNOTATION",
            "1.35,READS_ANNOTATION", "v1.35.2,READS_ANNOTATION", "1.36,READS_SPEC",
            "1.36.0,READS_SPEC", "v1.37.1-rc.0,READS_SPEC", "2.0,READS_SPEC", "0.99,BEFORE_STARTUP_TAINTS",
            "'',UNKNOWN"})
    void the_version_says_what_the_autoscaler_reads(String version, Autoscaler expected) {
        assertThat(Autoscaler.of(version)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "latest", "1.", "1.36x", "v", "1.99999"})
    void what_is_no_version_is_refused(String version) {
        assertThatThrownBy(() -> Autoscaler.of(version))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(version);
    }

    @Test
    void a_word_that_is_no_choice_is_none() {
        assertThat(OnInitialization.of("startup")).contains(OnInitialization.STARTUP);
        assertThat(OnInitialization.of("Startup")).isEmpty();
        assertThat(OnInitialization.values()).extracting(OnInitialization::text)
                .containsExactly("include", "exclude", "startup");
    }

    private static CapacityPolicy policy(String choice) {
        return CapacityPolicy.standard().withOnInitialization(OnInitialization.of(choice).orElseThrow());
    }

    static CapacityPolicy withAutoscaler(CapacityPolicy policy, Autoscaler used) {
        return new CapacityPolicy(
                policy.propagatesTaints(), policy.onInitialization(), used, policy.ignored(), policy.adopts());
    }

    private static CapacityPolicy ignoring(CapacityPolicy policy, IgnoredTaints taints) {
        return new CapacityPolicy(
                policy.propagatesTaints(), policy.onInitialization(), policy.autoscaler(), taints, policy.adopts());
    }

    private static DeclaredTaints annotated(String text) {
        return DeclaredTaints.annotated(Map.of(TaintAnnotations.PREFIX + "x", text), DeclaredTaints.NONE);
    }
}
