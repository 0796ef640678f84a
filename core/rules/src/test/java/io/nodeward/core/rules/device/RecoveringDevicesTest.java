package io.nodeward.core.rules.device;

import static io.nodeward.core.rules.device.ServerRulePlanTest.NOW;
import static io.nodeward.core.rules.device.ServerRulePlanTest.UID;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.device.ServerRulePlan.Step;
import io.nodeward.core.rules.device.TaintSource.Share;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rule whose devices break and recover, that users edit, and whose controller restarts. */
class RecoveringDevicesTest {
    private static final Duration DELAY = Duration.ofMinutes(10);
    private static final Map<String, Object> CEL =
            Map.of("selectors", List.of(Map.of("cel", Map.of("expression", "true"))));

    private final TreeMap<String, CustomResource<DeviceTaintRule>> server = new TreeMap<>();
    private String value = "";
    private String delay = "10m";
    private long generation = 1;
    private long nanos;
    private Set<String> selected = Set.of();
    private Tree status = Tree.of(Map.of());
    private Optional<RecoveringDevices> memory = Optional.empty();
    /** The model: when each device that keeps its taint was first seen not to be selected. */
    private final Map<String, Long> since = new TreeMap<>();
    private Set<String> tainted = new TreeSet<>();

    @ParameterizedTest
    @ValueSource(ints = {0, 1_000_000})
    void a_device_has_the_taint_while_the_rule_selects_it_and_for_the_delay_after_that(int from) {
        for (int seed = from; seed < from + 300; seed++) {
            begin();
            Random random = new Random(seed);
            for (int i = 0; i < 30; i++) {
                boolean edited = event(random);
                if (edited) {
                    since.clear();
                    tainted.clear();
                    if (random.nextBoolean()) { // the controller is killed before all rules of the earlier spec are gone
                        reconcile(2);
                        memory = Optional.empty();
                    }
                }
                reconcile(Integer.MAX_VALUE);
                expect();
                assertThat(devices()).as("seed " + seed + ", event " + i).isEqualTo(tainted);
            }
        }
    }

    private void begin() {
        server.clear();
        since.clear();
        tainted = new TreeSet<>();
        memory = Optional.empty();
        status = Tree.of(Map.of());
        selected = Set.of();
    }

    /** Returns whether the rule says something else now. */
    private boolean event(Random random) {
        nanos += Duration.ofMinutes(random.nextInt(5)).toNanos();
        switch (random.nextInt(10)) {
            case 0 -> {
                if (random.nextBoolean()) {
                    value = value.isEmpty() ? "v" : "";
                } else { // the rules of the server keep their names
                    delay = delay.equals("10m") ? "600s" : "10m";
                }
                generation++;
                return true;
            }
            case 1 -> { // the time begins anew
                memory = Optional.empty();
                since.replaceAll((device, before) -> nanos);
            }
            case 2, 3 -> {}
            default -> {
                selected = new HashSet<>();
                List.of("a", "b", "c").stream().filter(any -> random.nextBoolean()).forEach(selected::add);
            }
        }
        return false;
    }

    private void expect() {
        Set<String> next = new TreeSet<>(selected);
        since.keySet().removeAll(selected);
        tainted.stream().filter(device -> !selected.contains(device))
                .forEach(device -> since.putIfAbsent(device, nanos));
        since.values().removeIf(start -> nanos - start >= DELAY.toNanos());
        next.addAll(since.keySet());
        tainted = next;
    }

    private DeviceTaintRule rule() {
        DeviceTaintRule rule = ServerRulePlanTest.declared(CEL, value, "NoSchedule");
        return new DeviceTaintRule(rule.selector(), rule.taint(), rule.confirmedPods(), rule.eviction(), delay);
    }

    private void reconcile(int steps) {
        DeviceTaintRule rule = rule();
        CustomResource<DeviceTaintRule> object = new CustomResource<>(
                new Metadata(ObjectKey.clusterScoped("r"), UID, "1", Map.of(), Map.of(), List.of(), false), generation,
                rule, List.of());
        TaintSource source = TaintSource.of(object, rule, List.of(), Optional.empty(), new DeviceUse().preview(),
                new Share(selected.size(), true),
                selected.stream().map(device -> new DeviceName("d", "p", device)).toList(), Set.of());
        Optional<Step> step = Optional.empty();
        for (int i = 0; i == 0 || i < steps && step.isPresent(); i++) {
            Collection<CustomResource<DeviceTaintRule>> owned = List.copyOf(server.values());
            RecoveringDevices after = memory
                    .orElseGet(() -> RecoveringDevices.start(object, rule, status, owned))
                    .next(rule, source, owned, NOW, nanos);
            memory = Optional.of(after);
            step = new ServerRulePlan(UID, source.serverRules().values(), after.names(), owned,
                    name -> Optional.ofNullable(server.get(name)), NOW).next(256);
            step.ifPresent(this::make);
        }
        status = Tree.of(Map.of(RecoveringDevices.FIELD, memory.orElseThrow().tree(generation)));
    }

    private void make(Step step) {
        switch (step) {
            case Step.Create(ServerRule rule) -> server.put(rule.name(), ServerRulePlanTest.said(rule));
            case Step.Delete(CustomResource<DeviceTaintRule> found) -> server.remove(found.key().name());
            case Step.Restore restore -> throw new AssertionError(restore);
        }
    }

    private Set<String> devices() {
        Set<String> devices = new TreeSet<>();
        server.values().forEach(rule -> devices
                .add(rule.spec().selector().flatMap(DeviceTaintSelector::device).orElseThrow()));
        return devices;
    }
}
