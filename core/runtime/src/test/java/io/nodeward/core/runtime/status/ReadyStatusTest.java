package io.nodeward.core.runtime.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.meta.Status;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectChanges;
import io.nodeward.core.spi.ApiFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The condition Ready of a kind of our own, on what a server holds and {@code kubectl wait} makes of it. */
class ReadyStatusTest extends ReadyFixture {
    @Test
    void what_is_in_effect_is_ready_for_its_generation_with_one_request() {
        declare("good");
        work();

        assertThat(patches()).singleElement().satisfies(patch -> {
            assertThat(patch.path()).endsWith("/quotas/q/status");
            assertThat(patch.query()).isEqualTo("fieldManager=nodeward-quota&force=true");
        });
        assertThat(ready()).isEqualTo(json("""
                {'type':'Ready','status':'True','reason':'InEffect','message':'','observedGeneration':1,
                 'lastTransitionTime':'%s'}""".formatted(time.instant())));
        assertThat(kubectlWaitsFor("True")).isFalse();
    }

    @Test
    void an_older_spec_is_not_taken_for_the_newer_one_and_the_newer_one_moves_no_time() {
        declare("good");
        work();
        Instant first = time.instant();
        time.pass(Duration.ofMinutes(1));
        declare("good too");
        assertThat(kubectlWaitsFor("True")).as("nobody has decided on the newer spec yet").isTrue();

        work();
        assertThat(kubectlWaitsFor("True")).isFalse();
        assertThat(ready().path("observedGeneration").asInt()).isEqualTo(2);
        assertThat(ready().path("lastTransitionTime").asText()).isEqualTo(first.toString());
        assertThat(patches()).hasSize(2);
    }

    @Test
    void what_is_blocked_is_not_ready_at_once_and_says_why() {
        declare("good");
        work();
        time.pass(Duration.ofMinutes(1));
        declare("bad");
        work();

        assertThat(ready()).isEqualTo(json("""
                {'type':'Ready','status':'False','reason':'Bad','message':'too bad','observedGeneration':2,
                 'lastTransitionTime':'%s'}""".formatted(time.instant())));
        assertThat(kubectlWaitsFor("False")).isFalse();
        declare("good");
        work();
        assertThat(kubectlWaitsFor("True")).isFalse();
        assertThat(patches()).hasSize(3);
    }

    @Test
    void what_a_server_refuses_is_tried_again_after_growing_pauses_until_it_is_accepted() {
        change = Optional.of(ObjectChanges.ofObject());
        writer = (change, manager, again) -> {
            throw ApiFailure.of(new Status(422, "Invalid", "why", 0), "PATCH x", Optional.empty());
        };
        declare("good");
        work();
        assertThat(ready().path("status").asText()).isEqualTo("False");

        for (int seconds : new int[]{30, 60, 120, 240, 480, 600, 600}) {
            int before = decisions;
            time.pass(Duration.ofSeconds(seconds * 3 / 4));
            work();
            assertThat(decisions).as("before %d s", seconds).isEqualTo(before);
            time.pass(Duration.ofSeconds(seconds / 2));
            work();
            assertThat(decisions).as("after %d s", seconds).isEqualTo(before + 1);
        }
        assertThat(patches()).as("the object has the condition already").hasSize(1);

        writer = (change, manager, again) -> new Applied.Written();
        time.pass(Duration.ofMinutes(12));
        work();
        assertThat(kubectlWaitsFor("True")).isFalse();
    }

    @Test
    void a_long_reason_and_a_long_message_are_cut() {
        blockedBy = new Blocked("B".repeat(3000), "m\u0007".repeat(3000));
        declare("bad");
        work();
        assertThat(ready().path("reason").asText()).isEqualTo("B".repeat(1024));
        assertThat(ready().path("message").asText()).hasSize(1024).startsWith("m?m?");
    }

    @Test
    void a_restart_writes_nothing() {
        declare("good");
        work();
        restart();
        time.pass(Duration.ofMinutes(1));
        work();
        assertThat(decisions).isEqualTo(2);
        assertThat(patches()).hasSize(1);
    }

    @Test
    void what_is_waited_for_is_reported_when_it_lasts_and_a_restart_waits_for_much_that_is_there_already() {
        declare("good");
        work();
        restart();
        waitingFor = "the cluster to answer";
        work();
        time.pass(AFTER.minusSeconds(1));
        waitingFor = "";
        decide();
        assertThat(patches()).as("a short wait").hasSize(1);

        waitingFor = "the cluster to answer";
        decide();
        time.pass(AFTER.minusSeconds(1));
        work();
        assertThat(patches()).as("two short waits are no long one").hasSize(1);
        time.pass(Duration.ofSeconds(1));
        work();
        assertThat(ready()).isEqualTo(json("""
                {'type':'Ready','status':'Unknown','reason':'Waiting','message':'waiting for the cluster to answer',
                 'observedGeneration':1,'lastTransitionTime':'%s'}""".formatted(time.instant())));
        waitingFor = "";
        decide();
        assertThat(kubectlWaitsFor("True")).isFalse();
        assertThat(patches()).hasSize(3);
    }

    @Test
    void a_spec_that_changes_while_something_is_waited_for_is_not_ready_before_it_is_decided_on() {
        declare("good");
        work();
        waitingFor = "the cluster to answer";
        declare("good too");
        work();
        assertThat(kubectlWaitsFor("True")).isTrue();
        time.pass(AFTER);
        work();
        assertThat(kubectlWaitsFor("Unknown")).isFalse();
        assertThat(ready().path("observedGeneration").asInt()).isEqualTo(2);
    }

    @Test
    void the_own_write_is_no_reason_to_decide_again_and_a_change_of_metadata_is() {
        declare("good");
        work();
        see();
        work();
        assertThat(decisions).isEqualTo(1);
        change("{'metadata':{'labels':{'a':'b'}}}");
        work();
        assertThat(decisions).isEqualTo(2);
        assertThat(patches()).hasSize(1);
    }

    @Test
    void a_write_whose_answer_was_lost_is_not_believed_to_have_failed() {
        declare("good");
        work();
        see();
        server.fault(request -> request.method().equals("PATCH"), new Fault.Cut(-1));
        blocked = true;
        decide();
        assertThat(ready().path("status").asText()).as("stored, and the answer was lost").isEqualTo("False");
        blocked = false;
        decide();
        assertThat(ready().path("status").asText()).as("it holds on the version before").isEqualTo("False");
        see();
        decide();
        assertThat(ready().path("status").asText()).isEqualTo("True");
    }

    @ParameterizedTest
    @CsvSource({"503, ServiceUnavailable", "403, Forbidden"})
    void what_could_not_be_written_is_tried_again(int code, String reason) {
        server.fault(request -> request.method().equals("PATCH"), Fault.status(code, reason, "later"));
        declare("good");
        work();
        assertThat(server.get(QUOTAS, "", "q").orElseThrow().at("/status/conditions").isMissingNode()).isTrue();
        time.pass(Duration.ofMinutes(1));
        work();
        assertThat(kubectlWaitsFor("True")).isFalse();
    }

    @Test
    void the_conditions_of_others_stay() {
        declare("good");
        change("{'status':{'conditions':[{'type':'Theirs','status':'True','reason':'R','message':'',"
                + "'lastTransitionTime':'2026-11-01T12:00:00Z'}]}}");
        work();
        JsonNode conditions = server.get(QUOTAS, "", "q").orElseThrow().at("/status/conditions");
        assertThat(conditions.valueStream().map(c -> c.path("type").asText())).containsExactly("Theirs", "Ready");
    }

    @Test
    void an_object_that_is_being_deleted_gets_no_condition() {
        declare("good");
        change("{'metadata':{'finalizers':['example.com/hold']}}");
        server.delete(QUOTAS, "", "q");
        see();
        work();
        assertThat(decisions).isEqualTo(1);
        assertThat(patches()).isEmpty();
    }

    @Test
    void a_dry_run_writes_nothing() {
        start(false);
        declare("good");
        work();
        declare("bad");
        work();
        assertThat(decisions).isEqualTo(2);
        assertThat(patches()).isEmpty();
    }
}
