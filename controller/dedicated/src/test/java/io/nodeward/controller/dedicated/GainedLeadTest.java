package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.rules.dedicated.PodFeatures;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.eviction.PendingEvictions;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.time.Pacer;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.testkit.ManualTime;
import io.nodeward.core.testkit.UnaskedServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A replica that waits for the lead decides as the leader does, and writes nothing. */
class GainedLeadTest {
    private final DedicatedFixture cluster = new DedicatedFixture(6);
    private final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    private final ApiServer server = new ApiServer(new UnaskedServer());
    private final ControllerContext context = new ControllerContext((change, manager, again) -> {
        throw new AssertionError("it writes " + change);
    }, new Conditions(server, Duration.ofSeconds(30), time, time::nanoTime, true),
            new EventRecorder(server, time, timers, false, cluster.registry), time, timers, cluster.registry, "",
            false);
    private final Leadership leadership = Leadership.by(new ObjectKey("nodeward", "lease"), new UnaskedServer(), "host",
            timers, time, cluster.registry);
    private final DedicatedModule module = new DedicatedModule(new DedicatedConfig(), PodFeatures.NONE);

    @AfterEach
    void stop() {
        context.events().close();
        timers.close();
    }

    @Test
    void its_turns_for_no_execute_count_for_nothing_when_it_leads() {
        Pacer<ObjectKey> pacer = module.pacer(context, leadership);
        List<Pacer.Limit> limits = List.of(Pacer.Limit.perMinute("taint", 10));
        ObjectKey node = ObjectKey.clusterScoped("n");
        assertThat(pacer.left(node, limits)).isEqualTo(Duration.ofSeconds(6));
        time.pass(Duration.ofSeconds(6));
        assertThat(pacer.left(node, limits)).isZero();
        leadership.startsLeading();
        assertThat(pacer.left(node, limits)).isEqualTo(Duration.ofSeconds(6));
    }

    @Test
    void its_turns_for_evictions_count_for_nothing_when_it_leads() {
        PendingEvictions pending = module.evictions(context, leadership).pending();
        List<Pacer.Limit> limits = List.of(Pacer.Limit.perMinute("all", 10));
        cluster.pod("cherry", "p", "n");
        Pod pod = cluster.pods.all().iterator().next().pod();
        assertThat(pending.left(pod, limits)).isEqualTo(Duration.ofSeconds(6));
        time.pass(Duration.ofSeconds(6));
        leadership.startsLeading();
        assertThat(pending.left(pod, limits)).isEqualTo(Duration.ofSeconds(6));
    }

    @Test
    void the_nodes_that_it_has_seen_given_up_wait_anew_when_it_leads() {
        List<String> names = IntStream.range(0, 20).mapToObj(i -> "n" + i).toList();
        names.forEach(name -> cluster.node(name, Map.of()));
        for (List<String> nodes : List.of(names, names.subList(19, 20))) {
            cluster.declare("g", Map.of("nodes", Map.of("names", nodes), "who",
                    Map.of("namespaces", List.of("banana"))), "Enforce", "NoSchedule");
            cluster.reconcileGroup("g");
            names.forEach(cluster::reconcileNode);
        }
        NodeReleases releases = module.releases(cluster.scope, context, leadership);
        Result.RequeueAfter first =
                new Result.RequeueAfter(Duration.ofMinutes(1), "the limit of Nodes that groups give up");
        assertThat(releases.turn(cluster.node("n0")).again()).contains(first);
        time.pass(Duration.ofMinutes(1));
        leadership.startsLeading();
        assertThat(releases.turn(cluster.node("n0")).again()).contains(first);
        time.pass(Duration.ofMinutes(1));
        assertThat(releases.turn(cluster.node("n0")).again()).isEmpty();
    }
}
