package io.nodeward.core.rules.device;

import static io.nodeward.core.rules.device.DeviceModel.selector;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.device.ResourceSlice;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.Cases;
import io.nodeward.core.rules.device.DeviceKey.Kind;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeviceStateTest {
    private static final DeviceName A = new DeviceName("d", "p0", "x0");

    private final DeviceWorld world = new DeviceWorld();
    private final DeviceState state = world.state();

    private Set<DeviceKey> fold(List<DeviceKey> keys) {
        keys.forEach(state::apply);
        return state.work(() -> false);
    }

    @Test
    void a_claim_that_lost_a_device_again_before_anybody_looked_keeps_nothing() {
        fold(world.rule("r", selector(), "k", "NoSchedule", 0));
        fold(world.slice("s", "p0", 1, "x0=1"));
        DeviceKey first = world.claim("first", List.of(A)).getFirst();
        fold(List.of(first));
        fold(world.remove(DeviceKey.of(Kind.RESOURCE_SLICE, "s")));
        world.remove(first);
        DeviceKey second = world.claim("second", List.of(A)).getFirst();
        fold(List.of(first));
        assertThat(state.tainted("NoSchedule")).isOne();
        fold(world.remove(second));
        assertThat(state.tainted("NoSchedule")).isZero();
        assertThat(world.known(state, DeviceKey.of(Kind.RULE, "r"))).isEqualTo(scratch(DeviceKey.of(Kind.RULE, "r")));
    }

    private Object scratch(DeviceKey key) {
        DeviceState scratch = world.state();
        world.keys().forEach(scratch::apply);
        scratch.work(() -> false);
        return world.known(scratch, key);
    }

    @Test
    void a_claim_whose_key_comes_after_the_end_of_the_slice_keeps_what_was_known_of_its_device() {
        fold(world.rule("r", selector("k=1"), "k", "NoSchedule", 0));
        fold(world.slice("s", "p0", 1, "x0=1"));
        List<DeviceKey> claim = world.claim("c", List.of(A), "pod");
        fold(world.remove(DeviceKey.of(Kind.RESOURCE_SLICE, "s")));
        assertThat(inUse("r")).containsExactly(A);
        fold(claim);
        assertThat(inUse("r")).containsExactly(A);
        fold(world.remove(claim.getFirst()));
        assertThat(inUse("r")).isEmpty();
    }

    private Set<DeviceName> inUse(String rule) {
        return DeviceWorld.source(state, world.rules.get(ObjectKey.clusterScoped(rule)), Set.of()).orElseThrow()
                .evicting().get(rule)
                .devices();
    }

    @Test
    void a_slice_of_which_only_a_taint_changes_concerns_the_rules_that_select_its_device() {
        fold(world.rule("r", selector("k=1"), "k", "None", 0));
        fold(world.rule("other", selector("k=2"), "k", "None", 0));
        fold(world.slice("s", "p0", 1, "x0=1", "x1=1"));
        assertThat(fold(world.slice("s", "p0", 1, "x0=1=NoExecute", "x1=1")))
                .containsExactly(DeviceKey.of(Kind.RULE, "r"));
        assertThat(world.known(state, DeviceKey.of(Kind.RULE, "r"))).isEqualTo(scratch(DeviceKey.of(Kind.RULE, "r")))
                .asString().contains("drv");
        assertThat(fold(world.slice("s", "p0", 1, "x0=1=NoExecute", "x1=1"))).isEmpty();
    }

    /** API servers set the times anew for a driver that leaves them out. */
    @Test
    void a_slice_of_which_only_the_times_of_taints_change_concerns_no_rule_and_no_expression_is_asked() {
        fold(world.rule("r", selector("k=1"), "k", "None", 0));
        fold(world.rule("published", selector("taint:NoExecute"), "k", "None", 0));
        fold(world.slice("s", "p0", 1, "x0=1=NoExecute", "x1=1"));
        int asked = world.evaluations;
        assertThat(asked).isPositive();
        world.written = Instant.EPOCH.plusSeconds(1);
        assertThat(fold(world.slice("s", "p0", 1, "x0=1=NoExecute", "x1=1"))).isEmpty();
        assertThat(world.evaluations).isEqualTo(asked);
        assertThat(state.published().get(A).taints()).as("what the command shows").extracting(DeviceTaint::added)
                .containsExactly(world.written);
    }

    @Test
    void a_rule_selects_by_what_drivers_publish_and_follows_a_slice_of_which_only_a_taint_changes() {
        fold(world.rule("r", selector("taint:None"), "k", "NoSchedule", 0));
        fold(world.slice("s", "p0", 1, "x0=1=None", "x1=1=NoExecute", "x2=1"));
        assertThat(state.selects("r", A)).isTrue();
        assertThat(state.tainted("NoSchedule")).isOne();
        assertThat(DeviceWorld.source(state, world.rules.get(ObjectKey.clusterScoped("r")), Set.of()).orElseThrow()
                .serverRules().values()).as("of the device alone, as the server knows no such selector").singleElement()
                .satisfies(rule -> assertThat(rule.selector().device()).contains("x0"));
        assertThat(fold(world.slice("s", "p0", 1, "x0=1=NoExecute", "x1=1=None", "x2=1=None")))
                .containsExactly(DeviceKey.of(Kind.RULE, "r"));
        assertThat(state.selects("r", A)).isFalse();
        assertThat(state.tainted("NoSchedule")).isEqualTo(2);
    }

    /** An attribute that is known to have been there counts while a claim has the device, and so does a taint. */
    @Test
    void a_device_whose_slice_is_gone_is_selected_by_the_taint_that_it_had_last() {
        fold(world.rule("r", selector("taint:None"), "k", "NoSchedule", 0));
        fold(world.slice("s", "p0", 1, "x0=1=None"));
        List<DeviceKey> claim = world.claim("c", List.of(A), "pod");
        fold(claim);
        fold(world.remove(DeviceKey.of(Kind.RESOURCE_SLICE, "s")));
        assertThat(inUse("r")).containsExactly(A);
        assertThat(world.state()).as("one that has never seen it").satisfies(late -> {
            world.keys().forEach(late::apply);
            late.work(() -> false);
            assertThat(late.obstacle(selector("taint:None").orElseThrow(), A).orElseThrow())
                    .isEqualTo(new SelectorMatch.Obstacle("publishedTaint", "drv:None", DeviceMatch.NOT_PUBLISHED));
        });
    }

    /** The pools do not report the same change twice. */
    @Test
    void what_a_fold_has_begun_that_failed_is_done_when_it_is_folded_again() {
        fold(world.rule("r", selector("k=1"), "k", "None", 0));
        fold(world.slice("s", "p0", 1, "x0=1", "x1=1"));
        List<DeviceKey> gone = world.slice("s", "p0", 1, "x1=2");
        world.failing = Optional.of(A);
        assertThatThrownBy(() -> fold(gone)).hasMessage("a fault");
        world.failing = Optional.empty();
        assertThat(fold(gone)).containsExactly(DeviceKey.of(Kind.RULE, "r"));
        assertThat(world.known(state, DeviceKey.of(Kind.RULE, "r"))).isEqualTo(scratch(DeviceKey.of(Kind.RULE, "r")));
    }

    @Test
    void a_device_that_cannot_be_looked_at_holds_up_no_slice_but_its_own() {
        fold(world.rule("r", selector("k=1"), "k", "None", 0));
        world.failing = Optional.of(A);
        List<DeviceKey> failing = world.slice("s", "p0", 1, "x0=1");
        assertThatThrownBy(() -> fold(failing)).hasMessage("a fault");
        fold(world.slice("other", "p1", 1, "x1=1"));
        assertThat(world.known(state, DeviceKey.of(Kind.RULE, "r")).toString()).contains("d/p1/x1");
        world.failing = Optional.empty();
        fold(failing);
        assertThat(world.known(state, DeviceKey.of(Kind.RULE, "r"))).isEqualTo(scratch(DeviceKey.of(Kind.RULE, "r")));
    }

    @Test
    void what_a_fold_of_a_claim_has_begun_that_failed_concerns_all_its_devices() {
        List<DeviceName> devices = List.of(A, new DeviceName("d", "p0", "x1"));
        for (DeviceName failing : devices) {
            world.failing = Optional.empty();
            fold(world.rule("x0", selector("device:x0"), "k", "None", 0));
            fold(world.rule("x1", selector("device:x1"), "k", "None", 0));
            fold(world.slice("s", "p0", 1, "x0=1", "x1=1"));
            List<DeviceKey> claim = world.claim("c", devices);
            fold(claim);
            world.remove(claim.getFirst());
            world.failing = Optional.of(failing);
            assertThatThrownBy(() -> claim.forEach(state::apply)).hasMessage("a fault");
            assertThat(state.work(() -> false)).containsExactlyInAnyOrder(
                    DeviceKey.of(Kind.RULE, "x0"), DeviceKey.of(Kind.RULE, "x1"));
            world.failing = Optional.empty();
            fold(claim);
        }
    }

    @Test
    void a_device_that_is_gone_is_as_it_was_last_although_the_change_before_comes_with_the_end() {
        fold(world.rule("r", selector("k=2"), "k", "NoSchedule", 0));
        fold(world.slice("s", "p0", 1, "x0=1"));
        fold(world.claim("c", List.of(A)));
        world.slice("s", "p0", 1, "x0=2");
        ResourceSlice last = world.slices.get(ObjectKey.clusterScoped("s"));
        List<DeviceKey> gone = world.remove(DeviceKey.of(Kind.RESOURCE_SLICE, "s"));
        state.applyBefore(last);
        fold(gone);
        assertThat(inUse("r")).containsExactly(A);
    }

    @Test
    void rules_that_are_previewed_together_count_each_pod_once() {
        fold(world.slice("s0", "p0", 1, "x0=1", "x1=1"));
        fold(world.rule("r0", selector("device:x0"), "k", "None", 0));
        fold(world.rule("r1", selector("device:x1"), "k", "None", 0));
        fold(world.pod("pod0", "node"));
        fold(world.claim("c0", List.of(A, new DeviceName("d", "p0", "x1")), "pod0"));
        RuleTaint taint = world.rules.get(ObjectKey.clusterScoped("r0")).spec().taint();
        DevicePreview both = state.preview(taint, List.of("r0", "r1"), pod -> {});
        assertThat(both.devices().count()).isEqualTo(2);
        assertThat(both.evicted().names()).containsExactly("n/pod0");
        assertThat(state.preview(taint, List.of("r0"), pod -> {}).devices().names()).containsExactly(A.toString());
    }

    @Test
    void a_change_of_a_taint_slice_concerns_it_alone() {
        fold(world.taintSlice("one", "p0", "None", "x0", "x1"));
        fold(world.taintSlice("two", "p0", "None", "x1"));
        assertThat(fold(world.taintSlice("one", "p0", "None", "x1")))
                .containsExactly(DeviceKey.of(Kind.TAINT_SLICE, "one"));
        assertThat(fold(List.of())).isEmpty();
        assertThat(fold(world.remove(DeviceKey.of(Kind.TAINT_SLICE, "one"))))
                .containsExactly(DeviceKey.of(Kind.TAINT_SLICE, "one"));
    }

    /** Exactly the taint slices that name the device, after any changes in any order. */
    @Test
    void a_change_of_a_device_or_its_use_concerns_the_taint_slices_that_name_it() {
        List<String> devices = List.of("x0", "x1", "x2");
        for (int seed = 0; seed < Cases.COUNT / 16; seed++) {
            Random random = Cases.random(seed);
            DeviceWorld any = new DeviceWorld();
            DeviceState named = any.state();
            any.slice("first", "p0", 1).forEach(named::apply); // the generation stays
            Map<DeviceKey, Set<String>> expected = new HashMap<>();
            for (int step = 0; step < 10; step++) {
                DeviceKey slice = DeviceKey.of(Kind.TAINT_SLICE, "s" + random.nextInt(3));
                Set<String> some = new HashSet<>(devices);
                some.removeIf(device -> random.nextBoolean());
                boolean isThere = random.nextInt(4) > 0;
                (isThere ? any.taintSlice(slice.object().name(), "p0", "None", some.toArray(String[]::new))
                        : any.remove(slice)).forEach(named::apply);
                expected.put(slice, isThere ? some : Set.of());
                named.work(() -> false);
                for (String device : devices) {
                    Set<DeviceKey> naming = new HashSet<>(expected.keySet());
                    naming.removeIf(each -> !expected.get(each).contains(device));
                    any.slice("s-" + device, "p0", 1, device + "=" + step).forEach(named::apply);
                    any.slice("other", "p1", 1, device + "=" + step).forEach(named::apply);
                    assertThat(named.work(() -> false)).as("seed %s, step %s", seed, step).isEqualTo(naming);
                    any.claim("c", List.of(new DeviceName("d", "p0", device))).forEach(named::apply);
                    any.remove(new DeviceKey(Kind.CLAIM, new ObjectKey("n", "c"))).forEach(named::apply);
                    assertThat(named.work(() -> false)).as("seed %s, step %s", seed, step).isEqualTo(naming);
                }
            }
        }
    }

    @Test
    void what_is_known_of_another_spec_is_not_said_of_this_one() {
        fold(world.rule("r", selector(), "k", "None", 0));
        fold(world.taintSlice("s", "p0", "None", "x0"));
        world.rule("r", selector("k=1"), "k", "None", 0);
        world.taintSlice("s", "p0", "None", "x1");
        assertThat(world.known(state)).hasSize(2).hasToString(
                "{DeviceKey[kind=TAINT_SLICE, object=s]=[Optional.empty, []],"
                        + " DeviceKey[kind=RULE, object=r]=[Optional.empty, []]}");
    }

    @Test
    void what_concerns_a_rule_is_the_rule_and_all_that_declares_nothing() {
        for (Kind kind : Kind.values()) {
            assertThat(DeviceKey.of(kind, "r").concerns(DeviceKey.of(Kind.RULE, "r")))
                    .isEqualTo(kind != Kind.TAINT_SLICE);
            assertThat(DeviceKey.of(kind, "other").concerns(DeviceKey.of(Kind.RULE, "r")))
                    .isEqualTo(kind != Kind.TAINT_SLICE && kind != Kind.RULE);
        }
    }
}
