package io.nodeward.core.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Target;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MeteredNodesTest {
    private static final Target OWNER =
            Target.of("v1beta2", "MachineDeployment", "machinedeployments", node("owner"), List.of());
    private static final Optional<Result.RequeueAfter> LATER =
            Optional.of(new Result.RequeueAfter(Duration.ofSeconds(6), "the limit"));

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private long now;
    private Decision decision = change(true, Optional.empty());
    private final MeteredNodes<String> nodes = nodes(false);

    @Test
    void the_time_runs_from_when_the_key_was_added_until_the_change_is_made_whatever_fails_meanwhile() {
        nodes.added("n");
        pass(2);
        nodes.added("n");
        nodes.reconcile("n");
        assertThat(count("NotWritten")).isEqualTo(1);
        pass(3);
        nodes.reconcile("n");
        nodes.executed("n", decision);
        assertThat(took().count()).isEqualTo(1);
        assertThat(took().totalTime(TimeUnit.SECONDS)).isEqualTo(5);
        assertThat(count("NotWritten")).isZero();
    }

    @Test
    void an_edit_that_comes_while_the_key_is_worked_on_is_measured_too() {
        work("n");
        pass(1);
        nodes.reconcile("n");
        pass(1);
        nodes.executed("n", decision);
        assertThat(took().totalTime(TimeUnit.SECONDS)).isEqualTo(1);
    }

    @Test
    void where_nothing_was_missing_nothing_is_measured() {
        decision = change(false, Optional.empty());
        work("n");
        assertThat(took().count()).isZero();
        assertThat(registry.find("nodeward.not.as.declared").gauges()).isEmpty();
    }

    @Test
    void what_somebody_else_has_written_meanwhile_is_as_declared() {
        nodes.added("n");
        nodes.reconcile("n");
        decision = change(false, Optional.empty());
        pass(4);
        nodes.reconcile("n");
        nodes.executed("n", decision);
        assertThat(took().totalTime(TimeUnit.SECONDS)).isEqualTo(4);
        assertThat(count("NotWritten")).isZero();
    }

    @Test
    void what_is_held_back_counts_as_withheld_and_its_time_runs_on() {
        decision = change(false, LATER);
        work("n");
        assertThat(count("Withheld")).isEqualTo(1);
        pass(600);
        decision = change(true, Optional.empty());
        work("n");
        assertThat(count("Withheld")).isZero();
        assertThat(took().totalTime(TimeUnit.SECONDS)).isEqualTo(600);
    }

    @Test
    void a_node_that_is_only_looked_at_again_lacks_nothing() {
        for (boolean missing : List.of(true, false)) {
            decision = new Decision.Change(OWNER, ((Decision.Change) change(missing, LATER)).change(), "declared",
                    List.of(), Optional.empty(), LATER, false);
            work("n");
            assertThat(count("Withheld")).isZero();
            assertThat(took().count()).as("the change that was missing").isEqualTo(1);
        }
    }

    @Test
    void each_reason_has_a_count_and_a_node_has_one_reason() {
        decision = blocked("NodeNotJoined");
        nodes.reconcile("a");
        nodes.reconcile("b");
        nodes.reconcile("b");
        assertThat(count("NodeNotJoined")).isEqualTo(2);
        decision = blocked("NodeClaimedTwice");
        nodes.reconcile("b");
        assertThat(count("NodeNotJoined")).isEqualTo(1);
        assertThat(count("NodeClaimedTwice")).isEqualTo(1);
        decision = new Decision.Gone("deleted");
        nodes.reconcile("a");
        decision = new Decision.Waiting("its cluster");
        nodes.reconcile("b");
        assertThat(count("NodeNotJoined") + count("NodeClaimedTwice")).isZero();
    }

    @Test
    void a_node_that_joins_late_is_measured_from_then_on() {
        nodes.added("n");
        decision = blocked("NodeNotJoined");
        nodes.reconcile("n");
        pass(300);
        decision = change(true, Optional.empty());
        work("n");
        assertThat(took().totalTime(TimeUnit.SECONDS)).isZero();
        assertThat(took().count()).isEqualTo(1);
    }

    @Test
    void what_is_no_node_is_not_measured() {
        decision = blocked("ClusterNotFound");
        nodes.added("pool");
        nodes.reconcile("pool");
        decision = new Decision.Summary(OWNER, Set.of());
        nodes.reconcile("pool");
        nodes.executed("pool", decision);
        assertThat(registry.find("nodeward.not.as.declared").gauges()).isEmpty();
        assertThat(took().count()).isZero();
    }

    @Test
    void a_dry_run_makes_no_node_as_declared() {
        MeteredNodes<String> dry = nodes(true);
        dry.added("n");
        dry.reconcile("n");
        dry.executed("n", decision);
        assertThat(took().count()).isZero();
        assertThat(count("NotWritten")).isEqualTo(1);
        decision = change(false, Optional.empty());
        dry.reconcile("n");
        dry.executed("n", decision);
        assertThat(count("NotWritten")).isZero();
    }

    @Test
    void a_change_that_cannot_be_made_now_has_no_reason() {
        nodes.added("n");
        nodes.reconcile("n");
        nodes.executed("n", new Decision.Waiting("its cluster"));
        assertThat(count("NotWritten")).isZero();
        pass(60);
        work("n");
        assertThat(took().totalTime(TimeUnit.SECONDS)).isZero();
    }

    private MeteredNodes<String> nodes(boolean dryRun) {
        return new MeteredNodes<>(key -> decision, "test", key -> !key.equals("pool"), registry, () -> now, dryRun);
    }

    private void work(String key) {
        nodes.added(key);
        nodes.reconcile(key);
        nodes.executed(key, decision);
    }

    private void pass(int seconds) {
        now += TimeUnit.SECONDS.toNanos(seconds);
    }

    private Timer took() {
        return registry.get("nodeward.declared.to.node").tag("controller", "test").timer();
    }

    private double count(String reason) {
        return Optional.ofNullable(registry.find("nodeward.not.as.declared").tag("reason", reason).gauge())
                .map(Gauge::value).orElse(0.0);
    }

    private static Decision blocked(String reason) {
        return new Decision.Blocked(OWNER, new Blocked(reason, "why"), false);
    }

    private static Decision change(boolean missing, Optional<Result.RequeueAfter> later) {
        NodeChange change = new NodeChange("n", "1",
                missing ? Optional.of(List.of(Taint.of("a", "", "NoSchedule"))) : Optional.empty(), new TreeMap<>(),
                new TreeMap<>());
        return new Decision.Change(OWNER, ObjectChange.node(new ObjectKey("ns", "c"), node("n"), change), "declared",
                List.of(), Optional.empty(), later, later.isPresent());
    }

    private static Node node(String name) {
        return new Node(new Metadata(ObjectKey.clusterScoped(name), "u", "1", Map.of(), Map.of(), List.of(), false), "",
                List.of());
    }
}
