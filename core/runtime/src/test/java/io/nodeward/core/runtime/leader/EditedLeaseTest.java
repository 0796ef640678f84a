package io.nodeward.core.runtime.leader;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A user, or another client, changes or deletes the Lease. */
class EditedLeaseTest extends ElectionFixture {
    private Candidate a;

    /** It last renewed at 8, and does so again at 10. */
    @BeforeEach
    void elect() {
        a = candidate("a").start();
        passUntil(9);
        requests();
    }

    @Test
    void another_holder_ends_the_leadership_at_the_next_renewal_and_is_waited_for() {
        edit("{'spec':{'holderIdentity':'x'}}");
        passUntil(25);
        assertThat(a.told).containsExactly("started at 0.0", "stopped at 10.0");
        assertThat(requests()).doesNotContain("POST").containsOnlyOnce("PATCH");
        passUntil(26);
        assertThat(a.told).last().isEqualTo("started at 26.0");
        assertThat(spec().path("leaseTransitions").asInt()).isEqualTo(1);
        assertThat(spec().path("acquireTime").asText()).isEqualTo("2026-11-01T12:00:26.000000Z");
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "{'spec':{'holderIdentity':''}}", "{'spec':{'holderIdentity':null}}", "{'spec':null}",
            "{'spec':{'holderIdentity':7,'leaseDurationSeconds':'x','acquireTime':[],'renewTime':'now'}}"
    })
    void a_lease_that_names_no_holder_is_taken_anew(String patch) {
        edit(patch);
        passUntil(60);
        assertThat(a.told).containsExactly("started at 0.0", "stopped at 10.0", "started at 10.0");
        assertThat(spec()).isEqualTo(json("""
                {'holderIdentity':'a','leaseDurationSeconds':15,'leaseTransitions':1,
                 'acquireTime':'2026-11-01T12:00:10.000000Z','renewTime':'2026-11-01T12:01:00.000000Z'}"""));
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "{'spec':{'leaseDurationSeconds':1000000000}}", "{'spec':{'leaseDurationSeconds':-1}}",
            "{'spec':{'renewTime':null}}", "{'spec':{'renewTime':'1970-01-01T00:00:00.000000Z'}}",
            "{'metadata':{'annotations':{'a':'b'}}}"
    })
    void the_holder_writes_over_another_value_and_leads_on(String patch) {
        edit(patch);
        passUntil(10);
        assertThat(requests()).as("a conflict, and once more").containsExactly("PATCH", "GET", "PATCH");
        passUntil(60);
        assertThat(a.told).containsExactly("started at 0.0");
        assertThat(spec()).isEqualTo(json("""
                {'holderIdentity':'a','leaseDurationSeconds':15,'leaseTransitions':0,
                 'acquireTime':'2026-11-01T12:00:00.000000Z','renewTime':'2026-11-01T12:01:00.000000Z'}"""));
    }

    @Test
    void fields_that_an_election_does_not_know_and_labels_stay() {
        edit("{'metadata':{'labels':{'team':'a'}},'spec':{'strategy':'OldestEmulationVersion'}}");
        passUntil(20);
        assertThat(lease().orElseThrow().at("/metadata/labels/team").asText()).isEqualTo("a");
        assertThat(spec().path("strategy").asText()).isEqualTo("OldestEmulationVersion");
        assertThat(spec().path("renewTime").asText()).isEqualTo("2026-11-01T12:00:20.000000Z");
    }

    @Test
    void the_number_of_transitions_has_an_end_and_a_lost_time_of_acquisition_is_given_anew() {
        edit("{'spec':{'acquireTime':null,'leaseTransitions':2147483647}}");
        passUntil(10);
        assertThat(spec().path("acquireTime").asText()).isEqualTo("2026-11-01T12:00:10.000000Z");
        a.end();
        candidate("b").start();
        assertThat(holder()).isEqualTo("b");
        assertThat(spec().path("leaseTransitions").asLong()).as("a server takes no more").isEqualTo(2147483647);
    }

    @Test
    void a_holder_without_a_duration_is_not_waited_for_as_in_client_go() {
        edit("{'spec':{'holderIdentity':'x','leaseDurationSeconds':null}}");
        passUntil(10);
        assertThat(holder()).isEqualTo("a");
        assertThat(a.told).containsExactly("started at 0.0", "stopped at 10.0", "started at 10.0");
    }

    @Test
    void a_lease_that_was_deleted_is_created_at_the_next_renewal() {
        delete();
        passUntil(60);
        assertThat(a.told).containsExactly("started at 0.0", "stopped at 10.0", "started at 10.0");
        assertThat(spec()).isEqualTo(json("""
                {'holderIdentity':'a','leaseDurationSeconds':15,'leaseTransitions':0,
                 'acquireTime':'2026-11-01T12:00:10.000000Z','renewTime':'2026-11-01T12:01:00.000000Z'}"""));
    }

    @Test
    void a_lease_that_another_candidate_created_after_it_was_deleted_is_the_others() {
        Candidate b = candidate("b").start();
        passUntil(9.5);
        delete();
        Candidate c = candidate("c").start();
        assertThat(c.told).containsExactly("started at 9.5");
        passUntil(60);
        assertThat(a.told).containsExactly("started at 0.0", "stopped at 10.0");
        assertThat(b.told).isEmpty();
        assertThat(c.told).hasSize(1);
    }

    @Test
    void a_lease_that_was_deleted_and_restored_as_it_was_is_renewed() {
        String spec = spec().toString();
        delete();
        create(spec);
        passUntil(60);
        assertThat(a.told).containsExactly("started at 0.0");
        assertThat(spec().path("acquireTime").asText()).isEqualTo("2026-11-01T12:00:00.000000Z");
    }
}
