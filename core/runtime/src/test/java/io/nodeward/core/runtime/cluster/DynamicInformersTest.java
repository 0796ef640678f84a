package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.ProviderDefinition;
import io.nodeward.api.meta.PartialObject;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.ObjectKind;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.time.Timers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DynamicInformersTest {
    private static final ObjectKind THINGS = new ObjectKind("some.io", "v1", "Thing", "things", true);

    private final FakeApiServer server = FakeApiServer.start(Options.defaults()
            .withBookmarkEvery(Duration.ofMillis(50)) // so it notices who has gone
            .withKind(Kind.custom("some.io", List.of("v1", "v2"), "things", "Thing"))
            .withKind(Kind.custom("apiextensions.k8s.io", List.of("v1"), "customresourcedefinitions",
                    "CustomResourceDefinition").clusterScoped()));
    private final Timers timers = new Timers();
    private final ManagementCluster management = management(List.of(""));
    private final DynamicInformers<PartialObject> informers = new DynamicInformers<>(management);
    /** What a listener has heard, in order. */
    private final List<String> heard = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        informers.close();
        management.close();
        timers.close();
        server.close();
    }

    @Test
    void a_kind_is_found_by_its_definition_and_watched_from_the_first_question_until_its_release() {
        server.create("customresourcedefinitions", json("{'metadata':{'name':'things.some.io'},'spec':{'group':"
                + "'some.io','names':{'kind':'Thing','plural':'things'},'versions':[{'name':'v1','served':true}]}}"));
        create("a");
        start();
        until(() -> informers.definition("some.io", "Thing").isPresent());
        assertThat(informers.definition("some.io", "Thing").map(ProviderDefinition::plural)).contains("things");
        assertThat(threads()).doesNotContain("nodeward-reflector-things");

        ObjectCache<PartialObject> objects = objects(THINGS).orElseThrow();
        until(() -> heard.contains("Thing.some.io a"));
        assertThat(objects(THINGS)).containsSame(objects);
        create("b");
        until(() -> objects.size() == 2);

        informers.release("some.io", "Thing");
        until(() -> server.openWatches() == 1);
        assertThat(objects(THINGS).orElseThrow()).isNotSameAs(objects);
        until(() -> server.openWatches() == 2);
    }

    @Test
    void another_version_of_a_kind_takes_the_place_of_the_one_that_was_watched() {
        create("a");
        start();
        ObjectCache<PartialObject> before = objects(THINGS).orElseThrow();
        until(() -> before.size() == 1);
        ObjectCache<PartialObject> after =
                objects(new ObjectKind("some.io", "v2", "Thing", "things", true)).orElseThrow();
        until(() -> after.size() == 1);

        create("b");
        until(() -> after.size() == 2 && server.openWatches() == 2);
        assertThat(before.size()).isOne();
    }

    @Test
    void a_missing_right_is_known_until_it_is_there() {
        server.fault(1_000, request -> request.path().endsWith("/things")
                || request.path().endsWith("/customresourcedefinitions"),
                Fault.status(403, "Forbidden", "no such right"));
        create("a");
        start();
        objects(THINGS);
        until(() -> !informers.mayReadDefinitions() && objects(THINGS).isEmpty());
        until(() -> heard.containsAll(List.of("Thing.some.io", "rights"))); // once the rights are known to have gone

        server.clearFaults();
        until(() -> informers.mayReadDefinitions() && objects(THINGS).isPresent());
        until(() -> heard.contains("Thing.some.io a"));
    }

    @Test
    void once_closed_it_watches_nothing_more() {
        start();
        assertThat(threads()).contains("nodeward-reflector-definitions");
        informers.close();
        objects(THINGS);
        assertThat(threads()).doesNotContain("nodeward-reflector-definitions", "nodeward-reflector-things");
    }

    @Test
    void of_two_namespaces_the_right_may_be_missing_in_one_and_of_the_others_nothing_is_asked() {
        try (ManagementCluster two = management(List.of("default", "second"));
                DynamicInformers<PartialObject> some = new DynamicInformers<>(two)) {
            server.fault(1_000, request -> request.path().contains("/second/"),
                    Fault.status(403, "Forbidden", "no such right"));
            List.of("second", "third").forEach(
                    name -> server.create("namespaces", json("{'metadata':{'name':'" + name + "'}}")));
            create("default", "a");
            create("second", "b");
            create("third", "c");
            some.start((group, kind, object) -> heard.add(object.map(o -> o.key().name()).orElse("rights")));
            until(() -> some.objects(THINGS, Projection.METADATA, "second").isEmpty());
            assertThat(some.objects(THINGS, Projection.METADATA, "default")).isPresent();
            server.clearFaults();
            until(() -> some.objects(THINGS, Projection.METADATA, "second").filter(ObjectCache::synced).isPresent());
            assertThat(some.objects(THINGS, Projection.METADATA, "default").orElseThrow().all())
                    .extracting(object -> object.key().toString()).containsExactlyInAnyOrder("default/a", "second/b");
        }
    }

    private void start() {
        informers.start(new DynamicInformers.Listener<>() {
            @Override
            public void changed(String group, String kind, Optional<PartialObject> object) {
                heard.add(kind + "." + group + object.map(o -> " " + o.key().name()).orElse(""));
            }

            @Override
            public void rightsChanged() {
                heard.add("rights");
            }
        });
    }

    private Optional<ObjectCache<PartialObject>> objects(ObjectKind kind) {
        return informers.objects(kind, Projection.METADATA, "default");
    }

    /** A watch has a thread from its start to its end. */
    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
    }

    private ManagementCluster management(List<String> namespaces) {
        ConnectionFactory connections = new ConnectionFactory(
                new Fabric8Backend(), ClusterSettings.DEFAULT, timers, new SimpleMeterRegistry(), "test",
                WritePause.NEVER, Leadership.UNCONTESTED);
        return new ManagementCluster(
                new HomeCluster(connections.management(server.kubeconfig(), Optional.empty()), timers), "", namespaces,
                timers);
    }

    private void create(String name) {
        create("default", name);
    }

    private void create(String namespace, String name) {
        server.create("things", json("{'metadata':{'namespace':'" + namespace + "','name':'" + name + "'}}"));
    }

    private static void until(Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(50)).pollInterval(Duration.ofMillis(2)).until(condition);
    }

    /** JSON with single quotes. */
    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
