package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.PartialObject;
import io.nodeward.api.node.Node;
import io.nodeward.api.pod.Pod;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.Reflector;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Resource;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import io.nodeward.core.testkit.ManualTime;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** A cluster of which no controller needs Cluster API's objects, or any Secret. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class HomeClusterTest {
    private static final Resource WIDGETS = Resources.namespaced("kit.example.io", "v1", "widgets");
    private static final List<Resource> GADGETS = List.of(Resources.clusterScoped("kit.example.io", "v2", "gadgets"),
            Resources.clusterScoped("kit.example.io", "v1", "gadgets"));
    private static final Index<Pod> BY_NODE = Index.of("node", Pod::nodeName);
    private static final String READER = "reader";
    private static final int FOR_EVER = 1_000_000;

    private final FakeApiServer server = FakeApiServer.start(Options.defaults()
            .withKind(Kind.custom("kit.example.io", List.of("v1"), "widgets", "Widget"))
            .withKind(Kind.custom("kit.example.io", List.of("v2", "v1"), "gadgets", "Gadget").clusterScoped())
            .withBookmarkEvery(Duration.ofMillis(50)));
    private final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    private final CountedBackend backend = new CountedBackend(new Fabric8Backend(), time);
    private final HomeCluster home = new HomeCluster(
            new ConnectionFactory(backend, ClusterSettings.DEFAULT, timers, new SimpleMeterRegistry(), "test",
                    WritePause.NEVER, Leadership.UNCONTESTED)
                    .management(server.kubeconfigWithToken(READER), Optional.empty()),
            timers);
    private final ManagementCluster management = new ManagementCluster(home, "", List.of(""), timers);
    private final List<ILoggingEvent> lines = new CopyOnWriteArrayList<>();
    private final Logger log = (Logger) LoggerFactory.getLogger(Reflector.class);
    private final Level before = log.getLevel();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent line) {
            lines.add(line);
        }
    };

    @AfterEach
    void stop() {
        log.detachAppender(appender);
        log.setLevel(before);
        management.close();
        timers.close();
        server.close();
    }

    private void start() {
        appender.start();
        log.addAppender(appender);
        log.setLevel(Level.WARN);
        home.start();
        management.start();
    }

    private void until(Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(50)).pollInterval(Duration.ofMillis(3)).until(() -> {
            boolean met = condition.call();
            if (!met) {
                backend.passWait();
            }
            return met;
        });
    }

    private void untilSynced() {
        until(() -> home.unsynced().isEmpty());
    }

    private void create(String resource, String object) throws IOException {
        JsonNode json = new ObjectMapper().readTree(object.replace('\'', '"'));
        server.create(resource, json);
    }

    @Test
    void one_object_is_asked_for_at_once_and_found_or_not() throws Exception {
        create("nodes", "{'metadata':{'name':'n','labels':{'a':'b'}}}");
        assertThat(home.read(Resources.NODES, Projection.METADATA, ObjectKey.clusterScoped("n")))
                .hasValueSatisfying(node -> assertThat(node.metadata().labels()).containsEntry("a", "b"));
        assertThat(home.read(Resources.NODES, Projection.METADATA, ObjectKey.clusterScoped("m"))).isEmpty();
        server.fault(1, request -> request.path().endsWith("/n"), Fault.status(403, "Forbidden", "of the test"));
        assertThatThrownBy(() -> home.read(Resources.NODES, Projection.METADATA, ObjectKey.clusterScoped("n")))
                .isInstanceOf(ApiFailure.Forbidden.class);
        assertThat(server.requests()).hasSize(3);
    }

    @Test
    void a_list_that_goes_silent_blocks_nobody_for_ever() {
        CountDownLatch closed = new CountDownLatch(1);
        HomeCluster silent = new HomeCluster(new ApiServer(new Transport() {
            @Override
            public Response exchange(io.nodeward.core.spi.Request call) {
                return new Response(200, Optional.empty(), new Silence(closed));
            }

            @Override
            public void close() {}
        }), timers);
        CompletableFuture<Void> list = CompletableFuture.runAsync(() -> silent.list(
                Resources.NODES, "", ListOptions.page("", 500, ""), Projection.METADATA, node -> {}),
                Thread::startVirtualThread);
        long since = time.nanoTime();
        await().atMost(Duration.ofSeconds(50)).until(() -> {
            time.pass(Duration.ofSeconds(10));
            return list.isDone();
        });
        assertThat(Duration.ofNanos(time.nanoTime() - since)).isGreaterThanOrEqualTo(Duration.ofSeconds(90));
        assertThatThrownBy(list::join).hasCauseInstanceOf(ApiFailure.Unreachable.class);
        assertThat(closed.getCount()).isZero();
    }

    /** The body of a half-open connection. */
    private static final class Silence extends InputStream {
        private final CountDownLatch closed;

        Silence(CountDownLatch closed) {
            this.closed = closed;
        }

        @Override
        public int read() throws IOException {
            try {
                closed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new IOException("closed");
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }

    @Test
    void kinds_of_any_group_are_watched_with_one_request_each_and_nothing_of_cluster_api_is_asked_for()
            throws Exception {
        server.admit(READER, request -> !request.path().contains("cluster.x-k8s.io")
                && !request.path().contains("secrets"));
        create("nodes", "{'metadata':{'name':'n'}}");
        create("pods", "{'metadata':{'name':'p'},'spec':{'nodeName':'n','containers':[{'name':'c','image':'i'}]}}");
        create("widgets", "{'metadata':{'name':'w'}}");
        ObjectCache<Node> nodes = home.watch(Resources.NODES, Projection.NODE);
        ObjectCache<Pod> pods = home.watch(Resources.PODS, Projection.POD, BY_NODE);
        ObjectCache<PartialObject> widgets = home.watch(WIDGETS, Projection.METADATA);
        start();
        untilSynced();

        assertThat(management.unsynced()).isEmpty();
        assertThat(nodes.get(ObjectKey.clusterScoped("n"))).isPresent();
        assertThat(pods.find(BY_NODE, "n")).extracting(pod -> pod.key().name()).containsExactly("p");
        assertThat(widgets.get(new ObjectKey("default", "w"))).isPresent();
        assertThat(server.requests()).extracting(Request::path)
                .containsExactlyInAnyOrder("/api/v1/nodes", "/api/v1/pods", "/apis/kit.example.io/v1/widgets");

        create("nodes", "{'metadata':{'name':'later'}}");
        until(() -> nodes.get(ObjectKey.clusterScoped("later")).isPresent());
    }

    @Test
    void where_nobody_asks_for_anything_nothing_is_sent_and_all_has_been_seen() {
        start();

        assertThat(management.unsynced()).isEmpty();
        assertThat(home.unsynced()).isEmpty();
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void of_cluster_api_only_that_is_watched_which_somebody_asks_for() {
        server.admit(READER, request -> true);
        assertThat(management.clusters().size()).isZero();
        start();
        until(() -> management.unsynced().isEmpty());

        assertThat(server.requests()).extracting(Request::path)
                .containsExactly("/apis/cluster.x-k8s.io", "/apis/cluster.x-k8s.io/v1beta2",
                        "/apis/cluster.x-k8s.io/v1beta1", "/apis/cluster.x-k8s.io/v1beta2/clusters");
        assertThat(management.sizes()).isEqualTo(Map.of("clusters", 0));
    }

    @Test
    void what_nobody_asked_for_in_time_is_not_taken_for_none() {
        start();

        assertThatIllegalStateException().isThrownBy(management::machines)
                .withMessageContaining("nobody asked for machines before the start");
        assertThatIllegalStateException().isThrownBy(() -> home.watch(Resources.PODS, Projection.POD))
                .withMessageContaining("nobody asked for pods before the start");
    }

    @Test
    void a_kind_that_is_not_served_is_said_once_and_waited_for_while_others_go_on() throws Exception {
        server.admit(READER, request -> true);
        AtomicBoolean busy = new AtomicBoolean();
        server.fault(FOR_EVER, request -> request.path().contains("widgets") && busy.get(),
                Fault.status(429, "TooManyRequests", "busy"));
        server.fault(FOR_EVER, request -> request.path().contains("widgets"),
                new Fault.Answer(404, Map.of("Content-Type", "text/plain"), "404 page not found\n"));
        create("nodes", "{'metadata':{'name':'n'}}");
        ObjectCache<PartialObject> widgets = home.watch(WIDGETS, Projection.METADATA);
        ObjectCache<Node> nodes = home.watch(Resources.NODES, Projection.NODE);
        start();
        until(() -> nodes.synced() && count("widgets") >= 3);

        assertThat(home.unsynced()).as("nobody need install it for the others").isEmpty();
        assertThat(warnings()).singleElement().asString().contains("install widgets.kit.example.io in version v1");
        busy.set(true);
        long before = count("widgets");
        until(() -> count("widgets") >= before + 3);
        assertThat(home.unsynced()).as("nor does a busy server make it anybody's").isEmpty();
        assertThat(widgets.synced()).isFalse();
        create("widgets", "{'metadata':{'name':'w'}}");
        server.clearFaults();
        until(() -> widgets.size() == 1);
    }

    /** It is served by one version, then by none, then by the other. */
    @Test
    void of_a_kind_with_several_versions_one_is_watched_for_as_long_as_it_is_served() throws Exception {
        server.admit(READER, request -> true);
        ServedVersions<PartialObject> gadgets = home.watch(GADGETS, Projection.METADATA);
        AtomicInteger changes = new AtomicInteger();
        gadgets.whenChanged(changes::incrementAndGet);
        create("gadgets", "{'metadata':{'name':'g'}}");
        assertThat(gadgets.areRefused()).isFalse();
        start();
        until(() -> gadgets.served().isPresent());
        assertThat(gadgets.served().orElseThrow().version()).isEqualTo("v2");
        assertThat(gadgets.served().orElseThrow().cache().size()).isOne();
        assertThat(home.unsynced()).isEmpty();
        assertThat(server.requests()).extracting(Request::path).containsOnly("/apis/kit.example.io/v2/gadgets");

        server.fault(FOR_EVER, request -> request.path().contains("gadgets"), notServed());
        server.dropWatches();
        until(() -> gadgets.areRefused());
        assertThat(gadgets.all()).extracting(version -> version.cache().size()).containsExactly(1, 0);

        server.clearFaults();
        server.fault(FOR_EVER, request -> request.path().contains("v2/gadgets"), notServed());
        until(() -> gadgets.served().isPresent());
        assertThat(gadgets.served().orElseThrow().version()).isEqualTo("v1");
        server.clearFaults();
        until(() -> gadgets.served().orElseThrow().version().equals("v2"));
        assertThat(changes).as("v2, not v2, nor v1, v1, v2 again").hasValue(5);
    }

    @Test
    void whether_a_version_is_served_is_not_known_while_the_server_fails_and_known_without_the_right_to_it()
            throws Exception {
        server.admit(READER, request -> !request.path().contains("gadgets"));
        server.fault(FOR_EVER, request -> request.path().contains("gadgets"),
                Fault.status(503, "ServiceUnavailable", "not now"));
        ServedVersions<PartialObject> gadgets = home.watch(GADGETS, Projection.METADATA);
        start();
        until(() -> count("gadgets") >= 3);
        assertThat(gadgets.areRefused()).isFalse();
        server.clearFaults();
        until(gadgets::areRefused);
        assertThat(gadgets.served()).isEmpty();
        assertThat(home.unsynced()).hasValueSatisfying(why -> assertThat(why).contains("grant the controller list"));
    }

    private static Fault notServed() {
        return new Fault.Answer(404, Map.of("Content-Type", "text/plain"), "404 page not found\n");
    }

    @Test
    void a_right_that_is_missing_is_said_once_and_waited_for_while_others_go_on() throws Exception {
        server.admit(READER, request -> !request.path().contains("pods"));
        ObjectCache<Pod> pods = home.watch(Resources.PODS, Projection.POD);
        ObjectCache<Node> nodes = home.watch(Resources.NODES, Projection.NODE);
        start();
        until(() -> nodes.synced() && count("pods") >= 3);

        assertThat(pods.synced()).isFalse();
        assertThat(home.unsynced()).contains(
                "pods of the home cluster have not been seen yet; grant the controller list and watch of pods");
        assertThat(warnings()).singleElement().asString().contains("grant the controller list and watch of pods");
        server.admit(READER, request -> true);
        untilSynced();
    }

    private long count(String plural) {
        return server.requests().stream().filter(request -> request.path().endsWith(plural)).count();
    }

    private List<String> warnings() {
        return lines.stream().filter(line -> line.getLevel() == Level.WARN).map(ILoggingEvent::getFormattedMessage)
                .toList();
    }
}
