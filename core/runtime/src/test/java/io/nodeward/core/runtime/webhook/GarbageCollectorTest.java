package io.nodeward.core.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.runtime.cluster.ClusterSettings;
import io.nodeward.core.runtime.cluster.ConnectionFactory;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.cluster.WritePause;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Each look is what a component does at its start, or a minute after it has found something. */
class GarbageCollectorTest extends WebhookFixture {
    private static final String WEBHOOKS = "validatingwebhookconfigurations";
    private static final String LABELS =
            "'labels':{'app.kubernetes.io/managed-by':'nodeward','nodeward.io/component':'test',"
                    + "'nodeward.io/watch-filter':''}";

    private final Timers timers = new Timers();
    private final ConnectionFactory connections = new ConnectionFactory(
            new Fabric8Backend(), ClusterSettings.DEFAULT, timers, new SimpleMeterRegistry(), "test", WritePause.NEVER,
            Leadership.UNCONTESTED);

    @AfterEach
    void stopTimers() {
        timers.close();
    }

    @Test
    void what_somebody_keeps_putting_back_belongs_to_a_nodeward_that_has_the_gate_on() {
        List<Integer> deleted = new ArrayList<>();
        List<String> log = logged(garbage -> {
            for (int look = 0; look < 5; look++) {
                if (server.get(WEBHOOKS, "", NAME).isEmpty()) {
                    create();
                }
                deleted.add(garbage.removeAll());
            }
        });

        assertThat(deleted).containsExactly(1, 1, 0, 0, 0);
        assertThat(server.get(WEBHOOKS, "", NAME)).isPresent();
        assertThat(log).filteredOn(line -> line.contains("another Nodeward")).singleElement().asString()
                .contains("validatingwebhookconfigurations", NAME, "--watch-filter");
    }

    @Test
    void what_two_versions_serve_is_deleted_and_counted_once() {
        server.create("clusters", json("{'metadata':{'namespace':'nodeward-system','name':'two'," + LABELS + "}}"));
        Labelled clusters = new Labelled("test", OBJECTS.labels(), List.of(), Stream.of("v1beta2", "v1beta1")
                .map(version -> new Resource("cluster.x-k8s.io", version, "clusters", true)).toList(), Set.of(),
                Optional.empty());
        List<Integer> deleted = new ArrayList<>();
        logged(clusters, garbage -> deleted.add(garbage.removeAll()));

        assertThat(deleted).containsExactly(1);
        assertThat(server.requests()).filteredOn(request -> request.method().equals("DELETE")).hasSize(1);
    }

    @Test
    void what_may_not_be_deleted_is_told_once_and_not_waited_for() {
        create();
        server.fault(1_000, r -> r.method().equals("DELETE"), Fault.status(403, "Forbidden", "you may not"));
        List<Integer> deleted = new ArrayList<>();
        List<String> log = logged(garbage -> {
            deleted.add(garbage.removeAll());
            deleted.add(garbage.removeAll());
        });

        assertThat(deleted).containsExactly(0, 0);
        assertThat(log).filteredOn(line -> line.contains("delet")).singleElement().asString()
                .contains("delete it yourself");
    }

    @Test
    void what_does_not_fit_on_the_first_page_of_the_list_is_found_too() {
        Set<Registration.Needed> needed = new HashSet<>();
        for (int i = 0; i < 500; i++) {
            create("a" + i);
            needed.add(new Registration.Needed(
                    AdmissionPhase.VALIDATING.webhookConfigurations(), ObjectKey.clusterScoped("a" + i)));
        }
        create("z");
        logged(garbage -> garbage.remove(() -> needed));

        assertThat(server.get(WEBHOOKS, "", "z")).isEmpty();
        assertThat(server.list(WEBHOOKS)).hasSize(500);
    }

    @Test
    void who_runs_and_needs_nothing_now_is_not_told_to_delete_by_hand() {
        server.fault(1_000, r -> r.method().equals("GET"), Fault.status(403, "Forbidden", "you may not"));
        assertThat(logged(garbage -> garbage.remove(Set::of))).noneMatch(line -> line.contains("if it was ever on"));
        assertThat(logged(GarbageCollector::removeAll)).anyMatch(line -> line.contains("if it was ever on"));
    }

    @Test
    void what_is_registered_while_it_looks_stays() {
        logged(garbage -> garbage.remove(() -> {
            create();
            return Set.of();
        }));

        assertThat(server.get(WEBHOOKS, "", NAME)).isPresent();
    }

    @Test
    void what_another_component_takes_over_between_the_list_and_the_deletion_stays() {
        create();
        JsonNode listed = server.get(WEBHOOKS, "", NAME).orElseThrow();
        server.fault(request -> {
            boolean deletes = request.method().equals("DELETE");
            if (deletes) {
                server.mergePatch(WEBHOOKS, "", NAME,
                        json("{'metadata':{'labels':{'nodeward.io/component':'other'}}}"));
            }
            return deletes;
        }, new Fault.Delay(Duration.ZERO));
        List<Integer> deleted = new ArrayList<>();
        logged(garbage -> {
            deleted.add(garbage.removeAll());
            deleted.add(garbage.removeAll());
        });

        assertThat(deleted).as("to be looked at again").containsExactly(1, 0);
        assertThat(server.get(WEBHOOKS, "", NAME)).isPresent();
        assertThat(server.requests()).filteredOn(request -> request.method().equals("DELETE"))
                .extracting(Request::body)
                .containsExactly(("{'apiVersion':'v1','kind':'DeleteOptions','preconditions':{'uid':'%s',"
                        + "'resourceVersion':'%s'}}").replace('\'', '"').formatted(
                                listed.at("/metadata/uid").asText(), listed.at("/metadata/resourceVersion").asText()));
    }

    /** Labels alone would delete what another release has registered. */
    @Test
    void what_is_to_be_deleted_by_hand_is_only_what_it_would_delete_itself() {
        Map.of("https://10.0.0.1", "<none>", "other/nodeward", "other/nodeward",
                "nodeward-system/nodeward-test", "nodeward-system/nodeward-test or <none>")
                .forEach((where, services) -> assertThat(
                        reachedAt(where).ofService().deletionByHand())
                        .startsWith("kubectl get mutatingwebhookconfigurations.admissionregistration.k8s.io,")
                        .doesNotContain("secrets")
                        .contains("-l '" + OBJECTS.labelled().selector() + "' -o custom-columns='",
                                ",SERVICE:.metadata.annotations.nodeward\\.io/service'")
                        .endsWith(" and delete those whose SERVICE is " + services));
        assertThat(new Labelled("test", Map.of("a", "b"), List.of(),
                List.of(new Resource("g", "v1", "kinds", true), new Resource("g", "v2", "kinds", true)), Set.of(),
                Optional.empty()).deletionByHand()).isEqualTo("kubectl delete kinds.g -l 'a=b'");
    }

    private void create() {
        create(NAME);
    }

    private void create(String name) {
        server.create(WEBHOOKS, json("{'metadata':{'name':'" + name + "'," + LABELS + "}}"));
    }

    private interface Looks {
        void at(GarbageCollector garbage);
    }

    private List<String> logged(Looks looks) {
        return logged(OBJECTS.labelled(), looks);
    }

    private List<String> logged(Labelled objects, Looks looks) {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(GarbageCollector.class.getPackageName());
        Level before = logger.getLevel();
        log.start();
        logger.addAppender(log);
        logger.setLevel(Level.INFO);
        try (ApiServer api = connections.management(server.kubeconfig(), Optional.empty())) {
            looks.at(new GarbageCollector(new HomeCluster(api, timers), objects, true));
        } finally {
            logger.setLevel(before);
            logger.detachAppender(log);
        }
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
