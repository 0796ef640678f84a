package io.nodeward.core.runtime.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeadershipTest extends ElectionFixture {
    private static final String OF_ANOTHER = "{'holderIdentity':'x','leaseDurationSeconds':15}";

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final TestProcess process = new TestProcess(time);
    private final Connection connection = new Connection();
    /** The wall clock of the process, ahead of the test's time. */
    private Duration wallClock = Duration.ZERO;
    private final Leadership leadership = leadership(process.timers());
    private final List<String> tried = new ArrayList<>();

    private final class Connection implements Transport {
        private boolean closed;

        @Override
        public Response exchange(Request request) {
            return transport.exchange(request);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private Leadership leadership(Timers timers) {
        return new Leadership(new LeaderElection(connection, Candidate.LEASE, "a", timers,
                () -> time.instant().plus(wallClock), process::execute, this::jitter), registry);
    }

    private ApiFailure.NotLeading refused() {
        return catchThrowableOfType(ApiFailure.NotLeading.class, () -> leadership.check("PATCH /x"));
    }

    private double metric() {
        return registry.get("nodeward.leader").tag("lease", "default/nodeward").gauge().value();
    }

    @Test
    void a_write_passes_while_the_process_leads_and_at_no_other_time() {
        create(OF_ANOTHER);
        assertThat(refused()).as("before it contends").hasMessageContaining("PATCH /x")
                .hasMessageContaining("does not lead by Lease default/nodeward");
        leadership.start();
        passUntil(15.9);
        assertThat(refused()).isNotNull();
        assertThat(metric()).isZero();
        passUntil(16);
        assertThatCode(() -> leadership.check("PATCH /x")).doesNotThrowAnyException();
        assertThat(metric()).isEqualTo(1);
        edit("{'spec':{'holderIdentity':'x'}}");
        passUntil(18);
        assertThat(refused()).isNotNull();
        assertThat(metric()).isZero();
    }

    @Test
    void no_write_passes_after_the_renew_deadline_even_if_no_timer_has_run() {
        leadership.start();
        passUntil(9);
        assertThatCode(() -> leadership.check("PATCH /x")).doesNotThrowAnyException();
        process.stop();
        passUntil(17.9);
        assertThatCode(() -> leadership.check("PATCH /x")).doesNotThrowAnyException();
        passUntil(18);
        assertThat(refused()).as("it renewed at 8").isNotNull();
    }

    @Test
    void what_waits_is_tried_once_when_the_process_leads() {
        create(OF_ANOTHER);
        leadership.start();
        refused().whenOver(() -> tried.add("one"));
        refused().whenOver(() -> tried.add("two"));
        passUntil(15.9);
        assertThat(tried).isEmpty();
        passUntil(60);
        assertThat(tried).containsExactly("one", "two");
    }

    @Test
    void what_waits_only_once_the_process_leads_is_tried_at_once() {
        ApiFailure.NotLeading early = refused();
        leadership.start();
        early.whenOver(() -> tried.add("one"));
        assertThat(tried).containsExactly("one");
    }

    /** Else a loop would try the key again and again until a timer runs. */
    @Test
    void what_met_the_deadline_before_the_timer_waits_until_the_process_leads_again() {
        leadership.start();
        passUntil(9);
        process.stop();
        passUntil(30);
        refused().whenOver(() -> tried.add("one"));
        assertThat(tried).isEmpty();
        process.goOn();
        passUntil(31);
        assertThat(tried).containsExactly("one");
    }

    /** The renewal finds a leader that has not heard of its end. */
    @Test
    void what_met_a_deadline_that_a_late_renewal_did_not_is_tried_after_the_renewal() {
        leadership.start();
        wallClock = Duration.ofSeconds(10);
        refused().whenOver(() -> tried.add("one"));
        wallClock = Duration.ZERO;
        passUntil(1.9);
        assertThat(tried).isEmpty();
        passUntil(2);
        assertThat(tried).containsExactly("one");
    }

    @Test
    void limits_begin_anew_each_time_before_a_write_passes() {
        List<Boolean> passed = new ArrayList<>();
        leadership.beforeLeading(() -> passed.add(refused() == null));
        create(OF_ANOTHER);
        leadership.start();
        passUntil(16);
        assertThat(passed).containsExactly(false);
        passUntil(20);
        edit("{'spec':{'holderIdentity':''}}");
        passUntil(24);
        assertThat(passed).containsExactly(false, false);
    }

    @Test
    void a_process_that_ends_gives_the_lease_up_and_then_closes_its_connection() {
        leadership.start();
        assertThat(holder()).isEqualTo("a");
        leadership.close();
        assertThat(holder()).isEmpty();
        assertThat(connection.closed).isTrue();
        assertThat(refused()).isNotNull();
    }

    @Test
    void a_process_that_ends_before_it_contends_asks_nothing() {
        leadership.close();
        assertThat(requests()).isEmpty();
        assertThat(connection.closed).isTrue();
    }

    @Test
    void a_process_that_elects_no_leader_may_always_write() {
        Leadership.UNCONTESTED.start();
        assertThatCode(() -> Leadership.UNCONTESTED.check("PATCH /x")).doesNotThrowAnyException();
        Leadership.UNCONTESTED.close();
        assertThatCode(() -> Leadership.UNCONTESTED.check("PATCH /x")).doesNotThrowAnyException();
    }
}
