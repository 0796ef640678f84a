package io.nodeward.core.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.testkit.ManualTime;
import io.nodeward.core.testkit.UnaskedServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ShutdownNoticeTest {
    private final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final WebhookController controller = reachedAt("nodeward-system/nodeward-test");

    @AfterEach
    void close() {
        timers.close();
    }

    @Test
    void callers_have_five_seconds_from_when_it_is_retired() {
        assertThat(notice(25)).as("stopped without that").isEqualTo(Duration.ofSeconds(5));
        controller.retire();
        assertThat(notice(25)).isEqualTo(Duration.ofSeconds(5));
        time.pass(Duration.ofSeconds(2)); // other controllers stop
        assertThat(notice(25)).isEqualTo(Duration.ofSeconds(3));
        time.pass(Duration.ofMinutes(1));
        assertThat(notice(25)).isZero();
    }

    @Test
    void it_takes_no_more_than_what_is_left_of_the_time_of_all_controllers() {
        assertThat(notice(4)).isEqualTo(Duration.ofSeconds(4));
        assertThat(notice(0)).isZero();
        controller.retire();
        time.pass(Duration.ofSeconds(2));
        assertThat(notice(2)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void no_service_sends_the_callers_of_a_url_elsewhere() {
        assertThat(reachedAt("https://127.0.0.1:9443").notice(Duration.ofSeconds(25))).isZero();
    }

    private Duration notice(long left) {
        return controller.notice(Duration.ofSeconds(left));
    }

    private WebhookController reachedAt(String where) {
        ApiServer server = new ApiServer(new UnaskedServer());
        ControllerContext context = new ControllerContext((change, manager, again) -> {
            throw new AssertionError("nothing is to be written: " + change);
        }, new Conditions(server, Duration.ZERO, time, time::nanoTime, true),
                new EventRecorder(server, time, timers, false, meters), time, timers, meters, "", false);
        ManagedObjects objects = WebhookFixture.reachedAt(where);
        ServingOptions serving = new ServingOptions(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), objects.service(), Optional.empty());
        return new WebhookController(AdmissionRegistration.of(objects, serving, true)
                .withWebhooks(List.of(WebhookFixture.allowing(AdmissionPhase.VALIDATING, "/v"))),
                new HomeCluster(server, timers), context);
    }
}
