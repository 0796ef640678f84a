package io.nodeward.e2e.machine;

import static io.nodeward.e2e.machine.Taints.UNINITIALIZED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.MachineSpec;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Gate, watch filter and {@code --dry-run}: what the controller leaves alone with them, and what it does without them. */
class SwitchesTest {
    private static final String ROLE = "node-role.kubernetes.io/edge";
    private static final String WATCH_FILTER = "cluster.x-k8s.io/watch-filter";
    private static final String GATE = "kubernetes_feature_enabled{name=\"MachineTaintPropagation\",stage=\"BETA\"}";
    private static final String TAINT = "example.com/a:NoSchedule";
    private static final String ALWAYS = TAINT + ":Always";
    private MachineSuite suite;

    @BeforeEach
    void prepare() {
        suite = MachineSuite.in("switches");
        suite.cluster("c");
    }

    @AfterEach
    void cleanUp() {
        suite.compareWithOtherBackends();
        suite.close();
    }

    @Test
    void with_the_gate_off_taints_and_their_tracking_are_left_alone_and_the_rest_goes_on() {
        suite.fleet().pair(machine("switches-old", ALWAYS));
        try (RunningNodeward on = suite.start("--feature-gates=MachineTaintPropagation=true")) {
            suite.awaitTaints("switches-old", TAINT);
            assertThat(on.metrics()).contains(GATE + " 1.0");
        }
        Witness witness = new Witness(suite, "c");
        try (RunningNodeward off = suite.start("--feature-gates=MachineTaintPropagation=false")) {
            witness.settle();
            assertThat(off.metrics()).contains(GATE + " 0.0");
            witness.nothing(() -> patchMachine("switches-old", Taints.patch("example.com/b:NoSchedule:Always")));
            witness.nothing(() -> suite.admin().mergePatch(Fleet.nodePath("switches-old"), Taints.patch()));
            AuditRequest label = witness.onePatch("switches-old",
                    () -> patchMachine("switches-old", InRunningController.labels(ROLE, "")));
            assertThat(label.written().has("spec")).isFalse();
            assertThat(Taints.on(suite.node("switches-old"))).isEmpty();
            assertThat(Taints.tracking(suite.node("switches-old"))).isEqualTo(TAINT);

            witness.pair(machine(
                    "switches-new", ALWAYS, "example.com/once:NoSchedule:OnInitialization")
                    .withLabels(Map.of(ROLE, "")));
            assertThat(Taints.on(suite.node("switches-new"))).isEmpty();
            assertThat(Taints.tracking(suite.node("switches-new"))).isNull();
            assertThat(suite.node("switches-new").path("metadata").path("labels").has(ROLE)).isTrue();
        }
        try (RunningNodeward onAgain = suite.start()) {
            suite.awaitTaints("switches-old", "example.com/b:NoSchedule");
            suite.awaitTaints("switches-new", TAINT, "example.com/once:NoSchedule");
            assertThat(Taints.tracking(suite.node("switches-old"))).isEqualTo("example.com/b:NoSchedule");
            assertThat(onAgain.isReady()).isTrue();
        }
    }

    @Test
    void with_a_watch_filter_only_what_bears_its_label_is_touched() {
        label("clusters/c", "mine");
        suite.cluster("other");
        suite.fleet().pair(machine("switches-mine", ALWAYS).withLabels(Map.of(WATCH_FILTER, "mine")));
        suite.fleet().pair(machine("switches-theirs", ALWAYS).withLabels(Map.of(WATCH_FILTER, "theirs")));
        suite.fleet().pair(machine("switches-nobodys", ALWAYS));
        suite.fleet().pair(Taints.declare(MachineSpec.named("switches-elsewhere", "other"), ALWAYS)
                .withLabels(Map.of(WATCH_FILTER, "mine")));
        suite.add(MachineCanary.in(suite, "c"));
        label("machines/switches-c-canary", "mine");
        AuditLog.Mark mark = suite.mark();
        try (RunningNodeward filtered = suite.start("--watch-filter=mine")) {
            suite.awaitTaints("switches-mine", TAINT);
            assertThat(suite.settledSince(mark)).filteredOn(r -> r.is("patch", "nodes"))
                    .extracting(AuditRequest::name).containsExactly("switches-mine");
            assertThat(suite.warnings("Machine", "switches-elsewhere")).singleElement()
                    .satisfies(w -> assertThat(w.getValue()).contains("other", "not watched"));
            // Taking up the label is enough; so is the Cluster's.
            label("machines/switches-nobodys", "mine");
            suite.awaitTaints("switches-nobodys", TAINT);
            label("clusters/other", "mine");
            suite.awaitTaints("switches-elsewhere", TAINT);
            assertThat(filtered.isReady()).isTrue();
        }
        assertThat(Taints.on(suite.node("switches-theirs"))).containsExactly(UNINITIALIZED);
    }

    @Test
    void a_dry_run_writes_nothing_at_all_and_counts_what_it_would_have_written() {
        suite.fleet().pair(machine("switches-seen", ALWAYS));
        suite.fleet().pair(machine("switches-seen-2", "node.cluster.x-k8s.io/uninitialized:NoSchedule:Always"));
        AuditLog.Mark mark = suite.mark();
        try (RunningNodeward dryRun = suite.start("--dry-run")) {
            await().atMost(MachineSuite.PATIENCE).until(() -> dryRun.metrics().lines()
                    .anyMatch(line -> line.matches("nodeward_node_writes_total.*dry_run.* 2\\.0")));
            assertThat(suite.settledSince(mark)).isNotEmpty().noneMatch(AuditRequest::isWrite);
        }
        assertThat(suite.warnings("Machine", "switches-seen-2")).isEmpty();
        assertThat(Taints.on(suite.node("switches-seen"))).containsExactly(UNINITIALIZED);
        try (RunningNodeward writer = suite.start()) {
            suite.awaitTaints("switches-seen", TAINT);
            suite.awaitTaints("switches-seen-2");
            assertThat(writer.isReady()).isTrue();
        }
    }

    @Test
    void bookkeeping_is_kept_for_machines_with_and_without_owner_and_then_costs_nothing() {
        Witness witness = new Witness(suite, "c");
        try (RunningNodeward keeping = suite.start("--bookkeeping-annotations")) {
            witness.settle();
            witness.pair(machine("switches-owned", ALWAYS));
            witness.pair(machine("switches-alone", ALWAYS).standingAlone());
            assertThat(keeping.isReady()).isTrue();
            for (String name : List.of("switches-owned", "switches-alone")) {
                witness.nothing(() -> patchMachine(name, InRunningController.annotations("example.com/any", "change")));
            }
        }
        assertThat(bookkeeping("switches-owned")).containsExactly(
                "c", "switches", "switches-owned", "GenericControlPlane", "c");
        assertThat(bookkeeping("switches-alone")).containsExactly("c", "switches", "switches-alone", null, null);
    }

    private List<String> bookkeeping(String node) {
        return Stream.of("cluster-name", "cluster-namespace", "machine", "owner-kind", "owner-name")
                .map(name -> suite.node(node).path("metadata").path("annotations").path("cluster.x-k8s.io/" + name))
                .map(JsonNode::textValue)
                .toList();
    }

    private static MachineSpec machine(String name, String... taints) {
        return Taints.declare(MachineSpec.named(name, "c"), taints);
    }

    private void label(String object, String value) {
        String path = "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + suite.fleet().namespace() + "/" + object;
        suite.admin().mergePatch(path, InRunningController.labels(WATCH_FILTER, value));
    }

    private void patchMachine(String name, String patch) {
        suite.admin().mergePatch(suite.fleet().machinePath(name), patch);
    }
}
