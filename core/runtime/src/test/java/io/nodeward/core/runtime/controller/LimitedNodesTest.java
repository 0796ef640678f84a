package io.nodeward.core.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LimitedNodesTest {
    private static final Target OWNER = Target.of("v1beta2", "MachineDeployment", "machinedeployments",
            node("owner"), List.of());

    private final List<String> executed = new ArrayList<>();
    private final NoExecuteLimit<String, String> limit =
            new NoExecuteLimit<>(new NoExecuteLimit.Settings(0, 10), () -> this.now);
    private final LimitedNodes<String, String> limited = new LimitedNodes<>(new Delegate(), limit, new Known());
    private long now;
    private Decision decision = change(true);

    @Test
    void a_change_loses_what_it_newly_brings_until_it_is_its_turn() {
        Decision.Change held = (Decision.Change) limited.reconcile("n");
        assertThat(held.change().isEmpty()).isTrue();
        assertThat(held.recheck().orElseThrow().after()).isEqualTo(Duration.ofSeconds(3));
        assertThat(held.withheld()).isTrue();
        limited.executed("n", held);
        assertThat(limit.waiting("owner")).containsExactly("n");
        now += Duration.ofSeconds(3).toNanos();
        Decision.Change whole = (Decision.Change) limited.reconcile("n");
        assertThat(whole).isEqualTo(decision);
        limited.executed("n", whole);
        assertThat(limit.waiting()).isZero();
        assertThat(executed).containsExactly("n", "n");
    }

    @Test
    void a_change_without_an_answer_may_have_been_made() {
        limited.reconcile("n");
        now += Duration.ofSeconds(3).toNanos();
        limited.unanswered("n", (Decision.Change) limited.reconcile("n"));
        assertThat(limit.waiting()).isZero();
        assertThat(executed).containsExactly("unanswered n");
    }

    @Test
    void what_the_limit_cannot_look_into_does_not_pass() {
        Decision.Change change = (Decision.Change) decision;
        decision = new Decision.Change(OWNER, change.change().with(new Verb.Delete()),
                change.declared(), change.findings(), change.awaited(), change.recheck(), false);
        assertThatThrownBy(() -> limited.reconcile("n")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("NoExecute");
    }

    @Test
    void what_brings_nothing_new_passes_and_ends_the_waiting() {
        limited.reconcile("n");
        decision = change(false);
        assertThat(limited.reconcile("n")).isEqualTo(decision);
        assertThat(limit.waiting()).isZero();
        assertThat(limit.nodes("owner")).containsExactly("n");
    }

    @Test
    void a_node_of_which_nothing_is_known_does_not_wait_and_one_that_is_gone_is_forgotten() {
        limited.reconcile("n");
        decision = new Decision.Blocked(OWNER, new Blocked("NodeNotJoined", "no Node"), false);
        assertThat(limited.reconcile("n")).isEqualTo(decision);
        assertThat(limit.waiting()).isZero();
        assertThat(limit.nodes("owner")).containsExactly("n");
        decision = new Decision.Gone("it is gone");
        limited.reconcile("n");
        assertThat(limit.nodes("owner")).isEmpty();
    }

    private static Decision change(boolean brings) {
        return new Decision.Change(OWNER,
                ObjectChange.node(new ObjectKey("ns", "c"), node("n"), new NodeChange("n", "1",
                        brings ? Optional.of(List.of(Taint.of("out", "", "NoExecute"))) : Optional.empty(),
                        new TreeMap<>(),
                        new TreeMap<>())),
                "declared", List.of(), Optional.empty());
    }

    private static Node node(String name) {
        return new Node(new Metadata(ObjectKey.clusterScoped(name), "u", "1", Map.of(), Map.of(), List.of(), false), "",
                List.of());
    }

    private final class Delegate implements Reconciler<String> {
        @Override
        public Decision reconcile(String key) {
            return decision;
        }

        @Override
        public void executed(String key, Decision done) {
            executed.add(key);
        }

        @Override
        public void unanswered(String key, Decision.Change done) {
            executed.add("unanswered " + key);
        }
    }

    private static final class Known implements LimitedNodes.Nodes<String, String> {
        @Override
        public String owner(String key) {
            return "owner";
        }

        @Override
        public long confirmed(String owner) {
            return 0;
        }

        @Override
        public Optional<NodeChange> without(String key, Verb.PatchNode update) {
            return update.change().taints().map(taints -> new NodeChange("n", "1", Optional.empty(),
                    new TreeMap<>(), new TreeMap<>()));
        }
    }
}
