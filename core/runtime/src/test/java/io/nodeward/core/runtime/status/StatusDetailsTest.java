package io.nodeward.core.runtime.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectChanges;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the status of a kind of our own shows besides the condition Ready. */
class StatusDetailsTest extends ReadyFixture {
    private static final Duration PAUSE = Duration.ofSeconds(10);

    @BeforeEach
    void hasParts() {
        parts = new StatusParts(Set.of("nodes", "groups"), Set.of("Conflict"), PAUSE);
        start(true);
        counts(3);
    }

    @Test
    void fields_and_conditions_come_with_ready_in_one_request_and_what_is_shown_costs_none() {
        declare("good");
        work();
        assertThat(stored().path("status")).isEqualTo(json("""
                {'nodes':3,'groups':['a','b'],'conditions':[
                 {'type':'Conflict','status':'False','reason':'NoConflict','message':'of 3','observedGeneration':1,
                  'lastTransitionTime':'%1$s'},
                 {'type':'Ready','status':'True','reason':'InEffect','message':'','observedGeneration':1,
                  'lastTransitionTime':'%1$s'}]}""".formatted(time.instant())));
        assertThat(patches()).singleElement()
                .satisfies(patch -> assertThat(patch.query()).isEqualTo("fieldManager=nodeward-quota&force=true"));

        time.pass(Duration.ofHours(1));
        decide();
        see();
        decide();
        assertThat(patches()).hasSize(1);
    }

    @Test
    void counts_are_written_once_in_a_pause_and_the_last_of_them_when_it_is_over() {
        declare("good");
        work();
        for (int nodes = 4; nodes < 9; nodes++) {
            time.pass(Duration.ofSeconds(1));
            counts(nodes);
            decide();
        }
        assertThat(stored().at("/status/nodes").asInt()).isEqualTo(3);
        time.pass(PAUSE.minusSeconds(5));
        work();
        assertThat(stored().at("/status/nodes").asInt()).isEqualTo(8);
        assertThat(condition("Conflict").orElseThrow().path("message").asText()).isEqualTo("of 8");
        assertThat(patches()).hasSize(2);

        time.pass(Duration.ofHours(1));
        work();
        counts(9);
        decide();
        assertThat(stored().at("/status/nodes").asInt()).as("after a long rest").isEqualTo(9);
    }

    @Test
    void the_state_of_a_condition_is_written_at_once_and_only_then_it_is_younger() {
        declare("good");
        work();
        Instant first = time.instant();
        time.pass(Duration.ofSeconds(1));
        details = details.map(before -> before.withField("nodes", 4)
                .withCondition("Conflict", Condition.TRUE, Reason.TAINT_VALUE, "with b"));
        decide();
        assertThat(condition("Conflict").orElseThrow().path("lastTransitionTime").asText())
                .isEqualTo(time.instant().toString());
        assertThat(ready().path("lastTransitionTime").asText()).isEqualTo(first.toString());
        assertThat(stored().at("/status/nodes").asInt()).isEqualTo(4);

        time.pass(Duration.ofSeconds(1));
        declare("good too");
        work();
        assertThat(condition("Conflict").orElseThrow().path("observedGeneration").asInt()).isEqualTo(2);
        assertThat(patches()).hasSize(3);
    }

    @Test
    void each_decision_shows_them() {
        declare("bad");
        work();
        assertThat(ready().path("status").asText()).isEqualTo("False");
        assertThat(stored().at("/status/nodes").asInt()).isEqualTo(3);

        counts(4);
        waitingFor = "the cluster to answer";
        decide();
        time.pass(AFTER);
        work();
        assertThat(ready().path("status").asText()).isEqualTo("Unknown");
        assertThat(stored().at("/status/nodes").asInt()).isEqualTo(4);

        waitingFor = "";
        counts(5);
        change = Optional.of(ObjectChanges.ofObject());
        writer = (any, manager, again) -> new Applied.Written();
        decide();
        assertThat(ready().path("status").asText()).isEqualTo("True");
        assertThat(stored().at("/status/nodes").asInt()).isEqualTo(5);
    }

    @Test
    void what_a_decision_says_nothing_of_stays_and_what_it_does_not_say_any_more_goes() {
        declare("good");
        work();
        see();
        details = Optional.empty();
        blocked = true;
        decide();
        assertThat(ready().path("status").asText()).isEqualTo("False");
        assertThat(stored().at("/status/nodes").asInt()).isEqualTo(3);
        assertThat(condition("Conflict")).isPresent();

        blocked = false;
        details = Optional.of(StatusDetails.NONE.withField("groups", List.of("a")).withField("nodes", Tree.ABSENT));
        decide();
        assertThat(stored().path("status").fieldNames()).toIterable()
                .containsExactlyInAnyOrder("groups", "conditions");
        assertThat(condition("Conflict")).isEmpty();
    }

    @Test
    void what_others_keep_in_the_status_stays() {
        declare("good");
        change("{'status':{'theirs':1,'conditions':[{'type':'Theirs','status':'True','reason':'R','message':'',"
                + "'lastTransitionTime':'2026-11-01T12:00:00Z'}]}}");
        work();
        see();
        decide();
        assertThat(stored().at("/status/theirs").asInt()).isEqualTo(1);
        assertThat(condition("Theirs")).isPresent();
        assertThat(patches()).hasSize(1);
    }

    @Test
    void a_restart_writes_nothing_and_never_an_older_state() {
        declare("good");
        work();
        see();
        restart();
        work();
        assertThat(patches()).as("all is shown").hasSize(1);

        // A process that has seen no newer object than this one, and counts what it knows.
        server.mergePatch(QUOTAS, "", "q", json("{'status':{'nodes':7}}"));
        counts(2);
        decide();
        assertThat(stored().at("/status/nodes").asInt()).as("refused: a newer object is there").isEqualTo(7);

        see();
        time.pass(Duration.ofMinutes(1));
        work();
        assertThat(stored().at("/status/nodes").asInt()).as("decided on what is there").isEqualTo(2);
    }

    @Test
    void what_a_conflict_has_left_open_is_written_when_the_newer_object_has_been_seen() {
        declare("good");
        work();
        see();
        time.pass(PAUSE);
        counts(4);
        decide();
        server.mergePatch(QUOTAS, "", "q", json("{'status':{'theirs':1}}"));

        time.pass(PAUSE);
        counts(3); // as the cache still shows it
        decide();
        time.pass(Duration.ofSeconds(2));
        work();
        assertThat(stored().at("/status/nodes").asInt()).isEqualTo(4);
        see();
        time.pass(Duration.ofSeconds(2));
        work();
        assertThat(stored().at("/status/nodes").asInt()).isEqualTo(3);
        int requests = patches().size();
        time.pass(Duration.ofHours(1));
        work();
        assertThat(patches()).hasSize(requests);
    }

    @Test
    void after_a_conflict_nothing_is_sent_until_the_newer_object_has_been_seen() {
        declare("good");
        work();
        see();
        server.mergePatch(QUOTAS, "", "q", json("{'status':{'theirs':1}}"));
        time.pass(PAUSE);
        counts(4);
        decide();
        assertThat(patches()).as("refused").hasSize(2);
        for (int seconds = 0; seconds < 20; seconds++) {
            time.pass(Duration.ofSeconds(1));
            work();
        }
        decide();
        assertThat(patches()).as("each would be refused as the first was").hasSize(2);

        see();
        time.pass(Duration.ofSeconds(2));
        work();
        assertThat(patches()).hasSize(3);
        assertThat(stored().at("/status/nodes").asInt()).isEqualTo(4);
    }

    @Test
    void the_next_write_holds_on_the_own_one_before_the_watch_has_brought_it() {
        declare("good");
        work();
        blocked = true;
        decide();
        assertThat(ready().path("status").asText()).isEqualTo("False");
    }

    @Test
    void a_write_whose_answer_was_lost_is_made_again_when_the_object_has_been_seen() {
        declare("good");
        work();
        see();
        time.pass(PAUSE);
        server.fault(request -> request.method().equals("PATCH"), new Fault.Cut(-1));
        counts(4);
        decide();
        assertThat(stored().at("/status/nodes").asInt()).as("without an answer").isEqualTo(4);

        counts(3); // as the cache still shows it
        time.pass(Duration.ofMinutes(1));
        work();
        see();
        time.pass(Duration.ofMinutes(1));
        work();
        assertThat(stored().at("/status/nodes").asInt()).isEqualTo(3);
    }

    @Test
    void what_is_none_of_the_parts_is_a_mistake() {
        assertThatIllegalArgumentException().isThrownBy(
                () -> parts.check(StatusDetails.NONE.withField("other", 1)));
        assertThatIllegalArgumentException().isThrownBy(
                () -> parts.check(StatusDetails.NONE.withCondition("Other", Condition.TRUE, Reason.DECLARED, "")));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StatusParts(Set.of(), Set.of(Condition.READY), PAUSE));
        assertThat(StatusDetails.NONE.withField("a", Map.of("b", 1)).fields()).containsOnlyKeys("a");
    }

    private void counts(int nodes) {
        details = Optional.of(StatusDetails.NONE.withField("nodes", nodes).withField("groups", List.of("a", "b"))
                .withCondition("Conflict", Condition.FALSE, Reason.NO_CONFLICT, "of " + nodes));
    }
}
