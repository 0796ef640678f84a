package io.nodeward.core.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.Status;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiFailureTest {
    @ParameterizedTest
    @CsvSource({
            "400, BadRequest, Rejected", "401, Unauthorized, Unauthorized", "403, Forbidden, Forbidden",
            "404, NotFound, NotFound", "404, '', NotServed", "405, MethodNotAllowed, NotServed",
            "406, NotAcceptable, NotServed",
            "409, Conflict, Conflict", "409, AlreadyExists, AlreadyExists", "410, Expired, Expired",
            "410, Gone, Expired",
            "413, RequestEntityTooLarge, Rejected", "415, UnsupportedMediaType, Rejected", "422, Invalid, Rejected",
            "429, TooManyRequests, Throttled", "500, InternalError, Unreachable",
            "503, ServiceUnavailable, Unreachable",
            "504, Timeout, Unreachable", "302, '', Rejected"
    })
    void every_answer_that_is_no_success_has_its_failure(int code, String reason, String failure) {
        ApiFailure made = ApiFailure.of(new Status(code, reason, "why", 0), "GET /x", Optional.empty());

        assertThat(made.getClass().getSimpleName()).isEqualTo(failure);
        assertThat(made.status().code()).isEqualTo(code);
        assertThat(made).hasMessageContaining("GET /x").hasMessageContaining("why");
    }

    @ParameterizedTest
    @CsvSource({
            "422, Invalid, the server rejected our request due to an error in our request, Conflict",
            "400, Invalid, the server rejected our request due to an error in our request, Rejected",
            "422, Invalid, Node is invalid: the server rejected our request due to an error in our request, Rejected"
    })
    void a_json_patch_that_does_not_fit_is_a_conflict(int code, String reason, String message, String failure) {
        ApiFailure made = ApiFailure.of(new Status(code, reason, message, 0), "PATCH /x", Optional.empty());

        assertThat(made.getClass().getSimpleName()).isEqualTo(failure);
    }

    @ParameterizedTest
    @CsvSource({"5, 0, 5", "'', 7, 7", "soon, 7, 7", "999999, 0, 120", "'', 999999, 120"})
    void the_wait_asked_for_is_honoured_within_reason(String header, int details, int seconds) {
        ApiFailure made = ApiFailure.of(
                new Status(429, "TooManyRequests", "", details), "GET /x",
                Optional.of(header).filter(h -> !h.isEmpty()));

        assertThat(((ApiFailure.Throttled) made).retryAfter()).contains(Duration.ofSeconds(seconds));
    }
}
