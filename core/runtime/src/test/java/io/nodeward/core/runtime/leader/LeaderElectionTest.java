package io.nodeward.core.runtime.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nodeward.core.runtime.leader.Candidate.Network;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaderElectionTest extends ElectionFixture {
    @Test
    void the_first_candidate_creates_the_lease_and_leads() {
        Candidate a = candidate("a");
        assertThat(a.leads()).isFalse();
        a.start();
        assertThat(a.leads()).isTrue();
        assertThat(a.told).containsExactly("started at 0.0");
        assertThat(spec()).isEqualTo(json("""
                {'holderIdentity':'a','leaseDurationSeconds':15,'leaseTransitions':0,
                 'acquireTime':'2026-11-01T12:00:00.000000Z','renewTime':'2026-11-01T12:00:00.000000Z'}"""));
    }

    @Test
    void the_leader_renews_every_2_seconds_with_one_request() {
        jitter = 1;
        Candidate a = candidate("a").start();
        assertThat(requests()).containsExactly("GET", "POST");
        passUntil(10);
        assertThat(requests()).containsExactly("PATCH", "PATCH", "PATCH", "PATCH", "PATCH");
        assertThat(a.told).containsExactly("started at 0.0");
        assertThat(spec()).isEqualTo(json("""
                {'holderIdentity':'a','leaseDurationSeconds':15,'leaseTransitions':0,
                 'acquireTime':'2026-11-01T12:00:00.000000Z','renewTime':'2026-11-01T12:00:10.000000Z'}"""));
    }

    @Test
    void a_candidate_tries_every_2_seconds_and_up_to_120_percent_of_them_later() {
        candidate("a").start();
        jitter = 1;
        candidate("b").start();
        requests();
        passUntil(13.1);
        assertThat(requests().stream().filter("GET"::equals)).as("at 4.4 and 8.8").hasSize(2);
        passUntil(13.3);
        assertThat(requests()).as("at 13.2").containsExactly("GET");
    }

    @Test
    void a_leader_that_dies_is_followed_after_15_seconds_without_a_change_and_not_before() {
        Candidate a = candidate("a").start();
        Candidate b = candidate("b").start();
        passUntil(9);
        a.process.kill();
        passUntil(60);
        assertThat(b.told).as("a renewed at 8, and b came at 8, 22 and 24").containsExactly("started at 24.0");
        assertThat(spec()).isEqualTo(json("""
                {'holderIdentity':'b','leaseDurationSeconds':15,'leaseTransitions':1,
                 'acquireTime':'2026-11-01T12:00:24.000000Z','renewTime':'2026-11-01T12:01:00.000000Z'}"""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-11-01T11:00:00.000000Z", "2026-11-01T12:00:00.000000Z",
            "2026-11-01T13:00:00.000000Z"})
    void how_long_a_holder_is_silent_counts_from_when_it_is_seen_whatever_the_times_in_its_record(String renewTime) {
        create("{'holderIdentity':'x','leaseDurationSeconds':4,'renewTime':'" + renewTime + "'}");
        Candidate a = candidate("a").start();
        passUntil(3.9);
        assertThat(a.leads()).isFalse();
        passUntil(4);
        assertThat(a.told).containsExactly("started at 4.0");
    }

    @Test
    void any_change_of_the_record_starts_the_wait_anew_and_a_change_of_the_metadata_does_not() {
        create("{'holderIdentity':'x','leaseDurationSeconds':15,'renewTime':'2026-11-01T12:00:00.000000Z'}");
        Candidate a = candidate("a").start();
        passUntil(9);
        edit("{'spec':{'renewTime':'2026-11-01T11:00:00.000000Z'}}");
        passUntil(13);
        edit("{'metadata':{'labels':{'team':'a'}}}");
        passUntil(60);
        assertThat(a.told).as("it saw the change at 10, and came at 24 and 26").containsExactly("started at 26.0");
    }

    @Test
    void a_leader_that_ends_gives_the_lease_up_and_another_leads_at_its_next_try() {
        Candidate a = candidate("a").start();
        Candidate b = candidate("b").start();
        passUntil(9);
        a.end();
        assertThat(a.leads()).isFalse();
        assertThat(spec()).isEqualTo(json("""
                {'holderIdentity':'','leaseDurationSeconds':1,'leaseTransitions':0,
                 'acquireTime':'2026-11-01T12:00:09.000000Z','renewTime':'2026-11-01T12:00:09.000000Z'}"""));
        passUntil(60);
        assertThat(a.told).containsExactly("started at 0.0", "stopped at 9.0");
        assertThat(b.told).containsExactly("started at 10.0");
        assertThat(spec().path("leaseTransitions").asInt()).isEqualTo(1);
    }

    @Test
    void a_candidate_that_ends_touches_nothing_and_sends_nothing_more() {
        candidate("a").start();
        Candidate b = candidate("b").start();
        passUntil(1);
        requests();
        b.end();
        b.end();
        assertThat(requests()).containsExactly("GET");
        assertThat(holder()).isEqualTo("a");
        passUntil(3);
        assertThat(requests()).as("of a").containsExactly("PATCH");
        assertThat(b.told).isEmpty();
    }

    @Test
    void a_leader_that_is_cut_off_stops_before_another_can_lead() {
        Candidate a = candidate("a").start();
        Candidate b = candidate("b").start();
        passUntil(9);
        a.network = Network.PARTITIONED;
        for (double second = 9; second < 40; second += 0.1) {
            passUntil(second);
            assertThat(a.leads() && b.leads()).as("both at %s", second).isFalse();
        }
        assertThat(a.told).as("it renewed at 8").containsExactly("started at 0.0", "stopped at 18.0");
        assertThat(b.told).containsExactly("started at 24.0");
        a.network = Network.GOOD;
        passUntil(100);
        assertThat(a.told).as("a candidate like others").hasSize(2);
    }

    @Test
    void the_deadline_counts_from_when_the_request_was_sent_however_late_its_answer_came() {
        Candidate a = candidate("a").start();
        a.network = Network.slow(Duration.ZERO, Duration.ofSeconds(4));
        passUntil(6.5);
        a.network = Network.PARTITIONED;
        passUntil(11.9);
        assertThat(a.leads()).isTrue();
        passUntil(12);
        assertThat(a.leads()).as("sent at 2, answered at 6").isFalse();
    }

    @Test
    void a_leader_that_was_stopped_does_not_believe_that_it_leads_when_it_goes_on() {
        Candidate a = candidate("a").start();
        Candidate b = candidate("b").start();
        passUntil(9);
        a.process.stop();
        passUntil(39);
        assertThat(b.told).containsExactly("started at 24.0");
        assertThat(a.leads()).as("what it would answer first").isFalse();
        requests();
        a.process.goOn();
        assertThat(requests()).as("it reads, and writes nothing").containsExactly("GET");
        assertThat(a.told).containsExactly("started at 0.0", "stopped at 39.0");
        passUntil(60);
        assertThat(a.told).hasSize(2);
    }

    @Test
    void a_leader_that_was_stopped_and_that_no_other_followed_leads_again_after_it_said_that_it_stopped() {
        Candidate a = candidate("a").start();
        passUntil(3);
        a.process.stop();
        passUntil(33);
        assertThat(a.leads()).isFalse();
        a.process.goOn();
        assertThat(a.told).containsExactly("started at 0.0", "stopped at 33.0", "started at 33.0");
        assertThat(spec().path("leaseTransitions").asInt()).isZero();
        passUntil(60);
        assertThat(a.told).hasSize(3);
    }

    @Test
    void an_answer_that_a_stopped_process_reads_late_makes_no_leader() {
        Candidate a = candidate("a").start();
        passUntil(9);
        a.network = Network.slow(Duration.ZERO, Duration.ofSeconds(1));
        passUntil(10.5);
        a.process.stop();
        passUntil(40);
        a.process.goOn();
        assertThat(a.leads()).isFalse();
        assertThat(a.told).containsExactly("started at 0.0", "stopped at 40.0");
        passUntil(60);
        assertThat(a.told).as("it reads the Lease in 1 s, and renews it in another").hasSize(3)
                .last().isEqualTo("started at 44.0");
    }

    @Test
    void a_leader_whose_machine_was_suspended_does_not_believe_that_it_leads_when_it_goes_on() {
        Candidate a = candidate("a").start();
        Candidate b = candidate("b").start();
        passUntil(9);
        a.process.suspend();
        passUntil(39);
        assertThat(b.told).containsExactly("started at 24.0");
        a.process.goOn();
        assertThat(a.leads()).as("before any of its timers runs").isFalse();
        requests();
        passUntil(40);
        assertThat(a.told).as("its next attempt is due a second after it goes on")
                .containsExactly("started at 0.0", "stopped at 40.0");
        assertThat(requests()).as("a and b").containsExactlyInAnyOrder("GET", "PATCH");
        passUntil(60);
        assertThat(a.told).hasSize(2);
        assertThat(b.told).hasSize(1);
    }

    @Test
    void a_wall_clock_that_is_set_back_changes_nothing() {
        Candidate a = candidate("a").start();
        Candidate b = candidate("b").start();
        passUntil(5);
        a.wallClock = Duration.ofHours(-1);
        b.wallClock = Duration.ofHours(-1);
        passUntil(30);
        assertThat(a.told).containsExactly("started at 0.0");
        assertThat(b.told).isEmpty();
        assertThatItDiesAt31AndTheOtherFollows(a, b);
    }

    /** A leader cannot tell that from the end of a sleep of its machine. */
    @Test
    void a_leader_whose_wall_clock_is_set_forward_does_not_lead_until_its_next_attempt() {
        Candidate a = candidate("a").start();
        Candidate b = candidate("b").start();
        passUntil(5);
        a.wallClock = Duration.ofHours(1);
        b.wallClock = Duration.ofHours(1);
        assertThat(a.leads()).isFalse();
        passUntil(30);
        assertThat(a.told).containsExactly("started at 0.0", "stopped at 6.0", "started at 6.0");
        assertThat(b.told).isEmpty();
        assertThatItDiesAt31AndTheOtherFollows(a, b);
    }

    private void assertThatItDiesAt31AndTheOtherFollows(Candidate leader, Candidate other) {
        passUntil(31);
        leader.process.kill();
        other.wallClock = other.wallClock.multipliedBy(-1);
        passUntil(60);
        assertThat(other.told).containsExactly("started at 46.0");
    }

    @Test
    void an_identity_is_not_empty_as_that_of_no_holder_is() {
        assertThatIllegalArgumentException().isThrownBy(() -> candidate(""));
    }
}
