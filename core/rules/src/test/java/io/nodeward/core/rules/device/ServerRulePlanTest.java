package io.nodeward.core.rules.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.device.TaintData;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.core.rules.device.ServerRulePlan.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server of which somebody else edits and deletes rules, and a rule that is changed while it is projected. */
class ServerRulePlanTest {
    static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    static final String UID = "uid-1";
    private static final Map<String, Object> CEL =
            Map.of("selectors", List.of(Map.of("cel", Map.of("expression", "true"))));

    private final TreeMap<String, CustomResource<DeviceTaintRule>> server = new TreeMap<>();

    static DeviceTaintRule declared(Map<String, Object> selector, String value, String effect) {
        return DeviceTaintRule.of(Tree.of(Map.of("deviceSelector", selector,
                "taint", Map.of("key", "example.com/broken", "value", value, "effect", effect))));
    }

    private static List<ServerRule> wanted(DeviceTaintRule declared, int... devices) {
        return ServerRule.all(UID, "rule", declared, IntStream.of(devices)
                .mapToObj(i -> new DeviceName("gpu.example.com", "node-1", "gpu-" + i)).toList());
    }

    private ServerRulePlan plan(List<ServerRule> wanted) {
        return plan(wanted, List.of());
    }

    private ServerRulePlan plan(List<ServerRule> wanted, List<ServerRule> kept) {
        return new ServerRulePlan(UID, wanted, kept.stream().map(ServerRule::name).toList(),
                server.values().stream().filter(rule -> !rule.metadata().owners().isEmpty()).toList(),
                name -> Optional.ofNullable(server.get(name)), NOW);
    }

    /** As a server has it once the step is made. */
    private void make(Step step) {
        switch (step) {
            case Step.Create(ServerRule rule) -> assertThat(server.put(rule.name(), said(rule))).isNull();
            case Step.Restore(ServerRule rule, CustomResource<DeviceTaintRule> found) -> {
                assertThat(found.spec().taint().effect()).as("an effect that is edited").isEqualTo(rule.effect());
                server.put(rule.name(), said(rule));
            }
            case Step.Delete(CustomResource<DeviceTaintRule> found) ->
                    assertThat(server.remove(found.key().name())).isNotNull();
        }
    }

    static CustomResource<DeviceTaintRule> said(ServerRule rule) {
        return object(rule.name(), Optional.of(rule.selector()), rule.value(), rule.effect(), rule.timeAdded(NOW),
                List.of(new OwnerRef("nodeward.io/v1alpha1", "DeviceTaintRule", "rule", UID, true)));
    }

    private static CustomResource<DeviceTaintRule> object(
            String name, Optional<DeviceTaintSelector> selector, String value, String effect, Optional<Instant> added,
            List<OwnerRef> owners) {
        return new CustomResource<>(new Metadata(ObjectKey.clusterScoped(name), "uid-" + name, "1", Map.of(), Map.of(),
                owners, false), 1,
                new DeviceTaintRule(selector,
                        new RuleTaint("example.com/broken", value, effect, added.or(() -> Optional.of(NOW)),
                                TaintData.NONE, "",
                                10)),
                List.of());
    }

    private List<Step> finish(List<ServerRule> wanted, int most) {
        List<Step> steps = new ArrayList<>();
        for (Optional<Step> next = next(wanted, most); next.isPresent(); next = next(wanted, most)) {
            make(next.get());
            assertThat(server.size()).isLessThanOrEqualTo(most);
            steps.add(next.get());
            assertThat(steps).hasSizeLessThan(100);
        }
        return steps;
    }

    private Optional<Step> next(List<ServerRule> wanted, int most) {
        return plan(wanted).next(most - server.size());
    }

    @Test
    void a_rule_by_names_needs_one_and_any_other_one_for_each_device() {
        Map<String, Object> names = Map.of("driver", "gpu.example.com", "pool", "node-1");
        assertThat(wanted(declared(names, "", "NoSchedule"), 1, 2)).singleElement().satisfies(rule -> {
            assertThat(rule.selector().pool()).contains("node-1");
            assertThat(rule.selector().device()).isEmpty();
        });
        assertThat(wanted(declared(Map.of(), "", "NoSchedule"))).as("of all devices").hasSize(1);
        assertThat(wanted(declared(CEL, "", "NoSchedule"), 1, 2)).extracting(rule -> rule.selector().device())
                .containsExactly(Optional.of("gpu-1"), Optional.of("gpu-2"));
        assertThat(wanted(declared(Map.of("deviceClassName", "c"), "", "NoSchedule"))).isEmpty();
        DeviceTaintRule none = DeviceTaintRule.of(Tree.of(Map.of("taint", Map.of("key", "k", "effect", "NoExecute"))));
        assertThat(wanted(none, 1)).as("without a selector").isEmpty();
        assertThat(ServerRule.count(none, () -> 1)).isZero();
        assertThat(ServerRule.count(declared(names, "", "NoExecute"), () -> 7)).isOne();
        assertThat(ServerRule.count(declared(CEL, "", "NoExecute"), () -> 7)).isEqualTo(7);
    }

    @Test
    void the_server_evicts_nobody_for_a_time_that_is_so_late() {
        ServerRule evicting = wanted(declared(CEL, "", "NoExecute"), 1).getFirst();
        Instant added = evicting.timeAdded(NOW).orElseThrow();
        assertThat(Duration.between(NOW, added)).as("more than tolerated time can reach back")
                .isGreaterThan(Duration.ofSeconds(Long.MAX_VALUE / 1_000_000_000L));
        assertThat(added).isBetween("2325-12-30T00:00:00Z", "2326-01-10T00:00:00Z");
        assertThat(wanted(declared(CEL, "", "NoSchedule"), 1).getFirst().timeAdded(NOW)).isEmpty();
    }

    @Test
    void the_name_says_whose_rule_it_is_and_differs_with_all_that_it_says() {
        ServerRule one = wanted(declared(CEL, "", "NoSchedule"), 1).getFirst();
        assertThat(one.name()).matches("nodeward-rule-[0-9a-f]{16}");
        assertThat(List.of(one.name(), wanted(declared(CEL, "", "NoExecute"), 1).getFirst().name(),
                wanted(declared(CEL, "v", "NoSchedule"), 1).getFirst().name(),
                wanted(declared(CEL, "", "NoSchedule"), 2).getFirst().name(),
                wanted(declared(Map.of("pool", "p"), "", "NoSchedule")).getFirst().name(),
                wanted(declared(Map.of("driver", "p"), "", "NoSchedule")).getFirst().name(),
                ServerRule.all("other", "rule", declared(Map.of("driver", "p"), "", "NoSchedule"), List.of())
                        .getFirst().name()))
                .doesNotHaveDuplicates();
        String longest = "a".repeat(199) + ".".repeat(1) + "b".repeat(53);
        assertThat(ServerRule.all(UID, longest, declared(Map.of(), "", "NoExecute"), List.of()).getFirst().name())
                .hasSizeLessThanOrEqualTo(253)
                .matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    }

    @Test
    void the_new_come_before_the_old_go() {
        finish(wanted(declared(CEL, "", "NoSchedule"), 1, 2), 256);
        List<ServerRule> wanted = wanted(declared(CEL, "", "NoExecute"), 1, 2);
        assertThat(finish(wanted, 256)).extracting(step -> step.getClass().getSimpleName())
                .containsExactly("Create", "Create", "Delete", "Delete");
        assertThat(server.keySet()).containsExactlyInAnyOrderElementsOf(wanted.stream().map(ServerRule::name).toList());
        assertThat(finish(List.of(), 256)).hasSize(2).allMatch(step -> step instanceof Step.Delete);
    }

    @Test
    void without_room_a_device_that_has_its_new_taint_gives_its_old_one_up() {
        finish(wanted(declared(CEL, "", "NoSchedule"), 1, 2), 3);
        List<ServerRule> wanted = wanted(declared(CEL, "", "NoExecute"), 1, 2);
        List<Step> steps = finish(wanted, 3);
        assertThat(steps).extracting(step -> step.getClass().getSimpleName())
                .containsExactly("Create", "Delete", "Create", "Delete");
        assertThat(device(steps.get(1))).as("of the device that was tainted first").isEqualTo(device(steps.get(0)));
        assertThat(next(wanted(declared(CEL, "", "NoExecute"), 1, 2, 3, 4), 3)).isPresent();
        finish(wanted, 2);
        assertThat(plan(wanted(declared(CEL, "", "NoExecute"), 1, 2, 3)).next(0)).as("others have to go")
                .isEmpty();
    }

    private static String device(Step step) {
        return switch (step) {
            case Step.Create(ServerRule rule) -> rule.selector().device().orElseThrow();
            case Step.Delete(CustomResource<DeviceTaintRule> found) ->
                    found.spec().selector().flatMap(DeviceTaintSelector::device).orElseThrow();
            case Step.Restore restore -> restore.rule().selector().device().orElseThrow();
        };
    }

    @Test
    void what_makes_the_server_evict_goes_first_and_an_effect_is_never_edited_back() {
        List<ServerRule> wanted = wanted(declared(CEL, "", "NoExecute"), 1, 2);
        finish(wanted, 256);
        String edited = wanted.getLast().name();
        server.put(edited, with(server.get(edited), "NoExecute", NOW));
        server.remove(wanted.getFirst().name());
        assertThat(next(wanted, 256)).containsInstanceOf(Step.Restore.class);
        assertThat(plan(wanted).complete()).isZero();
        server.put(edited, with(server.get(edited), "NoSchedule", NOW));
        assertThat(next(wanted, 256)).containsInstanceOf(Step.Delete.class);
        finish(wanted, 256);

        server.put(edited, with(server.get(edited), "NoExecute", NOW.plusSeconds(60)));
        assertThat(next(wanted(declared(CEL, "v", "NoSchedule"), 1), 256)).as("one that is not wanted any more")
                .hasValueSatisfying(step -> assertThat(step).isInstanceOfSatisfying(Step.Delete.class,
                        delete -> assertThat(delete.found().key().name()).isEqualTo(edited)));
    }

    private static CustomResource<DeviceTaintRule> with(CustomResource<DeviceTaintRule> rule, String effect,
            Instant added) {
        return object(rule.key().name(), rule.spec().selector(), rule.spec().taint().value(), effect,
                Optional.of(added),
                rule.metadata().owners());
    }

    @Test
    void whose_owner_somebody_has_removed_gets_it_back() {
        List<ServerRule> wanted = wanted(declared(CEL, "", "NoSchedule"), 1);
        finish(wanted, 256);
        CustomResource<DeviceTaintRule> rule = server.firstEntry().getValue();
        server.put(rule.key().name(), object(rule.key().name(), rule.spec().selector(), "", "NoSchedule",
                Optional.of(NOW), List.of()));
        assertThat(next(wanted, 256)).containsInstanceOf(Step.Restore.class);
    }

    @Test
    void one_that_is_being_deleted_is_waited_for() {
        List<ServerRule> wanted = wanted(declared(CEL, "", "NoSchedule"), 1);
        finish(wanted, 256);
        String name = server.firstKey();
        server.put(name, deleting(server.get(name)));
        assertThat(next(wanted, 256)).isEmpty();
        assertThat(plan(wanted).complete()).isZero();
        assertThat(next(List.of(), 256)).as("to delete it again").isEmpty();
        CustomResource<DeviceTaintRule> other = said(wanted(declared(CEL, "v", "NoSchedule"), 1).getFirst());
        server.put(other.key().name(), other);
        assertThat(next(wanted, 256)).as("its device has the taint of the other one meanwhile").isEmpty();
    }

    @Test
    void one_that_is_kept_stays_while_there_is_room_and_goes_before_one_is_missing() {
        List<ServerRule> all = wanted(declared(CEL, "", "NoSchedule"), 1, 2, 3);
        finish(all.subList(0, 2), 256);
        assertThat(plan(List.of(), all.subList(0, 2)).next(1)).as("room for another rule").isEmpty();
        List<ServerRule> longest = List.of(all.get(1), all.get(0));
        assertThat(plan(List.of(), longest).next(0)).as("no room").contains(deletion(all.get(1)));
        assertThat(plan(all.subList(2, 3), longest).next(1)).contains(new Step.Create(all.get(2)));
        assertThat(plan(all.subList(2, 3), longest).next(0)).contains(deletion(all.get(1)));
        assertThat(plan(all.subList(2, 3), longest.subList(1, 2)).next(0)).as("one that is not kept goes first")
                .contains(deletion(all.get(1)));
    }

    private Step deletion(ServerRule rule) {
        return new Step.Delete(server.get(rule.name()));
    }

    /** Its finalizer may be of a controller that no longer runs, and the device of another rule needs a place. */
    @Test
    void one_that_is_being_deleted_has_its_place_until_it_is_gone() {
        List<ServerRule> all = wanted(declared(CEL, "", "NoSchedule"), 1, 2);
        finish(all, 256);
        String first = all.getFirst().name();
        server.put(first, deleting(server.get(first)));
        assertThat(plan(List.of(), all.subList(1, 2)).next(0)).contains(deletion(all.get(1)));
    }

    private static CustomResource<DeviceTaintRule> deleting(CustomResource<DeviceTaintRule> rule) {
        Metadata metadata = rule.metadata();
        return new CustomResource<>(new Metadata(metadata.key(), metadata.uid(), "2", Map.of(), Map.of(),
                metadata.owners(), true), 1, rule.spec(), List.of());
    }

    @Test
    void a_value_that_somebody_edits_is_edited_back() {
        List<ServerRule> wanted = wanted(declared(CEL, "", "NoSchedule"), 1);
        finish(wanted, 256);
        CustomResource<DeviceTaintRule> rule = server.firstEntry().getValue();
        server.put(rule.key().name(), object(rule.key().name(), rule.spec().selector(), "edited", "NoSchedule",
                Optional.of(NOW), rule.metadata().owners()));
        assertThat(next(wanted, 256)).containsInstanceOf(Step.Restore.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 8, 256})
    void whatever_the_server_has_it_becomes_as_wanted_and_no_device_that_keeps_its_taint_is_without(int most) {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            server.clear();
            List<ServerRule> before = wanted(some(random), 1, 2, 3, 4);
            finish(before, most);
            for (String name : List.copyOf(server.keySet())) {
                switch (random.nextInt(6)) {
                    case 0 -> server.remove(name);
                    case 1 -> server.put(name, with(server.get(name), "NoExecute", NOW));
                    case 2 -> server.put(name, with(server.get(name), "NoSchedule", NOW));
                    default -> {}
                }
            }
            List<ServerRule> wanted = wanted(some(random), random.nextInt(2), 2, 3);
            finish(wanted, most);
            assertThat(server.keySet()).as("seed " + seed)
                    .containsExactlyInAnyOrderElementsOf(wanted.stream().map(ServerRule::name).toList());
            assertThat(plan(wanted).complete()).isEqualTo(wanted.size());
        }
    }

    private static DeviceTaintRule some(Random random) {
        return declared(random.nextInt(4) == 0 ? Map.of("pool", "node-1") : CEL, random.nextBoolean() ? "v" : "",
                random.nextBoolean() ? "NoSchedule" : "NoExecute");
    }
}
