package io.nodeward.e2e.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Projection;
import io.nodeward.api.json.Trees;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.topology.PropagationStep;
import io.nodeward.core.rules.topology.TaintListPlan;
import io.nodeward.core.rules.topology.TaintListPlan.Write;
import io.nodeward.core.rules.topology.TaintListPlanner;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Plans of what to carry, on a real server with managers that quarrel at random: none is refused, they come to rest, what
 * others put there stays as it is, and what is wanted is there unless somebody else is named.
 */
class TaintListPlannerOnServerTest {
    private static final String MACHINES = "/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machines";
    private static final List<String> OTHERS = List.of("kubectl", "operator");
    private static final int STEPS = 40;
    private static final int PLANS_AT_MOST = 4;

    private static AdminClient admin;

    @BeforeAll
    static void install() {
        admin = ControlPlane.shared().admin();
        ClusterApiCrds.install(admin);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void plans_are_taken_and_come_to_rest(long seed) throws IOException {
        Random random = new Random(seed);
        String name = "carried-" + seed;
        admin.create(MACHINES, Json.parse("""
                {"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"Machine","metadata":{"name":"%s"},"spec":{
                 "clusterName":"c","bootstrap":{"dataSecretName":"s"},
                 "infrastructureRef":{"apiGroup":"example.com","kind":"X","name":"x"}}}""".formatted(name)));
        List<String> history = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            history.add(disturb(name, random));
            List<MachineTaint> wanted = list(random);
            TaintHolder before = read(name);
            TaintListPlan last = carry(name, wanted, history);
            check(before, read(name), wanted, last, history);
        }
        admin.delete(MACHINES + "/" + name);
    }

    private static void check(
            TaintHolder before, TaintHolder after, List<MachineTaint> wanted, TaintListPlan last,
            List<String> history) {
        Map<TaintId, MachineTaint> now = new HashMap<>();
        after.taints().forEach(taint -> now.put(taint.id(), taint));
        for (MachineTaint taint : before.taints()) {
            boolean ours = before.owners().stream().anyMatch(owner -> owner.applied()
                    && owner.manager().equals(PropagationStep.MACHINES.manager()) && owner.ownsItem(taint.id()));
            // Of what is carried too, a Machine's writers have a say only if they apply.
            boolean theirs = before.owners().stream().anyMatch(owner -> OTHERS.contains(owner.manager())
                    && owner.ownsItem(taint.id()) && (owner.applied() || !ours));
            if (theirs) {
                // A value that we alone have set is declared by none of those who apply the taint without one.
                boolean valued = before.owners().stream().anyMatch(
                        owner -> OTHERS.contains(owner.manager()) && owner.owns(taint.id(), "value"));
                MachineTaint bare = new MachineTaint(taint.key(), "", taint.effect(), taint.propagation());
                assertThat(now.get(taint.id())).as(String.join("\n", history)).isIn(taint, valued ? taint : bare);
            } else if (ours) {
                assertThat(Optional.ofNullable(now.get(taint.id()))).as(String.join("\n", history)).isEqualTo(
                        wanted.stream().filter(one -> one.id().equals(taint.id())).findFirst());
            }
        }
        List<MachineTaint> missing = new ArrayList<>(wanted);
        missing.removeAll(after.taints());
        assertThat(last.contests()).as(String.join("\n", history)).extracting(TaintListPlan.Contest::wanted)
                .containsExactlyInAnyOrderElementsOf(missing);
    }

    private static TaintListPlan carry(String name, List<MachineTaint> wanted, List<String> history)
            throws IOException {
        for (int i = 0; i < PLANS_AT_MOST; i++) {
            TaintHolder found = read(name);
            TaintListPlan plan = TaintListPlanner.plan(PropagationStep.MACHINES, wanted, found);
            history.add("wanted " + wanted + ": " + plan);
            String manager = "?fieldManager=" + PropagationStep.MACHINES.manager();
            AdminClient.Reply reply;
            switch (plan.write()) {
                case Write.Nothing() -> {
                    return plan;
                }
                case Write.Apply(List<MachineTaint> taints, boolean force) -> reply =
                        admin.send("PATCH", MACHINES + "/" + name + manager + "&force=" + force,
                                AdminClient.APPLY_PATCH, applied(found, taints));
                case Write.Replace(List<MachineTaint> taints) -> reply =
                        admin.send("PATCH", MACHINES + "/" + name + manager, AdminClient.MERGE_PATCH,
                                replaced(found, taints));
                case Write.Refused refused -> throw new AssertionError(String.join("\n", history));
            }
            assertThat(reply.code()).as("%s: %s", reply.body(), String.join("\n", history)).isEqualTo(200);
        }
        throw new AssertionError("no rest: " + String.join("\n", history));
    }

    private static String applied(TaintHolder found, List<MachineTaint> taints) {
        Map<String, Object> object = new TreeMap<>(Map.of(
                "apiVersion", "cluster.x-k8s.io/v1beta2", "kind", "Machine", "metadata",
                Map.of("name", found.key().name(), "resourceVersion", found.metadata().resourceVersion())));
        if (!taints.isEmpty()) {
            object.put("spec", TaintPlace.MACHINE.holding(taints).at("spec"));
        }
        return Trees.text(Tree.of(object));
    }

    private static String replaced(TaintHolder found, List<MachineTaint> taints) {
        return Trees.text(Tree.of(Map.of("metadata", Map.of("resourceVersion", found.metadata().resourceVersion()),
                "spec", TaintPlace.MACHINE.holding(taints).at("spec"))));
    }

    private static TaintHolder read(String name) throws IOException {
        byte[] json = admin.get(MACHINES + "/" + name).toString().getBytes(StandardCharsets.UTF_8);
        return Projection.taintHolder(TaintPlace.MACHINE).read(json);
    }

    /** One write by somebody else; the server may refuse it. */
    private static String disturb(String name, Random random) throws IOException {
        String manager = OTHERS.get(random.nextInt(OTHERS.size()));
        TaintHolder found = read(name);
        int kind = random.nextInt(4);
        List<MachineTaint> taints = kind == 2 ? edited(found.taints(), random) : list(random);
        boolean apply = kind == 0;
        boolean force = random.nextBoolean();
        if (kind == 3) {
            return "nothing";
        }
        String query = "?fieldManager=" + manager + (apply ? "&force=" + force : "");
        AdminClient.Reply reply = admin.send("PATCH", MACHINES + "/" + name + query,
                apply ? AdminClient.APPLY_PATCH : AdminClient.MERGE_PATCH, patch(name, apply, taints));
        assertThat(reply.code()).as("%s", reply.body()).isIn(200, 409, 422);
        return manager + (apply ? " applies " + (force ? "by force " : "") : " writes ") + taints + ": " + reply.code();
    }

    private static String patch(String name, boolean apply, List<MachineTaint> taints) {
        ObjectNode patch = (ObjectNode) Json.parse("{\"spec\":{}}");
        if (apply) {
            patch.put("apiVersion", "cluster.x-k8s.io/v1beta2").put("kind", "Machine");
            patch.withObject("/metadata").put("name", name);
        }
        if (taints.isEmpty()) {
            return apply ? patch.toString() : "{\"spec\":{\"taints\":null}}";
        }
        ArrayNode list = patch.withObject("/spec").putArray("taints");
        for (MachineTaint taint : taints) {
            ObjectNode item = list.addObject().put("key", taint.key()).put("effect", taint.effect())
                    .put("propagation", taint.propagation());
            if (!taint.value().isEmpty()) {
                item.put("value", taint.value());
            }
        }
        return patch.toString();
    }

    private static List<MachineTaint> edited(List<MachineTaint> taints, Random random) {
        List<MachineTaint> edited = new ArrayList<>(taints);
        if (!edited.isEmpty()) {
            int at = random.nextInt(edited.size());
            MachineTaint taint = edited.get(at);
            edited.set(at, random.nextBoolean()
                    ? new MachineTaint(taint.key(), value(random), taint.effect(), taint.propagation())
                    : new MachineTaint(taint.key(), taint.value(), taint.effect(), propagation(random)));
        }
        return edited;
    }

    private static List<MachineTaint> list(Random random) {
        Map<TaintId, MachineTaint> taints = new LinkedHashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            MachineTaint taint = new MachineTaint(List.of("a", "b", "c").get(random.nextInt(3)), value(random),
                    List.of("NoSchedule", "NoExecute").get(random.nextInt(2)), propagation(random));
            taints.put(taint.id(), taint);
        }
        return List.copyOf(taints.values());
    }

    private static String value(Random random) {
        return List.of("", "1", "2").get(random.nextInt(3));
    }

    private static String propagation(Random random) {
        return random.nextBoolean() ? MachineTaint.ALWAYS : MachineTaint.ON_INITIALIZATION;
    }
}
