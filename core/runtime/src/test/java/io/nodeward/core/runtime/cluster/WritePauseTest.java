package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.testkit.ManualTime;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 10, unit = TimeUnit.MINUTES)
class WritePauseTest {
    private static final ObjectKey SWITCH = new ObjectKey("nodeward-system", "nodeward-pause");
    private static final int FOR_EVER = 1_000_000;

    private final FakeApiServer server =
            FakeApiServer.start(Options.defaults().withBookmarkEvery(Duration.ofMillis(50)));
    private final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    private final CountedBackend backend = new CountedBackend(new Fabric8Backend(), time);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final HomeCluster home = new HomeCluster(
            new ConnectionFactory(backend, ClusterSettings.DEFAULT, timers, registry, "test", WritePause.NEVER,
                    Leadership.UNCONTESTED)
                    .management(server.kubeconfigWithToken("reader"), Optional.empty()),
            timers);
    private final WritePause pause = WritePause.of(Optional.of(SWITCH), registry);

    @AfterEach
    void stop() {
        home.close();
        timers.close();
        server.close();
    }

    private void start() {
        pause.watch(home);
        home.start();
    }

    private void paused(String value) throws Exception {
        if (server.get("namespaces", "", SWITCH.namespace()).isEmpty()) {
            server.create("namespaces", new ObjectMapper().readTree("""
                    {"metadata":{"name":"%s"}}""".formatted(SWITCH.namespace())));
        }
        server.create("configmaps", new ObjectMapper().readTree("""
                {"metadata":{"namespace":"%s","name":"%s"},"data":{"paused":"%s"}}"""
                .formatted(SWITCH.namespace(), SWITCH.name(), value)));
    }

    private void unpaused() {
        server.delete("configmaps", SWITCH.namespace(), SWITCH.name());
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

    private boolean isHeld() {
        try {
            pause.check("PATCH x");
            return false;
        } catch (ApiFailure.Paused paused) {
            return true;
        }
    }

    private double gauge() {
        return registry.get("nodeward.paused").gauge().value();
    }

    @Test
    void nothing_is_written_until_it_is_known_that_there_is_no_such_object() {
        assertThat(isHeld()).isTrue();
        assertThat(gauge()).isEqualTo(1);
        start();
        until(() -> !isHeld());
        assertThat(gauge()).isZero();
        assertThat(server.requests()).singleElement().satisfies(request -> assertThat(request.toString())
                .contains("/api/v1/namespaces/nodeward-system/configmaps"));
    }

    @Test
    void a_start_during_a_pause_writes_nothing() throws Exception {
        paused("true");
        start();
        until(() -> home.unsynced().isEmpty());
        assertThatThrownBy(() -> pause.check("PATCH x")).isInstanceOf(ApiFailure.Paused.class)
                .hasMessage("PATCH x: writes are paused by ConfigMap nodeward-system/nodeward-pause");
        assertThat(gauge()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"true,true", "True,true", "'true\\n',true", "' YES\\t',true", "1,true", "treu,true", "off,true",
            "false,false", "'False\\n',false", "no,false", "' 0',false", "'',false", "' ',false"})
    void all_values_but_those_for_no_pause(String value, boolean held) throws Exception {
        paused(value);
        start();
        until(() -> home.unsynced().isEmpty());
        assertThat(isHeld()).isEqualTo(held);
    }

    @Test
    void each_pause_and_its_end_are_seen_and_whoever_waits_is_told_once() throws Exception {
        start();
        until(() -> !isHeld());
        AtomicInteger told = new AtomicInteger();
        for (int pauses = 1; pauses <= 2; pauses++) {
            paused("true");
            until(this::isHeld);
            ApiFailure.Paused failure = catchThrowableOfType(ApiFailure.Paused.class, () -> pause.check("PATCH x"));
            failure.whenOver(told::incrementAndGet);
            assertThat(told).hasValue(pauses - 1);
            unpaused();
            int now = pauses;
            until(() -> told.get() == now);
            assertThat(isHeld()).isFalse();
            failure.whenOver(told::decrementAndGet);
            assertThat(told).as("at once, as it is over").hasValue(pauses - 1);
            told.incrementAndGet();
        }
    }

    @Test
    void a_watch_that_is_lost_keeps_the_pause() throws Exception {
        paused("true");
        start();
        until(() -> home.unsynced().isEmpty());
        server.fault(FOR_EVER, request -> request.path().contains("configmaps"),
                Fault.status(403, "Forbidden", "of the test"));
        server.dropWatches();
        int before = server.requests().size();
        until(() -> server.requests().size() >= before + 3);
        assertThat(isHeld()).isTrue();
        server.clearFaults();
        unpaused();
        until(() -> !isHeld());
    }

    @Test
    void without_the_right_to_read_it_nothing_is_written_and_readiness_says_so() {
        server.admit("reader", request -> !request.path().contains("configmaps"));
        start();
        until(() -> server.requests().size() >= 3);
        until(() -> home.unsynced().filter(text -> text.contains("grant")).isPresent());
        assertThat(home.unsynced())
                .contains("configmaps nodeward-system/nodeward-pause, before which nothing is written,"
                        + " have not been seen yet; grant the controller list and watch of configmaps");
        assertThat(isHeld()).isTrue();
    }

    @Test
    void a_server_that_says_there_is_no_such_kind_does_not_make_the_process_ready() {
        server.fault(FOR_EVER, request -> request.path().contains("configmaps"), Fault.status(404, "", "of the test"));
        start();
        until(() -> home.unsynced().filter(text -> text.contains("install configmaps")).isPresent());
        assertThat(isHeld()).isTrue();
    }

    @Test
    void a_process_that_nobody_is_to_pause_reads_nothing_and_writes() {
        WritePause never = WritePause.of(Optional.empty(), registry);
        never.watch(home);
        home.start();
        assertThatCode(() -> never.check("PATCH x")).doesNotThrowAnyException();
        assertThat(home.unsynced()).isEmpty();
        assertThat(server.requests()).isEmpty();
    }
}
