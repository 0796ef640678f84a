package io.nodeward.core.runtime.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.runtime.leader.Candidate.Network;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server refuses requests, or its answers do not arrive. */
class FailedRequestsTest extends ElectionFixture {
    private static final Fault FORBIDDEN = Fault.status(403, "Forbidden", "planted");
    private static final Fault CONFLICT = Fault.status(409, "Conflict", "planted");
    private static final int FOREVER = 1_000;

    @Test
    void a_conflict_is_resolved_in_the_same_attempt() {
        Candidate a = candidate("a").start();
        passUntil(9);
        server.fault(request -> request.method().equals("PATCH"), CONFLICT);
        requests();
        passUntil(10);
        assertThat(requests()).containsExactly("PATCH", "GET", "PATCH");
        passUntil(60);
        assertThat(a.told).containsExactly("started at 0.0");
    }

    @Test
    void of_candidates_that_take_the_lease_at_once_one_leads() {
        create("{'holderIdentity':'x','leaseDurationSeconds':4}");
        Candidate a = candidate("a");
        Candidate b = candidate("b");
        a.network = Network.slow(Duration.ofMillis(200), Duration.ZERO);
        b.network = Network.slow(Duration.ofMillis(300), Duration.ZERO);
        a.start();
        b.start();
        passUntil(60);
        assertThat(a.told).hasSize(1);
        assertThat(b.told).isEmpty();
        assertThat(spec().path("leaseTransitions").asInt()).isEqualTo(1);
    }

    @Test
    void of_candidates_that_create_the_lease_at_once_one_leads() {
        Candidate a = candidate("a");
        Candidate b = candidate("b");
        a.network = Network.slow(Duration.ofMillis(300), Duration.ZERO);
        b.network = Network.slow(Duration.ofMillis(200), Duration.ZERO);
        a.start();
        b.start();
        passUntil(60);
        assertThat(a.told).isEmpty();
        assertThat(b.told).containsExactly("started at 0.4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST"})
    void a_candidate_without_a_right_goes_on_trying(String method) {
        server.fault(FOREVER, request -> request.method().equals(method), FORBIDDEN);
        Candidate a = candidate("a").start();
        passUntil(100);
        assertThat(a.told).isEmpty();
        server.clearFaults();
        passUntil(102);
        assertThat(a.told).hasSize(1);
    }

    @Test
    void a_leader_whose_renewals_are_refused_stops_at_its_deadline_and_leads_again_when_they_are_not() {
        Candidate a = candidate("a").start();
        passUntil(9);
        server.fault(FOREVER, request -> request.method().equals("PATCH"), FORBIDDEN);
        passUntil(61);
        assertThat(a.told).containsExactly("started at 0.0", "stopped at 18.0");
        server.clearFaults();
        passUntil(62);
        assertThat(a.told).last().isEqualTo("started at 62.0");
    }

    @Test
    void a_server_that_has_too_much_to_do_does_not_end_the_leadership_by_the_pause_that_it_asks_for() {
        Candidate a = candidate("a").start();
        passUntil(9);
        server.fault(request -> request.method().equals("PATCH"), Fault.tooManyRequests(120));
        requests();
        passUntil(12);
        assertThat(requests()).as("at 10 and 12").containsExactly("PATCH", "PATCH");
        passUntil(60);
        assertThat(a.told).containsExactly("started at 0.0");
    }

    @Test
    void a_renewal_whose_answer_is_lost_is_found_in_the_lease() {
        Candidate a = candidate("a").start();
        Candidate b = candidate("b").start();
        passUntil(9);
        a.network = Network.ANSWERS_LOST;
        passUntil(11);
        a.network = Network.GOOD;
        passUntil(60);
        assertThat(a.told).as("sent at 10, given up at 15").containsExactly("started at 0.0");
        assertThat(b.told).isEmpty();
        assertThat(spec().path("acquireTime").asText()).isEqualTo("2026-11-01T12:00:00.000000Z");
        assertThat(spec().path("leaseTransitions").asInt()).isZero();
    }

    @Test
    void a_renewal_whose_answer_is_lost_prolongs_nothing() {
        Candidate a = candidate("a").start();
        Candidate b = candidate("b").start();
        passUntil(9);
        a.network = Network.ANSWERS_LOST;
        passUntil(60);
        assertThat(a.told).containsExactly("started at 0.0", "stopped at 18.0");
        assertThat(b.told).as("the record changed at 10").containsExactly("started at 26.0");
    }

    @Test
    void a_lease_that_was_taken_without_an_answer_is_the_takers() {
        Candidate a = candidate("a");
        a.network = (process, request, server) -> (request.method().equals("POST")
                ? Network.ANSWERS_LOST
                : Network.GOOD).send(process, request, server);
        a.start();
        passUntil(6);
        assertThat(holder()).isEqualTo("a");
        assertThat(a.leads()).isFalse();
        passUntil(7);
        assertThat(a.told).containsExactly("started at 7.0");
        assertThat(spec().path("leaseTransitions").asInt()).isZero();
    }

    @Test
    void a_release_that_meets_a_conflict_is_tried_again() {
        Candidate a = candidate("a").start();
        server.fault(2, request -> request.method().equals("PATCH"), CONFLICT);
        a.end();
        assertThat(holder()).isEmpty();
    }

    @Test
    void a_release_that_meets_nothing_but_conflicts_ends_within_3_seconds() {
        Candidate a = candidate("a").start();
        server.fault(FOREVER, request -> request.method().equals("PATCH"), CONFLICT);
        a.network = Network.slow(Duration.ofMillis(450), Duration.ZERO);
        requests();
        a.end();
        passUntil(60);
        assertThat(requests()).as("until 0.9, and until 1.8").containsExactly("GET", "PATCH", "GET", "PATCH");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PATCH"})
    void a_server_that_does_not_answer_holds_up_the_end_of_a_process_for_a_second(String method) {
        Candidate a = candidate("a").start();
        List<Double> ends = new ArrayList<>();
        a.network = (process, request, to) -> {
            if (!request.method().equals(method)) {
                return Network.GOOD.send(process, request, to);
            }
            ends.add(request.timeout().toMillis() / 1000.0);
            throw Network.timedOut(process, request);
        };
        a.end();
        passUntil(60);
        assertThat(ends).containsExactly(1.0);
        assertThat(a.told).containsExactly("started at 0.0", "stopped at 0.0");
    }

    @Test
    void a_release_of_a_lease_that_another_has_taken_meanwhile_leaves_it() {
        Candidate a = candidate("a").start();
        passUntil(1);
        edit("{'spec':{'holderIdentity':'x'}}");
        a.end();
        assertThat(holder()).isEqualTo("x");
    }

    @Test
    void a_release_that_fails_costs_the_wait_and_no_more() {
        Candidate a = candidate("a").start();
        Candidate b = candidate("b").start();
        passUntil(1);
        a.network = Network.PARTITIONED;
        a.end();
        passUntil(60);
        assertThat(a.told).containsExactly("started at 0.0", "stopped at 1.0");
        assertThat(b.told).containsExactly("started at 16.0");
    }

    @Test
    void a_process_that_ends_while_it_takes_the_lease_gives_it_up() {
        Candidate a = candidate("a");
        a.network = Network.slow(Duration.ofSeconds(1), Duration.ofSeconds(1));
        a.start();
        passUntil(2.5); // the Lease is absent, and the request that creates it arrives at 3
        a.network = Network.GOOD;
        a.end();
        assertThat(lease()).isEmpty();
        passUntil(5);
        assertThat(holder()).isEmpty();
        assertThat(a.told).isEmpty();
        passUntil(60);
        assertThat(holder()).isEmpty();
    }

    @Test
    void a_process_that_ends_while_it_reads_the_lease_does_not_take_it() {
        Candidate a = candidate("a");
        a.network = Network.slow(Duration.ofSeconds(1), Duration.ZERO);
        a.start();
        a.network = Network.GOOD;
        a.end();
        requests();
        passUntil(60);
        assertThat(requests()).containsExactly("GET");
        assertThat(lease()).isEmpty();
    }

    @Test
    void a_renewal_under_way_when_the_process_ends_does_not_take_the_lease_back() {
        Candidate a = candidate("a").start();
        a.network = Network.slow(Duration.ofSeconds(1), Duration.ZERO);
        passUntil(2.5);
        a.network = Network.GOOD;
        a.end();
        assertThat(holder()).isEmpty();
        passUntil(60);
        assertThat(holder()).isEmpty();
        assertThat(a.told).containsExactly("started at 0.0", "stopped at 2.5");
    }
}
