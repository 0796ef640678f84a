package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import io.nodeward.core.testkit.ManualTime;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StaleConditionsTest {
    private static final String TYPE = "nodeward.io/TestBlocked";
    private static final String SETS = "/apis/cluster.x-k8s.io/v1beta2/machinesets";
    private static final String WITH = "'status':{'conditions':[{'type':'" + TYPE + "','status':'True','reason':'R',"
            + "'message':'m','lastTransitionTime':'2026-01-01T00:00:00Z'}]}";

    private final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    /** Method and path. */
    private final List<String> requests = new ArrayList<>();
    private final ManagementCluster management = new ManagementCluster(new ApiServer(new Scripted()), "", timers);
    private final List<String> listed = new ArrayList<>();
    private int listStatus = 200;
    private int patchStatus = 200;

    @AfterEach
    void close() {
        timers.close();
    }

    private StaleConditions stale(String watchFilter) {
        Conditions conditions = new Conditions(management.server(), Duration.ZERO, time, time::nanoTime, true);
        return new StaleConditions(management, conditions, TYPE, "test", watchFilter);
    }

    private Result remove(StaleConditions stale) {
        return stale.remove("MachineSet", "machinesets", Projection.taintHolder(TaintPlace.TEMPLATE),
                object -> listed.add(object.key().name()));
    }

    @Test
    void all_pages_are_read_and_what_has_the_condition_loses_it() {
        remove(stale(""));
        assertThat(requests).containsExactly("GET " + SETS + "?limit=500", "GET " + SETS + "?continue=more&limit=500",
                patch("a"), patch("c"));
        assertThat(listed).as("each is looked at").containsExactly("a", "b", "c");
    }

    @Test
    void it_looks_once_more_as_the_process_before_may_still_write() {
        StaleConditions stale = stale("");
        assertThat(remove(stale)).isInstanceOfSatisfying(Result.RequeueAfter.class,
                again -> assertThat(again.after()).isEqualTo(Duration.ofMinutes(1)));
        assertThat(remove(stale)).isEqualTo(Result.done());
    }

    @Test
    void what_could_not_be_taken_back_is_tried_again() {
        patchStatus = 503;
        StaleConditions stale = stale("");
        assertThat(remove(stale)).isInstanceOfSatisfying(Result.RequeueAfter.class,
                again -> assertThat(again.after()).isLessThan(Duration.ofMinutes(1)));
    }

    @Test
    void a_kind_that_is_not_served_or_may_not_be_listed_has_none() {
        for (int status : new int[]{403, 404}) {
            listStatus = status;
            assertThat(remove(stale(""))).isEqualTo(Result.done());
        }
        listStatus = 503;
        assertThatThrownBy(() -> remove(stale(""))).isInstanceOf(ApiFailure.Unreachable.class);
    }

    @Test
    void another_nodewards_stay() {
        remove(stale("mine"));
        assertThat(requests.getFirst()).contains("labelSelector=cluster.x-k8s.io%2Fwatch-filter%3Dmine");
    }

    @Test
    void clusters_are_known_without_a_list() {
        management.clusters().put(cluster("b", List.of()));
        assertThat(stale("").removeFromClusters()).isEqualTo(Result.done());
        management.clusters().put(cluster("a", List.of(new Condition(TYPE, "True", "R", "m", Instant.EPOCH))));
        stale("").removeFromClusters();
        assertThat(requests).containsExactly(patch("a").replace("machinesets", "clusters"));
    }

    private static Cluster cluster(String name, List<Condition> conditions) {
        return new Cluster(new Metadata(new ObjectKey("ns", name), "uid", "1", Map.of(), Map.of(), List.of(), false),
                false, Cluster.ControlPlaneRef.NONE, Cluster.Initialization.INITIALIZED, conditions);
    }

    private static String patch(String name) {
        return "PATCH " + SETS.replace("machinesets", "namespaces/ns/machinesets/") + name + "/status";
    }

    private final class Scripted implements Transport {
        @Override
        public Response exchange(Request call) {
            boolean list = call.method().equals("GET");
            requests.add(call.method() + " " + (list ? call.path() : call.path().replaceFirst("\\?.*", "")));
            if (!list) {
                return answer(patchStatus, "{'metadata':{'resourceVersion':'9'}}");
            }
            return answer(listStatus, call.path().contains("continue=")
                    ? "{'metadata':{'resourceVersion':'5'},'items':[" + item("c", WITH) + "]}"
                    : "{'metadata':{'resourceVersion':'5','continue':'more'},'items':[" + item("a", WITH) + ","
                            + item("b", "'status':{}") + "]}");
        }

        private static String item(String name, String status) {
            return "{'metadata':{'namespace':'ns','name':'" + name + "','uid':'u-" + name + "','resourceVersion':'1'},"
                    + "'spec':{'clusterName':'c'}," + status + "}";
        }

        private static Response answer(int status, String body) {
            return new Response(status, Optional.empty(),
                    new ByteArrayInputStream(body.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
        }

        @Override
        public void close() {}
    }
}
