package io.nodeward.controller.machinepool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.node.NodeChange;
import io.nodeward.core.rules.node.NodePlanner;
import io.nodeward.core.rules.node.NodePolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever happens in whatever order: in the end every Node is as its pool declares, and nothing more is written. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PoolSequencesTest extends PoolFixture {
    private static final int STEPS = 60;
    private static final List<String> TAINTS =
            List.of("a=1:NoSchedule", "a=2:NoSchedule", "b=1:NoExecute", "c=1:NoSchedule:OnInitialization");

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void every_node_ends_as_declared(long seed) throws Exception {
        sequence(seed);
    }

    @Tag("deep")
    @ParameterizedTest
    @ValueSource(longs = {3, 4, 5, 6})
    void every_node_ends_as_declared_in_other_sequences(long seed) throws Exception {
        sequence(seed);
    }

    private void sequence(long seed) throws Exception {
        Random random = new Random(seed);
        pool("p", 4);
        pool("q", 0);
        start();
        for (int step = 0; step < STEPS; step++) {
            happen(random);
            if (random.nextInt(4) == 0) {
                Thread.sleep(random.nextInt(30));
            }
        }
        if (management.get("machines", "fleet", "m").isPresent()) {
            management.delete("machines", "fleet", "m");
        }
        pause(false);
        list("p", ids(4));
        list("q");

        settle();
        assertThat(unfinished()).isEmpty();
        workload.clearRequests();
        quiet.pass(Duration.ofMinutes(1));
        settle();
        assertThat(requests()).isEmpty();
    }

    private void happen(Random random) {
        String node = "p-" + random.nextInt(4);
        switch (random.nextInt(8)) {
            case 0, 1 -> declare(random.nextBoolean() ? "p" : "q", some(random));
            case 2 -> setTaints(node, random.nextBoolean() ? new String[0] : new String[]{"foreign=1:NoSchedule"});
            case 3 -> list("p", ids(random.nextInt(5)));
            case 4 -> list("q", random.nextBoolean() ? new String[0] : ids(1));
            case 5 -> pause(random.nextBoolean());
            case 6 -> {
                workload.delete("nodes", "", node);
                node(node, "node.cluster.x-k8s.io/uninitialized=:NoSchedule");
            }
            default -> {
                if (management.get("machines", "fleet", "m").isPresent()) {
                    management.delete("machines", "fleet", "m");
                } else {
                    management.create("machines", json("{'metadata':{'namespace':'fleet','name':'m',"
                            + "'ownerReferences':[{'apiVersion':'cluster.x-k8s.io/v1beta2','kind':'MachinePool',"
                            + "'name':'p','uid':'u','controller':true}]},'spec':{'clusterName':'c','providerID':'fake://p-0'}}"));
                }
            }
        }
    }

    private static String[] some(Random random) {
        TreeSet<String> chosen = new TreeSet<>();
        for (String taint : TAINTS) {
            boolean taken = chosen.stream().anyMatch(other -> other.charAt(0) == taint.charAt(0));
            if (!taken && random.nextBoolean()) {
                chosen.add(taint);
            }
        }
        return chosen.toArray(String[]::new);
    }

    private void pause(boolean paused) {
        management.mergePatch("machinepools", "fleet", "p",
                json("{'metadata':{'annotations':{'cluster.x-k8s.io/paused':" + (paused ? "''" : "null") + "}}}"));
    }

    /** Nodes of pool p for which there is still something to write. */
    private String unfinished() {
        MachinePool pool = read(management.get("machinepools", "fleet", "p").orElseThrow(), Projection.MACHINE_POOL);
        return workload.list("nodes").stream().map(json -> read(json, Projection.NODE))
                .map(node -> NodePlanner.plan(new PoolOwners().of(pool), node, NodePolicy.forMachinePools()).change())
                .filter(change -> !change.isEmpty())
                .map(NodeChange::toString)
                .collect(Collectors.joining("\n"));
    }

    private static <T extends KubernetesObject> T read(JsonNode json, Projection<T> projection) {
        try {
            return projection.read(json.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
