package io.nodeward.core.rules.validation;

import static io.nodeward.core.rules.Fleet.always;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.rules.Fleet;
import io.nodeward.core.rules.Cases;
import io.nodeward.core.rules.validation.Violation.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AdmissionTest {
    static final AdmissionPolicy STANDARD = new AdmissionPolicy(true, Enforcement.Enforce, Enforcement.Enforce);

    private static final MachineTaint GOOD = always("a", "", "NoSchedule");
    private static final MachineTaint RESERVED = always(ClusterApi.UNINITIALIZED_TAINT, "", "NoSchedule");
    private static final MachineTaint UNUSABLE = always("b-", "", "NoSchedule");
    private static final Given<List<Given<DeclaredTaint>>> NONE = Given.absent();

    @Test
    void a_refusal_names_the_field_and_the_reason() {
        Verdict verdict = judge(NONE, list(GOOD, RESERVED, UNUSABLE));

        assertThat(verdict.message()).isEqualTo("spec.taints[1].key: is managed by Cluster API itself; "
                + "spec.taints[2].key: no Node accepts it: not a name of at most 63 characters with an optional DNS"
                + " domain before it");
        assertThat(Verdict.ALLOWED.message()).isEmpty();
    }

    @Test
    void a_fault_the_schema_names_is_not_named_twice() {
        assertThat(judge(NONE, list(always("a b", "c d", "No"))).refused())
                .extracting(v -> v.field() + ' ' + v.reason().text())
                .containsExactly("spec.taints[0].key key.pattern", "spec.taints[0].value value.pattern",
                        "spec.taints[0].effect effect.enum");
    }

    @Test
    void of_two_alike_the_new_one_makes_the_fault_wherever_it_stands() {
        MachineTaint other = always("a", "2", "NoSchedule");
        MachineTaint third = always("a", "3", "NoSchedule");

        assertThat(reasons(judge(list(GOOD), list(other, GOOD)))).containsExactly(Reason.DUPLICATE);
        assertThat(reasons(judge(list(GOOD), list(GOOD, GOOD)))).containsExactly(Reason.DUPLICATE);
        assertThat(reasons(judge(list(GOOD, other), list(other, GOOD)))).isEmpty();
        assertThat(reasons(judge(list(GOOD, other), list(other, third)))).containsExactly(Reason.DUPLICATE);
    }

    @Test
    void a_list_that_was_too_long_may_stay_and_shrink_but_not_change() {
        List<MachineTaint> many = new ArrayList<>();
        for (int i = 0; i < 66; i++) {
            many.add(always("k" + i, "", "NoSchedule"));
        }
        Given<List<Given<DeclaredTaint>>> before = list(many);

        assertThat(judge(before, before).isAllowed()).isTrue();
        assertThat(judge(before, list(many.subList(0, 65))).isAllowed()).isTrue();
        List<MachineTaint> changed = new ArrayList<>(many);
        changed.set(0, GOOD);
        assertThat(reasons(judge(before, list(changed)))).containsExactly(Reason.MAX_ITEMS);
        assertThat(reasons(judge(NONE, before))).containsExactly(Reason.MAX_ITEMS);
    }

    @Test
    void what_is_no_list_or_an_empty_one_may_stay_so() {
        for (Given<List<Given<DeclaredTaint>>> odd : List.of(
                Given.<List<Given<DeclaredTaint>>>wrongType("number"), Given.of(List.<Given<DeclaredTaint>>of()))) {
            assertThat(judge(odd, odd).isAllowed()).isTrue();
            assertThat(judge(list(GOOD), odd).isAllowed()).isFalse();
            assertThat(judge(NONE, odd).isAllowed()).isFalse();
        }
        Given<List<Given<DeclaredTaint>>> item = Given.of(List.of(Given.wrongType("string")));
        assertThat(judge(item, item).isAllowed()).isTrue();
        assertThat(reasons(judge(list(GOOD), item))).containsExactly(Reason.TYPE);
    }

    @Test
    void nothing_that_was_stored_is_ever_refused_and_neither_is_less_of_it() {
        for (long seed = 0; seed < Cases.COUNT; seed++) {
            Random random = Cases.random(seed);
            List<MachineTaint> stored = taints(random);
            List<MachineTaint> less = new ArrayList<>(stored);
            Collections.shuffle(less, random);
            less = less.subList(0, less.isEmpty() ? 0 : 1 + random.nextInt(less.size()));
            AdmissionPolicy policy =
                    new AdmissionPolicy(random.nextBoolean(), Enforcement.Enforce, Enforcement.Enforce);
            Review review = new Review(Review.Occasion.WRITTEN,
                    List.of(new Review.Taints("spec.taints", list(stored), less.isEmpty() ? NONE : list(less))),
                    List.of());
            assertThat(Admission.judge(review, policy)).as("seed %s: %s", seed, stored).isEqualTo(Verdict.ALLOWED);
        }
    }

    /** Whatever was there before: what comes new is judged as if it came alone. */
    @Test
    void what_is_new_is_judged_as_in_a_new_object() {
        for (long seed = 0; seed < Cases.COUNT; seed++) {
            Random random = Cases.random(seed);
            List<MachineTaint> stored = taints(random);
            List<MachineTaint> now = new ArrayList<>(stored);
            MachineTaint added = new MachineTaint("new" + random.nextInt(3) + key(random), value(random),
                    "NoSchedule", MachineTaint.ALWAYS);
            now.add(random.nextInt(now.size() + 1), added);
            assertThat(reasons(judge(list(stored), list(now)))).as("seed %s: %s", seed, added)
                    .isEqualTo(reasons(judge(NONE, list(added))));
        }
    }

    @Test
    void the_gate_may_be_enforced_otherwise_than_faults() {
        Review review = review(NONE, list(RESERVED));

        assertThat(reasons(Admission.judge(review, new AdmissionPolicy(false, Enforcement.Enforce, Enforcement.Off))))
                .containsExactly(Reason.RESERVED_KEY);
        Verdict verdict = Admission.judge(review, new AdmissionPolicy(false, Enforcement.Off, Enforcement.Enforce));
        assertThat(verdict.refused()).containsExactly(new Violation("spec.taints", Reason.FEATURE_GATE,
                "must not be set while the gate MachineTaintPropagation is off"));
        assertThat(Admission.judge(review, new AdmissionPolicy(false, Enforcement.Off, Enforcement.Warn)).warnings())
                .containsExactly("spec.taints: must not be set while the gate MachineTaintPropagation is off");
    }

    @Test
    void a_controller_is_told_of_what_it_copies_and_never_kept_from_it() {
        Review copied = new Review(Review.Occasion.COPIED,
                List.of(new Review.Taints("spec.taints", NONE, list(RESERVED, UNUSABLE, GOOD))), List.of());
        for (Enforcement gate : Enforcement.values()) {
            Verdict verdict = Admission.judge(copied, new AdmissionPolicy(false, Enforcement.Enforce, gate));
            assertThat(verdict.refused()).isEmpty();
            assertThat(verdict.warnings()).hasSize(2).first().asString()
                    .isEqualTo("spec.taints[0].key: is managed by Cluster API itself");
            assertThat(Admission.judge(copied, new AdmissionPolicy(false, Enforcement.Off, gate)))
                    .isEqualTo(Verdict.ALLOWED);
        }
    }

    @Test
    void only_a_new_object_is_a_copy_and_none_that_is_being_deleted() {
        assertThat(Review.Occasion.of(false, true, true)).isEqualTo(Review.Occasion.COPIED);
        assertThat(Review.Occasion.of(false, false, true)).isEqualTo(Review.Occasion.WRITTEN);
        assertThat(Review.Occasion.of(false, true, false)).isEqualTo(Review.Occasion.WRITTEN);
        assertThat(Review.Occasion.of(true, true, true)).isEqualTo(Review.Occasion.DELETING);
    }

    @Test
    void two_annotations_of_one_key_and_effect_are_told_of_once_and_the_first_name_counts() {
        Map<String, String> both =
                Map.of("taint.nodeward.io/b", "a=1:NoSchedule", "taint.nodeward.io/a", "a=2:NoSchedule");
        Review created = new Review(Review.Occasion.WRITTEN, List.of(),
                List.of(new Review.Annotations("metadata.annotations", Map.of(), both)));
        Review unchanged = new Review(Review.Occasion.WRITTEN, List.of(),
                List.of(new Review.Annotations("metadata.annotations", both, both)));

        assertThat(Admission.judge(created, STANDARD)).isEqualTo(new Verdict(List.of(),
                List.of("metadata.annotations[taint.nodeward.io/b]: repeats key and effect of taint.nodeward.io/a,"
                        + " which is used")));
        assertThat(Admission.judge(unchanged, STANDARD)).isEqualTo(Verdict.ALLOWED);
    }

    @Test
    void a_kind_is_known_by_its_group_too() {
        assertThat(DeclaringKind.of("cluster.x-k8s.io", "Machine")).contains(DeclaringKind.MACHINE);
        assertThat(DeclaringKind.of("controlplane.cluster.x-k8s.io", "KubeadmControlPlane"))
                .contains(DeclaringKind.KUBEADM_CONTROL_PLANE);
        assertThat(DeclaringKind.of("example.com", "Machine")).isEmpty();
        assertThat(DeclaringKind.of("cluster.x-k8s.io", "MachineHealthCheck")).isEmpty();
        assertThat(DeclaringKind.CLUSTER.taints()).extracting(place -> place.at(3)).containsExactly(
                "spec.topology.controlPlane.taints", "spec.topology.workers.machineDeployments[3].taints",
                "spec.topology.workers.machinePools[3].taints");
    }

    private static Verdict judge(Given<List<Given<DeclaredTaint>>> before, Given<List<Given<DeclaredTaint>>> now) {
        return Admission.judge(review(before, now), STANDARD);
    }

    private static Review review(Given<List<Given<DeclaredTaint>>> before, Given<List<Given<DeclaredTaint>>> now) {
        return new Review(
                Review.Occasion.WRITTEN, List.of(new Review.Taints("spec.taints", before, now)), List.of());
    }

    private static List<Reason> reasons(Verdict verdict) {
        return verdict.refused().stream().map(Violation::reason).toList();
    }

    private static Given<List<Given<DeclaredTaint>>> list(MachineTaint... taints) {
        return list(Arrays.asList(taints));
    }

    private static Given<List<Given<DeclaredTaint>>> list(List<MachineTaint> taints) {
        return Given.of(taints.stream().map(taint -> Given.of(Fleet.declared(taint))).toList());
    }

    private static List<MachineTaint> taints(Random random) {
        List<MachineTaint> taints = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            taints.add(new MachineTaint(key(random), value(random),
                    one(random, "NoSchedule", "NoExecute", "NoAdmit"), one(random, "Always", "Never")));
        }
        return taints;
    }

    private static String key(Random random) {
        return one(random, "a", "b", "a-", "A.b/c", "", ClusterApi.OUTDATED_REVISION_TAINT, "x y");
    }

    private static String value(Random random) {
        return one(random, "", "1", "v.", "x y");
    }

    private static String one(Random random, String... of) {
        return of[random.nextInt(of.length)];
    }
}
