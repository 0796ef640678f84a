package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.core.ConfigMap;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.json.Projection;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Status;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import io.nodeward.core.testkit.ManualTime;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class MissingRightsTest {
    private static final ObjectKey SWITCH = new ObjectKey("nodeward-system", "nodeward-pause");
    private static final String OBJECT =
            """
                    {'metadata':{'name':'%s','uid':'u','resourceVersion':'5','generation':2},'spec':{'nodes':{'names':['foo']},
                     'who':{'namespaces':['n']},'taint':{'key':'k','effects':['NoSchedule']}},'status':{'conditions':[%s]}}""";

    private final List<Request> sent = new ArrayList<>();
    private final List<ScheduledFuture<?>> looking = new ArrayList<>();
    private final ManualTime time = new ManualTime() {
        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long initial, long delay, TimeUnit unit) {
            ScheduledFuture<?> task = super.scheduleWithFixedDelay(command, initial, delay, unit);
            looking.add(task);
            return task;
        }
    };
    private int answer = 200;
    private boolean leads = true;
    private final Timers timers = new Timers(time, time::nanoTime);
    private final HomeCluster home = new HomeCluster(new ApiServer(new Transport() {
        @Override
        public Response exchange(Request request) {
            if (!leads) {
                throw ApiFailure.notLeading("PATCH", "of the test", task -> {});
            }
            sent.add(request);
            return new Response(answer, Optional.empty(),
                    new ByteArrayInputStream("{}".getBytes(StandardCharsets.UTF_8)));
        }

        @Override
        public void close() {}
    }), timers);
    private final ObjectCache<CustomResource<DedicatedNodes>> groups =
            home.watch(DedicatedNodes.DEFINITION, DedicatedNodes.PROJECTION);
    private final WritePause pause = WritePause.of(Optional.of(SWITCH), new SimpleMeterRegistry());
    private final MissingRights rights = new MissingRights(home, pause, time, timers, true);

    @AfterEach
    void stop() {
        home.close();
        timers.close();
    }

    @Test
    void an_object_says_once_that_its_controller_may_not_read_the_pause_and_keeps_the_rest_of_its_status() {
        groups.put(object(""));
        groups.replace(Set.of(ObjectKey.clusterScoped("banana")));
        forbid();
        looks(2);
        assertThat(sent).as("a right that comes a moment later").isEmpty();
        looks(1);
        assertThat(sent).singleElement().satisfies(request -> {
            assertThat(request.method()).isEqualTo("PATCH");
            assertThat(request.path()).startsWith("/apis/nodeward.io/v1alpha1/dedicatednodes/banana/status?")
                    .contains("fieldManager=nodeward-missing-rights", "force=true");
            assertThat(MissingRights.isReport(request)).isTrue();
            Tree body = Trees.read(new String(request.body().orElseThrow(), StandardCharsets.UTF_8));
            assertThat(body.at(List.of("status", "conditions")).elements()).singleElement().satisfies(ready -> {
                assertThat(ready.at("type").string()).isEqualTo("Ready");
                assertThat(ready.at("status").string()).isEqualTo("Unknown");
                assertThat(ready.at("message").string()).contains("ConfigMap nodeward-system/nodeward-pause",
                        "grant get");
            });
            assertThat(body.at(List.of("metadata", "resourceVersion")).string()).isEqualTo("5");
        });
        Tree ready = Trees.read(new String(sent.getFirst().body().orElseThrow(), StandardCharsets.UTF_8))
                .at(List.of("status", "conditions")).elements()
                .getFirst();
        groups.put(object(new String(Trees.written(ready), StandardCharsets.UTF_8)));
        looks(3);
        assertThat(sent).as("it shows it").hasSize(1);
    }

    @Test
    void nothing_is_reported_without_a_missing_right_and_in_a_pause() throws IOException {
        groups.put(object(""));
        groups.replace(Set.of(ObjectKey.clusterScoped("banana")));
        looks(4);
        pause.failed(ApiFailure.unreachable("LIST", "no answer", new IOException()));
        looks(4);
        forbid();
        ObjectCache<ConfigMap> configMaps = new ObjectCache<>();
        pause.follow(SWITCH, configMaps);
        configMaps.put(Projection.CONFIG_MAP.read("""
                {"metadata":{"namespace":"nodeward-system","name":"nodeward-pause"},"data":{"paused":"true"}}"""
                .getBytes(StandardCharsets.UTF_8)));
        configMaps.replace(Set.of(SWITCH));
        pause.failed(forbidden());
        looks(4);
        assertThat(sent).isEmpty();
    }

    @Test
    void a_process_that_does_not_lead_leaves_the_report_to_its_leader_and_reports_once_it_leads() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(MissingRights.class);
        Level level = logger.getLevel();
        logger.setLevel(Level.WARN);
        log.start();
        logger.addAppender(log);
        list(List.of(object("banana", "")));
        forbid();
        leads = false;
        looks(4);
        logger.detachAppender(log);
        logger.setLevel(level);
        assertThat(log.list).isEmpty();
        leads = true;
        looks(1);
        assertThat(sent).hasSize(1);
    }

    @Test
    void the_condition_is_given_back_once_when_the_right_is_there() {
        list(List.of(object("banana", "")));
        forbid();
        looks(3);
        grant();
        groups.put(object("banana", ready("True", "InEffect", "")));
        looks(2);
        assertThat(sent).hasSize(2).last().satisfies(MissingRightsTest::givesBack);
        assertThat(sent.getLast().path()).contains("/dedicatednodes/banana/status?");
    }

    @Test
    void a_process_gives_back_the_condition_that_the_one_before_it_has_written() {
        rights.start(List.of());
        list(List.of(object("banana", ready("Unknown", "Waiting", "waiting: nodes have not been seen yet")),
                object("gone", ready("Unknown", "Waiting", "waiting: nodes have not been seen yet")),
                object("other", ready("Unknown", "Waiting", "waiting for the devices"))));
        groups.put(object("banana", ready("True", "InEffect", "")));
        groups.remove(object("gone", ""));
        grant();
        looks(2);
        assertThat(sent).singleElement().satisfies(MissingRightsTest::givesBack);
        assertThat(sent.getFirst().path()).contains("/dedicatednodes/banana/status?");
    }

    @Test
    void a_claim_that_cannot_be_given_back_is_tried_again() {
        list(List.of(object("banana", "")));
        forbid();
        looks(3);
        grant();
        for (int code : List.of(409, 500)) {
            answer = code;
            looks(1);
        }
        answer = 404;
        looks(2);
        assertThat(sent).hasSize(4);
    }

    @Test
    void a_condition_that_another_writer_has_taken_over_stays_its_own() {
        list(List.of(object("banana", "")));
        forbid();
        looks(3);
        groups.put(object("banana", ready("True", "InEffect", "")));
        looks(3);
        assertThat(sent).hasSize(1);
    }

    @Test
    void a_look_ends_with_the_first_write_that_is_refused() {
        list(List.of(object("a", ""), object("b", ""), object("c", "")));
        forbid();
        answer = 403;
        looks(3);
        assertThat(sent).hasSize(1);
        looks(1);
        assertThat(sent).hasSize(2);
        answer = 409;
        looks(1);
        assertThat(sent).as("a newer version of one object says nothing of the others").hasSize(5);
    }

    /** Controllers may wait for kinds of which no right is reported, such as those of a management cluster. */
    @Test
    void nothing_is_looked_at_any_more_when_the_home_cluster_has_been_seen() {
        ObjectCache<ConfigMap> never = new ObjectCache<>();
        Controller waiting = new UnstartedController(List.of(never));
        rights.start(List.of(waiting));
        rights.look(List.of(waiting));
        assertThat(looking).singleElement().satisfies(task -> assertThat(task.isCancelled()).isFalse());
        list(List.of(object("banana", ready("Unknown", "Waiting", "waiting: x"))));
        grant();
        answer = 500;
        rights.look(List.of(waiting));
        assertThat(looking.getFirst().isCancelled()).as("a condition is still claimed").isFalse();
        answer = 200;
        rights.look(List.of(waiting));
        assertThat(looking.getFirst().isCancelled()).isTrue();
    }

    @Test
    void nothing_is_sent_of_kinds_of_others_or_by_another_manager() {
        for (String path : List.of("/apis/nodeward.io/v1alpha1/dedicatednodes/a/status?fieldManager=nodeward-dedicated",
                "/apis/nodeward.io/v1alpha1/dedicatednodes/a?fieldManager=nodeward-missing-rights",
                "/api/v1/nodes/a/status?fieldManager=nodeward-missing-rights")) {
            assertThat(MissingRights.isReport(new Request("PATCH", path, Map.of(), Optional.empty(),
                    Duration.ofMinutes(1), false))).as(path).isFalse();
        }
    }

    private record UnstartedController(List<ObjectCache<?>> reads) implements Controller {
        @Override
        public String name() {
            return "waiting";
        }

        @Override
        public void start() {
            throw new AssertionError();
        }

        @Override
        public void retire() {}

        @Override
        public boolean stop(Duration patience) {
            return true;
        }
    }

    private static void givesBack(Request request) {
        assertThat(MissingRights.isReport(request)).isTrue();
        assertThat(Trees.read(new String(request.body().orElseThrow(), StandardCharsets.UTF_8)).at("status"))
                .isEqualTo(Tree.ABSENT);
    }

    private void list(List<CustomResource<DedicatedNodes>> all) {
        all.forEach(groups::put);
        groups.replace(all.stream().map(CustomResource::key).collect(Collectors.toSet()));
    }

    private void grant() {
        ObjectCache<ConfigMap> configMaps = new ObjectCache<>();
        pause.follow(SWITCH, configMaps);
        configMaps.replace(Set.of());
    }

    private static String ready(String status, String reason, String message) {
        return ("{'type':'Ready','status':'%s','reason':'%s','message':'%s','observedGeneration':2,"
                + "'lastTransitionTime':'2026-01-01T00:00:00Z'}").formatted(status, reason, message);
    }

    private void forbid() {
        pause.failed(forbidden());
    }

    private static ApiFailure forbidden() {
        return ApiFailure.of(new Status(403, "Forbidden", "no", 0), "LIST", Optional.empty());
    }

    private void looks(int times) {
        for (int i = 0; i < times; i++) {
            rights.look(List.of());
        }
    }

    private static CustomResource<DedicatedNodes> object(String condition) {
        return object("banana", condition);
    }

    private static CustomResource<DedicatedNodes> object(String name, String condition) {
        try {
            return DedicatedNodes.PROJECTION.read(
                    OBJECT.formatted(name, condition).replace('\'', '"').getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
