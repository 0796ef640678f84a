package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.runtime.cluster.ClusterSettings;
import io.nodeward.core.runtime.cluster.ConnectionFactory;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.controller.SteppedLoop;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.testkit.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How often the status of a rule is written, by the controller as it is installed. */
class StatusPauseTest {
    private static final String RULES = DeviceTaintRule.DEFINITION.plural();
    private static final String BROKEN = "device.attributes['gpu.example.com'].model == 'broken'";
    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final FakeApiServer server = FakeApiServer.start(Options.defaults().withKind(
            Kind.custom("nodeward.io", List.of("v1alpha1"), RULES, "DeviceTaintRule").clusterScoped()
                    .withPlaces("status.conditions[type]")));
    private final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    private final ApiServer api = new ConnectionFactory(new Fabric8Backend(), ClusterSettings.DEFAULT, timers,
            new SimpleMeterRegistry(), "test").management(server.kubeconfig(), Optional.empty());
    private final DevicesFixture cluster = DevicesFixture.started();
    private final ControllerContext context = new ControllerContext((change, manager, again) -> {
        throw new AssertionError("no object is to be changed: " + change);
    }, new Conditions(api, Duration.ofSeconds(30), time, time::nanoTime, true),
            new EventRecorder(api, time, timers, false, cluster.registry), time, timers, cluster.registry, "", false);
    private final SteppedLoop loop = new SteppedLoop(
            (ReconcileLoop<?>) new DevicesModule(new DevicesConfig()).rules(
                    cluster.scope, new ServerRules(Map.of(), 0), cluster.evictions, context));

    @BeforeEach
    void rule() throws IOException {
        cluster.deviceClass("gpus", "true");
        published();
        server.create(RULES, MAPPER.valueToTree(Map.of("metadata", Map.of("name", "r"), "spec", Map.of(
                "deviceSelector", Map.of("deviceClassName", "gpus", "selectors", DevicesFixture.selectors(BROKEN)),
                "taint", Map.of("key", "example.com/broken", "effect", "None", "timeAdded", "2026-01-01T00:00:00Z")))));
        see();
        work();
        assertThat(writes()).isEqualTo(1);
        assertThat(ready()).isEqualTo("True");
    }

    @AfterEach
    void stop() {
        api.close();
        timers.close();
        server.close();
    }

    /** In which the attribute is missing and there again, so that an expression fails, and the device is selected again. */
    @Test
    void a_device_that_flaps_costs_a_write_in_ten_seconds_and_the_last_state_is_shown() {
        for (int second = 1; second <= 35; second++) {
            time.pass(SECOND);
            if (second % 2 == 1) {
                failing();
            } else {
                published();
            }
            work();
            assertThat(writes()).as("after " + second + " s").isLessThanOrEqualTo(1 + second / 10);
        }
        assertThat(writes()).as("each second pause ends as it began").isEqualTo(4);
        assertThat(failed()).isTrue();
        published();
        work();
        assertThat(failed()).isTrue();
        time.pass(PAUSE);
        work();
        assertThat(failed()).isFalse();
        assertThat(stored().at("/status/devices").asInt()).isEqualTo(1);
        assertThat(writes()).isEqualTo(5);
    }

    @Test
    void after_a_rest_a_condition_is_written_at_once_and_nothing_is_written_that_is_as_it_was() {
        time.pass(PAUSE);
        failing();
        work();
        time.pass(SECOND);
        work();
        assertThat(failed()).isTrue();
        published();
        work();
        time.pass(SECOND);
        work();
        assertThat(failed()).as("the other state waits").isTrue();
        failing();
        time.pass(PAUSE);
        work();
        assertThat(writes()).as("as is shown").isEqualTo(2);
    }

    @Test
    void a_new_spec_and_a_change_of_ready_do_not_wait() throws IOException {
        server.mergePatch(RULES, "", "r", MAPPER.readTree("{\"spec\":{\"taint\":{\"key\":\"example.com/other\"}}}"));
        see();
        work();
        assertThat(stored().at("/status/observedGeneration").asInt()).isEqualTo(2);
        DevicesFixture.remove(cluster.caches.classes(), "", "gpus");
        work();
        time.pass(SECOND); // in which changes of devices are collected
        work();
        assertThat(ready()).isEqualTo("False");
        assertThat(writes()).isEqualTo(3);
    }

    /** Each device is asked the class's expression and its own. */
    @Test
    void what_a_slice_of_time_leaves_is_done_in_the_next_ones() {
        SteppedLoop devices = new SteppedLoop(
                (ReconcileLoop<?>) new DevicesModule(new DevicesConfig()).devices(cluster.scope, context));
        devices.runOnce();
        cluster.slow();
        cluster.sized("many", "gpu.example.com", "node-2", 100, size -> size);
        int slices = 0;
        while (devices.runOnce()) {
            slices++;
            time.pass(Duration.ZERO);
        }
        assertThat(slices).isEqualTo(2 * 100 / DevicesFixture.IN_A_SLICE);
        work();
        time.pass(PAUSE);
        work();
        assertThat(stored().at("/status/preview/failed/count").asInt()).isEqualTo(100);
    }

    private void published() {
        cluster.slice("s", "gpu.example.com", "node-1", "a=broken");
    }

    private void failing() {
        cluster.sized("s", "gpu.example.com", "node-1", "a", 1, 1);
    }

    private void see() throws IOException {
        cluster.caches.rules().put(DeviceTaintRule.PROJECTION.read(MAPPER.writeValueAsBytes(stored())));
    }

    private void work() {
        cluster.settle();
        boolean more = true;
        while (more) {
            more = loop.runOnce();
        }
    }

    private long writes() {
        return server.requests().stream().filter(request -> request.method().equals("PATCH")).count();
    }

    private boolean failed() {
        return stored().at("/status/conditions").valueStream()
                .anyMatch(condition -> condition.path("type").asText().equals("EvaluationFailed"));
    }

    private String ready() {
        return stored().at("/status/conditions").valueStream()
                .filter(condition -> condition.path("type").asText().equals("Ready")).findFirst().orElseThrow()
                .path("status").asText();
    }

    private JsonNode stored() {
        return server.get(RULES, "", "r").orElseThrow();
    }
}
