package io.nodeward.core.runtime.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.core.Event;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Resource;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConditionsTest {
    private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");
    private static final Duration AFTER = Duration.ofSeconds(30);
    private static final Optional<Blocked> BLOCKED = Optional.of(new Blocked("NodeNotJoined", "no Node"));

    /** In the place of an answer: the request is not sent. */
    private static final int PAUSED = 0;
    /** 500, as the kind does not have the field. */
    private static final int MISFIT = -500;
    /** 404, as the version of the kind is not served. */
    private static final int UNSERVED = -404;
    private static final String NO_SUCH_FIELD =
            """
                    {"kind":"Status","code":500,"message":"failed to create typed patch object (ns/m; cluster.x-k8s.io/v1beta1, \
                    Kind=Machine): .status.v1beta2: field not declared in schema"}""";

    private final List<Request> calls = new ArrayList<>();
    private int status = 200;
    private Instant now = START;
    /** In which the object is read. */
    private String resource = "v1beta2";
    /** Of the object as seen; a write makes it 8. */
    private String version = "7";
    private Conditions conditions = conditions(true);

    private Conditions conditions(boolean writes) {
        return new Conditions(
                new ApiServer(new Recording()), AFTER, () -> now, () -> Duration.between(START, now).toNanos(), writes);
    }

    @Test
    void what_is_blocked_says_so_when_it_has_been_for_a_while() {
        assertThat(report(target("u"), BLOCKED)).isEqualTo(AFTER);
        now = START.plusSeconds(29);
        assertThat(report(target("u"), BLOCKED)).isEqualTo(Duration.ofSeconds(1));
        assertThat(calls).isEmpty();
        now = START.plusSeconds(30);
        assertThat(report(target("u"), BLOCKED)).isZero();
        assertThat(calls).singleElement().satisfies(call -> {
            assertThat(call.method() + " " + call.path()).isEqualTo("PATCH /apis/cluster.x-k8s.io/v1beta2/namespaces/"
                    + "ns/machines/m/status?fieldManager=controller&force=true");
            assertThat(call.headers()).containsEntry("Content-Type", "application/apply-patch+yaml");
            assertThat(new String(call.body().orElseThrow())).contains("\"type\":\"nodeward.io/Blocked\"",
                    "\"status\":\"True\"", "\"reason\":\"NodeNotJoined\"", "\"message\":\"no Node\"", "\"uid\":\"u\"",
                    "\"lastTransitionTime\":\"2026-11-21T10:00:30Z\"");
        });
    }

    @Test
    void another_reason_does_not_start_the_time_anew_but_an_end_does() {
        report(target("u"), BLOCKED);
        now = START.plusSeconds(20);
        Optional<Blocked> other = Optional.of(new Blocked("ProviderIDNotUnique", "two Nodes"));
        assertThat(report(target("u"), other)).isEqualTo(Duration.ofSeconds(10));
        assertThat(report(target("u"), Optional.empty())).isZero();
        assertThat(report(target("u"), BLOCKED)).isEqualTo(AFTER);
        assertThat(calls).isEmpty();
    }

    @Test
    void what_was_written_counts_until_a_newer_version_is_seen_or_the_server_is_restored() {
        report(target("u"), BLOCKED);
        now = START.plusSeconds(30);
        report(target("u"), BLOCKED);
        report(target("u"), BLOCKED);
        assertThat(calls).as("the object as seen is older than the write").hasSize(1);
        conditions.restored();
        report(target("u"), BLOCKED);
        assertThat(calls).as("the write is not in the backup").hasSize(2);
    }

    @Test
    void an_object_that_says_it_already_costs_no_request_and_one_that_says_otherwise_is_corrected_at_once() {
        assertThat(report(target("u", said("NodeNotJoined", "no Node")), BLOCKED)).isZero();
        assertThat(calls).isEmpty();
        assertThat(report(target("u", said("NodeNotJoined", "another")), BLOCKED)).isZero();
        assertThat(calls).singleElement()
                .satisfies(call -> assertThat(new String(call.body().orElseThrow()))
                        .contains("no Node", "2026-11-21T10:00:00Z"));
    }

    @Test
    void an_end_takes_it_away_with_one_request_and_costs_none_where_nothing_was_said() {
        report(target("u"), Optional.empty());
        assertThat(calls).isEmpty();
        report(target("u", said("NodeNotJoined", "no Node")), Optional.empty());
        assertThat(calls).singleElement()
                // An empty status would be refused: Cluster API's may be absent, but not without a field.
                .satisfies(call -> assertThat(new String(call.body().orElseThrow()))
                        .endsWith("\"uid\":\"u\",\"resourceVersion\":\"7\"}}"));
    }

    @Test
    void what_was_written_is_known_before_the_watch_says_it() {
        report(target("u"), BLOCKED);
        now = START.plusSeconds(30);
        report(target("u"), BLOCKED);
        now = START.plusSeconds(31);
        report(target("u"), BLOCKED);
        assertThat(calls).as("said").hasSize(1);
        report(target("u"), Optional.empty());
        report(target("u", said("NodeNotJoined", "no Node")), Optional.empty());
        assertThat(calls).as("said and taken away").hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 503, MISFIT})
    void what_may_have_been_written_is_taken_away_though_the_watch_does_not_say_it_yet(int lost) {
        report(target("u"), BLOCKED);
        now = START.plus(AFTER);
        status = lost;
        report(target("u"), BLOCKED);
        status = 200;
        int attempts = lost == MISFIT ? 1 : 2;
        report(target("v"), Optional.empty());
        assertThat(calls).as("another object of that name").hasSize(1);
        report(target("u"), Optional.empty());
        assertThat(calls).hasSize(attempts);
        report(target("u"), Optional.empty());
        assertThat(calls).as("once").hasSize(attempts);
    }

    @Test
    void what_a_pause_holds_back_is_for_the_caller_to_say_again() {
        report(target("u"), BLOCKED);
        now = START.plus(AFTER);
        status = PAUSED;
        assertThatThrownBy(() -> report(target("u"), BLOCKED)).isInstanceOf(ApiFailure.Paused.class);
        status = 200;
        assertThat(report(target("u"), BLOCKED)).isZero();
        assertThat(calls).hasSize(1);
    }

    @Test
    void what_others_took_away_is_written_again() {
        report(target("u"), BLOCKED);
        now = START.plusSeconds(30);
        report(target("u"), BLOCKED);
        version = "10";
        report(target("u"), BLOCKED);
        assertThat(calls).hasSize(2);
    }

    @Test
    void another_object_of_the_same_name_is_not_blocked_because_the_one_before_was() {
        report(target("u"), BLOCKED);
        now = START.plusSeconds(29);
        assertThat(report(target("v"), BLOCKED)).isEqualTo(AFTER);
        conditions.forget(new ObjectId("Machine", new ObjectKey("ns", "m")));
        now = START.plusSeconds(58);
        assertThat(report(target("v"), BLOCKED)).isEqualTo(AFTER);
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 404, 405, 406, 422, MISFIT})
    void what_the_server_will_not_have_is_given_up(int refusal) {
        status = refusal;
        report(target("u"), BLOCKED);
        now = START.plus(AFTER);
        assertThat(report(target("u"), BLOCKED)).isZero();
        assertThat(calls).hasSize(1);
    }

    @Test
    void a_write_that_meets_a_newer_version_waits_until_the_watch_brings_it_and_holds_on_that() {
        report(target("u"), BLOCKED);
        now = START.plus(AFTER);
        status = 409;
        assertThat(report(target("u"), BLOCKED)).isPositive();
        status = 200;
        assertThat(report(target("u"), BLOCKED)).isPositive();
        assertThat(calls).as("would be refused again").hasSize(1);

        version = "9";
        assertThat(report(target("u"), BLOCKED)).isZero();
        assertThat(calls).hasSize(2);
        assertThat(new String(calls.getLast().body().orElseThrow())).contains("\"resourceVersion\":\"9\"");
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 429, 500, 503})
    void what_may_work_later_is_tried_later_and_stops_nobody(int failure) {
        status = failure;
        report(target("u"), BLOCKED);
        now = START.plus(AFTER);
        assertThat(report(target("u"), BLOCKED)).isPositive();
        status = 200;
        assertThat(report(target("u"), BLOCKED)).isZero();
        assertThat(calls).hasSize(2);
    }

    @Test
    void what_meets_the_end_of_a_version_is_written_in_the_next_and_tried_more_and_more_seldom() {
        resource = "v1beta1";
        report(target("u"), BLOCKED);
        now = START.plus(AFTER);
        status = UNSERVED;
        assertThat(report(target("u"), BLOCKED)).isBetween(Duration.ofSeconds(24), Duration.ofSeconds(36));
        assertThat(report(target("u"), BLOCKED)).isBetween(Duration.ofSeconds(48), Duration.ofSeconds(72));
        assertThat(new String(calls.getLast().body().orElseThrow()))
                .contains("\"status\":{\"v1beta2\":{\"conditions\"");
        resource = "v1beta2";
        status = 200;
        assertThat(report(target("u"), BLOCKED)).isZero();
        assertThat(calls.getLast().path()).contains("/v1beta2/");
        assertThat(new String(calls.getLast().body().orElseThrow())).contains("\"status\":{\"conditions\"");

        status = UNSERVED;
        assertThat(report(target("u"), Optional.empty())).as("it begins anew")
                .isBetween(Duration.ofSeconds(24), Duration.ofSeconds(36));
        assertThat(calls).hasSize(4);
    }

    @Test
    void what_yaml_has_no_place_for_is_left_out_and_a_long_message_is_cut() {
        String pair = "\uD83D\uDE00";
        Blocked blocked =
                new Blocked("NodeRejected", "denied " + pair + "\u0085\u007f\u2028\u202e \u00fc\n" + pair.repeat(2000));
        assertThat(blocked.message()).startsWith("denied ????? \u00fc\n??").hasSize(1024);
    }

    @Test
    void a_condition_of_another_name_is_neither_taken_for_this_one_nor_touched() {
        conditions = conditions(true).named("nodeward.io/Other");
        assertThat(report(target("u", said("NodeNotJoined", "no Node")), Optional.empty())).isZero();
        assertThat(calls).as("the other controller's").isEmpty();

        report(target("u"), BLOCKED);
        now = START.plus(AFTER);
        report(target("u"), BLOCKED);
        assertThat(calls).singleElement().satisfies(call -> assertThat(new String(call.body().orElseThrow()))
                .contains("\"type\":\"nodeward.io/Other\"").doesNotContain("nodeward.io/Blocked"));
    }

    @Test
    void a_dry_run_writes_nothing() {
        conditions = conditions(false);
        report(target("u", said("NodeNotJoined", "no Node")), Optional.empty());
        report(target("u"), BLOCKED);
        now = START.plus(AFTER);
        report(target("u"), BLOCKED);
        assertThat(calls).isEmpty();
    }

    private Duration report(Target target, Optional<Blocked> blocked) {
        return conditions.report(target, blocked, "controller");
    }

    private static Condition said(String reason, String message) {
        return new Condition(Conditions.TYPE, "True", reason, message, START);
    }

    private Target target(String uid, Condition... present) {
        return new Target(
                new Resource("cluster.x-k8s.io", resource, "machines", true),
                new Event.Regarding("cluster.x-k8s.io/" + resource, "Machine", new ObjectKey("ns", "m"), uid, version),
                List.of(present),
                false);
    }

    private final class Recording implements Transport {
        @Override
        public Response exchange(Request call) {
            if (status == PAUSED) {
                throw ApiFailure.paused(call.path(), "paused", over -> {});
            }
            calls.add(call);
            return new Response(Math.abs(status), Optional.empty(), new ByteArrayInputStream((switch (status) {
                case 404 -> "{\"kind\":\"Status\",\"reason\":\"NotFound\",\"code\":404}";
                case UNSERVED -> "404 page not found\n";
                case MISFIT -> NO_SUCH_FIELD;
                default -> "{\"metadata\":{\"resourceVersion\":\"8\"}}";
            }).getBytes()));
        }

        @Override
        public void close() {}
    }
}
