package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.MachinePool.InfrastructureRef;
import io.nodeward.api.machine.MachinePool.Template;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.runtime.cluster.PoolInfrastructure.Makes;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.testkit.ManualTime;
import io.nodeward.core.testkit.VirtualThreads;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PoolInfrastructureTest {
    private static final String GROUP = "infrastructure.cluster.x-k8s.io";
    private static final String OBJECT = "/apis/" + GROUP + "/v1beta2/namespaces/fleet/somemachinepools/p";

    private final FakeApiServer server = FakeApiServer.start(Options.defaults()
            .withKind(Kind.custom(GROUP, List.of("v1beta2"), "somemachinepools", "SomeMachinePool")));
    private final ApiServer client = new ApiServer(new Fabric8Backend()
            .connect(new ClusterAccess(server.kubeconfig(), Optional.empty(), "test")));
    private final Timers timers = new Timers();
    private final PoolInfrastructure infrastructure = new PoolInfrastructure(client, timers, new SimpleMeterRegistry());
    private final BlockingQueue<ObjectKey> news = new LinkedBlockingQueue<>();

    @BeforeEach
    void subscribe() {
        infrastructure.subscribe(news::add);
    }

    @AfterEach
    void stop() {
        infrastructure.close();
        timers.close();
        client.close();
        server.close();
    }

    @Test
    void nothing_runs_before_somebody_asks(@TempDir Path directory) throws Exception {
        VirtualThreads virtual = new VirtualThreads(directory);
        Set<String> others = virtual.named("nodeward-infrastructure");
        PoolInfrastructure unused = new PoolInfrastructure(client, timers, new SimpleMeterRegistry());
        unused.subscribe(news::add);
        unused.makes(pool("").key(), pool("").infrastructure());
        assertThat(virtual.named("nodeward-infrastructure")).isSubsetOf(others);

        infrastructure.makes(pool("SomeMachinePool").key(), pool("SomeMachinePool").infrastructure());
        news.take();
        assertThat(virtual.named("nodeward-infrastructure")).anyMatch(thread -> !others.contains(thread));
        unused.close();
    }

    @Test
    void who_names_a_kind_of_machines_makes_them_and_is_asked_once() throws Exception {
        object("'status':{'infrastructureMachineKind':'SomeMachine'}");
        assertThat(makesMachines("SomeMachinePool")).isTrue();
        server.clearRequests();
        assertThat(makesMachines("SomeMachinePool")).isTrue();
        assertThat(server.requests()).isEmpty();

        infrastructure.forget(pool("SomeMachinePool").key());
        assertThat(makesMachines("SomeMachinePool")).isTrue();
        assertThat(server.requests()).singleElement().satisfies(r -> assertThat(r.path()).isEqualTo(OBJECT));
    }

    @Test
    void who_names_none_makes_none() throws Exception {
        object("'status':{'ready':true,'replicas':3}");
        assertThat(makesMachines("SomeMachinePool")).isFalse();
        server.clearRequests();
        assertThat(makesMachines("SomeMachinePool")).isFalse();
        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            'status':{'infrastructureMachineKind':'M'}              | MACHINES
            'status':{'ready':true}                                 | NONE
            'status':{'initialization':{'provisioned':true}}        | NONE
            'status':{'initialization':{'provisioned':false}}       | UNKNOWN
            'status':{'ready':false,'replicas':0}                   | UNKNOWN
            """, quoteCharacter = '`')
    void what_names_no_kind_before_it_is_set_up_may_do_so_later(String status, Makes expected) throws Exception {
        object(status);

        assertThat(makes("SomeMachinePool")).isEqualTo(expected);
    }

    @Test
    void a_decision_is_not_held_up_and_hears_of_the_answer() throws Exception {
        object("'status':{'infrastructureMachineKind':'SomeMachine'}");
        MachinePool pool = pool("SomeMachinePool");
        CountDownLatch answer = new CountDownLatch(1);
        server.fault(1, r -> r.path().equals(OBJECT) && held(answer), Fault.status(503, "ServiceUnavailable", "no"));

        assertThat(infrastructure.makes(pool.key(), pool.infrastructure())).isEqualTo(Makes.UNREAD);
        assertThat(infrastructure.makes(pool.key(), pool.infrastructure())).isEqualTo(Makes.UNREAD);
        answer.countDown();
        assertThat(news.take()).isEqualTo(pool.key());
        assertThat(infrastructure.makes(pool.key(), pool.infrastructure())).isEqualTo(Makes.MACHINES);
    }

    @Test
    void a_pool_without_infrastructure_asks_nobody() throws Exception {
        assertThat(makesMachines("")).isFalse();
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void what_is_not_there_or_not_for_us_to_read_makes_none_as_far_as_is_known() throws Exception {
        assertThat(makesMachines("SomeMachinePool")).isFalse();
        assertThat(makesMachines("NoSuchPool")).isFalse();
        infrastructure.forget(pool("SomeMachinePool").key());
        server.fault(1, r -> r.path().equals(OBJECT), Fault.status(403, "Forbidden", "no"));
        assertThat(makesMachines("SomeMachinePool")).isFalse();
    }

    @Test
    void who_does_not_answer_is_asked_again() throws Exception {
        object("'status':{'infrastructureMachineKind':'SomeMachine'}");
        server.fault(1, r -> r.path().equals(OBJECT), Fault.status(503, "ServiceUnavailable", "not now"));
        assertThat(makesMachines("SomeMachinePool")).isTrue();
        assertThat(server.requests()).filteredOn(r -> r.path().equals(OBJECT)).hasSize(2);
    }

    @Test
    void what_is_not_known_is_read_again_later_and_only_news_is_told() throws Exception {
        ManualTime time = new ManualTime();
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (Timers manual = new Timers(time, time::nanoTime);
                PoolInfrastructure later = new PoolInfrastructure(client, manual, registry)) {
            later.subscribe(news::add);
            object("'status':{'ready':false}");
            MachinePool pool = pool("SomeMachinePool");
            later.makes(pool.key(), pool.infrastructure());
            news.take();
            for (int reads = 2; reads < 4; reads++) {
                time.pass(PoolInfrastructure.AGAIN.plusSeconds(1));
                assertThat(later.makes(pool.key(), pool.infrastructure())).isEqualTo(Makes.UNKNOWN);
                int all = reads;
                await().until(() -> registry.get("controller.runtime.reconcile").tag("result", "success").counter()
                        .count() == all);
            }
            server.mergePatch("somemachinepools", "fleet", "p", json("{'status':{'infrastructureMachineKind':'M'}}"));
            time.pass(PoolInfrastructure.AGAIN.plusSeconds(1));
            later.makes(pool.key(), pool.infrastructure());
            assertThat(news.take()).isEqualTo(pool.key());
            assertThat(later.makes(pool.key(), pool.infrastructure())).isEqualTo(Makes.MACHINES);
            assertThat(news).isEmpty();
        }
    }

    @Test
    void a_version_that_is_served_no_more_is_looked_for_again() throws Exception {
        ManualTime time = new ManualTime();
        try (Timers manual = new Timers(time, time::nanoTime);
                PoolInfrastructure later = new PoolInfrastructure(client, manual, new SimpleMeterRegistry())) {
            later.subscribe(news::add);
            object("'status':{'infrastructureMachineKind':'SomeMachine'}");
            MachinePool pool = pool("SomeMachinePool");
            // As before its provider was upgraded.
            answers("/apis/" + GROUP, "{'kind':'APIGroup','versions':[{'version':'v1beta1'}]}");
            answers("/apis/" + GROUP + "/v1beta1",
                    "{'kind':'APIResourceList','resources':[{'name':'somemachinepools','kind':'SomeMachinePool'}]}");
            later.makes(pool.key(), pool.infrastructure());
            news.take();
            assertThat(later.makes(pool.key(), pool.infrastructure())).isEqualTo(Makes.UNKNOWN);

            time.pass(PoolInfrastructure.AGAIN.plusSeconds(1));
            later.makes(pool.key(), pool.infrastructure());
            assertThat(news.take()).isEqualTo(pool.key());
            assertThat(later.makes(pool.key(), pool.infrastructure())).isEqualTo(Makes.MACHINES);
        }
    }

    private void answers(String path, String json) {
        server.fault(1, request -> request.path().equals(path), new Fault.Answer(200, Map.of("Content-Type",
                "application/json"), json.replace('\'', '"')));
    }

    private boolean makesMachines(String kind) throws InterruptedException {
        return makes(kind) == Makes.MACHINES;
    }

    /** As soon as it has been read. */
    private Makes makes(String kind) throws InterruptedException {
        MachinePool pool = pool(kind);
        Makes makes = infrastructure.makes(pool.key(), pool.infrastructure());
        if (makes == Makes.UNREAD) {
            assertThat(news.take()).isEqualTo(pool.key());
            makes = infrastructure.makes(pool.key(), pool.infrastructure());
        }
        return makes;
    }

    private static boolean held(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return true;
    }

    private static MachinePool pool(String kind) {
        Metadata metadata = new Metadata(
                new ObjectKey("fleet", "p"), "uid", "1", Map.of(), Map.of(), List.of(), false);
        InfrastructureRef ref = kind.isEmpty()
                ? new InfrastructureRef("", "", "")
                : new InfrastructureRef(GROUP, kind, "p");
        return new MachinePool(metadata, "c", new Template(Map.of(), Map.of(), List.of()), ref, List.of(), List.of(),
                List.of());
    }

    private void object(String status) {
        server.create("namespaces", json("{'metadata':{'name':'fleet'}}"));
        server.create("somemachinepools",
                json("{'metadata':{'namespace':'fleet','name':'p'},'spec':{}," + status + "}"));
    }

    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
