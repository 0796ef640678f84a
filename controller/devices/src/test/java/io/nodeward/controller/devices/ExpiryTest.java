package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Status;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.controller.SteppedLoop;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.spi.ApiFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When rules with an annotation go, by the controller as it is installed. */
class ExpiryTest {
    private final RuleFixture rule = new RuleFixture((change, manager, again) -> delete(change));
    private final SteppedLoop loop = new SteppedLoop((ReconcileLoop<?>) DevicesModule.expiry(
            rule.cluster.devices, this::askServer, rule.context));
    /** The time by which the clock of the process is ahead of the server's. */
    private Duration ahead = Duration.ZERO;
    private int asked;

    private boolean refuses;
    private boolean loses;

    @BeforeEach
    void declare() {
        rule.declare(Map.of("taint", Map.of("key", "example.com/broken", "effect", "None")));
    }

    @AfterEach
    void stop() {
        rule.close();
    }

    private Applied delete(ObjectChange change) {
        if (refuses) {
            throw ApiFailure.of(new Status(422, "Invalid", "not now", 0), "DELETE r", Optional.empty());
        }
        if (loses) {
            return new Applied.Unanswered(
                    ApiFailure.of(new Status(503, "ServiceUnavailable", "", 0), "DELETE r", Optional.empty()));
        }
        ObjectChange deletion = change;
        assertThat(deletion.verb()).isInstanceOf(Verb.Delete.class);
        assertThat(deletion.preconditions().holdOn(rule.cluster.caches.rules().get(
                ObjectKey.clusterScoped("r")).orElseThrow().metadata())).isTrue();
        assertThat(deletion.preconditions().resourceVersion()).isNotEmpty();
        rule.delete();
        return new Applied.Written();
    }

    private Instant askServer() {
        asked++;
        return rule.time.instant().minus(ahead);
    }

    private Instant after(Duration time) {
        return rule.time.instant().plus(time);
    }

    /** @param time empty to take it away */
    private void expires(String time) {
        Map<String, Object> annotations = Collections.singletonMap(
                DeviceTaintRule.EXPIRES, time.isEmpty() ? null : time);
        rule.server.mergePatch("devicetaintrules", "", "r",
                RuleFixture.MAPPER.valueToTree(Map.of("metadata", Map.of("annotations", annotations))));
        rule.see();
        work();
    }

    private void pass(Duration time) {
        rule.time.pass(time);
        work();
    }

    private void work() {
        boolean more = true;
        while (more) {
            more = loop.runOnce();
        }
    }

    private boolean isThere() {
        return rule.server.get("devicetaintrules", "", "r").isPresent();
    }

    @Test
    void a_rule_goes_when_its_time_comes_and_not_before() {
        expires(after(Duration.ofMinutes(150)).toString());
        for (int i = 0; i < 149; i++) {
            pass(Duration.ofMinutes(1));
        }
        assertThat(isThere()).isTrue();
        pass(Duration.ofMinutes(1));
        assertThat(isThere()).isFalse();
    }

    @Test
    void a_clock_that_is_ahead_ends_no_rule_before_its_time_by_the_clock_of_the_server() {
        expires(after(Duration.ofHours(2)).toString());
        ahead = Duration.ofDays(100);
        pass(ahead);
        assertThat(isThere()).isTrue();
        assertThat(asked).isOne();
        pass(Duration.ofMinutes(119));
        assertThat(isThere()).isTrue();
        pass(Duration.ofMinutes(1));
        assertThat(isThere()).isFalse();
        assertThat(asked).isEqualTo(3);
    }

    @Test
    void the_time_that_it_gives_last_counts() {
        expires(after(Duration.ofMinutes(10)).toString());
        pass(Duration.ofMinutes(5));
        expires(after(Duration.ofMinutes(10)).toString());
        pass(Duration.ofMinutes(9));
        assertThat(isThere()).isTrue();
        expires("");
        pass(Duration.ofDays(1));
        assertThat(isThere()).isTrue();
        expires(after(Duration.ZERO).toString());
        assertThat(isThere()).isFalse();
    }

    @Test
    void a_rule_whose_deletion_is_refused_goes_later() {
        refuses = true;
        expires(after(Duration.ofMinutes(1)).toString());
        pass(Duration.ofMinutes(1));
        refuses = false;
        pass(Duration.ofSeconds(23));
        assertThat(isThere()).as("30 s, jittered by a fifth").isTrue();
        pass(Duration.ofSeconds(15));
        assertThat(isThere()).isFalse();
    }

    @Test
    void a_rule_whose_deletion_the_server_does_not_answer_goes_soon() {
        loses = true;
        expires(after(Duration.ofMinutes(1)).toString());
        pass(Duration.ofMinutes(1));
        loses = false;
        pass(Duration.ofSeconds(1));
        assertThat(isThere()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tomorrow", "2026-01-01", "3600"})
    void a_text_that_is_no_time_is_said_once_and_the_rule_stays(String text) throws InterruptedException {
        expires(text);
        pass(Duration.ofDays(400));
        assertThat(isThere()).isTrue();
        while (!rule.events.isIdle()) {
            Thread.sleep(5);
        }
        List<String> events = rule.server.requests().stream().filter(request -> request.path().endsWith("/events"))
                .map(request -> request.body()).toList();
        assertThat(events).singleElement().asString().contains("InvalidExpiry",
                "metadata.annotations[nodeward.io/expires]: Invalid value: \\\"" + text + "\\\"");
    }
}
