package io.nodeward.controller.devices;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.runtime.cluster.ClusterSettings;
import io.nodeward.core.runtime.cluster.ConnectionFactory;
import io.nodeward.core.runtime.cluster.WritePause;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.ObjectWriter;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.testkit.ManualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The rule {@code r} on a server that counts its generations and keeps its status, as the controller's caches see it. */
final class RuleFixture implements AutoCloseable {
    static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String RULES = DeviceTaintRule.DEFINITION.plural();

    final FakeApiServer server = FakeApiServer.start(Options.defaults().withKind(
            Kind.custom("nodeward.io", List.of("v1alpha1"), RULES, "DeviceTaintRule").clusterScoped()
                    .withPlaces("status.conditions[type]")));
    final ManualTime time = new ManualTime();
    final Timers timers = new Timers(time, time::nanoTime);
    final DevicesFixture cluster = DevicesFixture.started();
    final EventRecorder events;
    final ControllerContext context;
    private final ApiServer api = new ConnectionFactory(new Fabric8Backend(), ClusterSettings.DEFAULT, timers,
            new SimpleMeterRegistry(), "test", WritePause.NEVER, Leadership.UNCONTESTED)
            .management(server.kubeconfig(), Optional.empty());

    /** @param writer of all objects but the status of the rule */
    RuleFixture(ObjectWriter writer) {
        events = new EventRecorder(api, time, timers, true, cluster.registry);
        context = new ControllerContext(writer, new Conditions(api, Duration.ofSeconds(30), time, time::nanoTime, true),
                events, time, timers, cluster.registry, "", false);
    }

    @Override
    public void close() {
        events.close();
        api.close();
        timers.close();
        server.close();
    }

    void declare(Map<String, Object> spec) {
        declare("r", spec);
    }

    /** @param name {@code r}, or {@code other} */
    void declare(String name, Map<String, Object> spec) {
        server.create(RULES, MAPPER.valueToTree(Map.of("metadata", Map.of("name", name), "spec", spec)));
        see();
    }

    void edit(Map<String, Object> spec) {
        server.mergePatch(RULES, "", "r", MAPPER.valueToTree(Map.of("spec", spec)));
        see();
    }

    void delete() {
        server.delete(RULES, "", "r");
        DevicesFixture.remove(cluster.caches.rules(), "", "r");
    }

    /** The controller's watch comes to where the server is. */
    void see() {
        Stream.of("r", "other").flatMap(name -> server.get(RULES, "", name).stream()).forEach(found -> {
            try {
                cluster.caches.rules().put(DeviceTaintRule.PROJECTION.read(MAPPER.writeValueAsBytes(found)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    CustomResource<DeviceTaintRule> seen() {
        return cluster.caches.rules().get(ObjectKey.clusterScoped("r")).orElseThrow();
    }

    JsonNode stored() {
        return server.get(RULES, "", "r").orElseThrow();
    }

    /** A field of a condition; empty if it is not there. */
    String condition(String type, String field) {
        return stored().at("/status/conditions").valueStream()
                .filter(condition -> condition.path("type").asText().equals(type)).findFirst()
                .map(condition -> condition.path(field).asText()).orElse("");
    }

    long statusWrites() {
        return server.requests().stream().filter(request -> request.method().equals("PATCH")).count();
    }
}
