package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

abstract class FailureTopic extends TransportTopic {
    private static final ObjectKey A = ObjectKey.clusterScoped("a");

    @ParameterizedTest(name = "{0} {1} is {3}")
    @CsvSource(delimiter = '|', textBlock = """
            301 |                       | moved                                              | Rejected
            400 | BadRequest            | no                                                 | Rejected
            401 | Unauthorized          | Unauthorized                                       | Unauthorized
            403 | Forbidden             | not allowed                                        | Forbidden
            404 | NotFound              | nodes a not found                                  | NotFound
            404 | NotFound              | the server could not find the requested resource   | NotServed
            405 | MethodNotAllowed      | no                                                 | NotServed
            406 | NotAcceptable         | no                                                 | NotServed
            409 | Conflict              | modified                                           | Conflict
            409 | AlreadyExists         | there                                              | AlreadyExists
            410 | Expired               | too old                                            | Expired
            410 | Gone                  | too old                                            | Expired
            413 | RequestEntityTooLarge | no                                                 | Rejected
            415 | UnsupportedMediaType  | no                                                 | Rejected
            422 | Invalid               | no                                                 | Rejected
            429 | TooManyRequests       | slower                                             | Throttled
            500 | InternalError         | no                                                 | Unreachable
            502 |                       | no                                                 | Unreachable
            503 | ServiceUnavailable    | no                                                 | Unreachable
            504 | Timeout               | no                                                 | Unreachable
            """)
    void an_answer_that_is_no_success_is_a_failure_with_its_status(int code, String reason, String message, String type)
            throws IOException {
        String sent = reason == null ? "" : reason;
        ApiServer api = api(faulty(Replying.status(code, sent, message)).kubeconfig("t"));
        for (ApiFailure failure : List.of(
                failure(() -> api.get(NODES, A)),
                failure(() -> api.patch(NODES, A, merge("{}"))),
                failure(() -> api.create(NODES, "", bytes("{}"), WRITER)),
                failure(() -> api.delete(NODES, A)),
                failure(() -> api.list(NODES, "", ListOptions.page("", 0, ""))),
                failure(() -> api.watch(NODES, "", ListOptions.watchFrom("", "7", Duration.ofMinutes(5)))))) {
            assertThat(failure.getClass().getSimpleName()).isEqualTo(type);
            assertThat(failure.status().code()).isEqualTo(code);
            assertThat(failure.status().reason()).isEqualTo(sent);
            assertThat(failure.status().message()).isEqualTo(message);
        }
    }

    @Test
    void a_404_in_plain_text_is_not_served() throws IOException {
        ApiServer api = api(faulty(Replying.with(404, "404 page not found\n")).kubeconfig("t"));
        assertThat(failure(() -> api.get(NODES, A))).isInstanceOf(ApiFailure.NotServed.class);
    }

    @Test
    void a_proxys_page_is_told_in_its_own_words_but_not_all_of_them() throws IOException {
        ApiServer api = api(faulty(Replying.with(503, "<html>upstream is down " + "x".repeat(10_000))).kubeconfig("t"));
        ApiFailure failure = failure(() -> api.get(NODES, A));
        assertThat(failure).isInstanceOf(ApiFailure.Unreachable.class).hasMessageContaining("upstream is down");
        assertThat(failure.getMessage()).hasSizeLessThan(1000);
    }

    @Test
    void how_long_to_wait_is_taken_from_the_header_or_the_status() throws IOException {
        String status = Replying.statusJson(429, "TooManyRequests", "slower");
        String withDetails = status.replace("\"code\"", "\"details\":{\"retryAfterSeconds\":9},\"code\"");
        ApiServer byHeader = api(faulty(Replying.with(429, "Retry-After: 7\r\n", status)).kubeconfig("t"));
        ApiServer byStatus = api(faulty(Replying.with(429, withDetails)).kubeconfig("t"));
        assertThat(retryAfter(byHeader)).contains(Duration.ofSeconds(7));
        assertThat(retryAfter(byStatus)).contains(Duration.ofSeconds(9));
    }

    @Test
    void no_answer_is_unreachable() throws IOException {
        ApiServer api = api(faulty(Replying.nothing()).kubeconfig("t"));
        assertUnanswered(failure(() -> api.patch(NODES, A, merge("{}"))));
        assertUnanswered(failure(() -> api.watch(NODES, "", ListOptions.page("", 0, ""))));
    }

    @Test
    void a_cut_answer_is_unreachable_not_a_shorter_one() throws IOException {
        ApiServer api = api(faulty(Replying.cut(200, "{\"kind\":\"Node\"}")).kubeconfig("t"));
        assertUnanswered(failure(() -> api.get(NODES, A)));
        assertUnanswered(failure(() -> api.page(NODES, "", ListOptions.page("", 0, ""))));
        assertUnanswered(failure(() -> api.patch(NODES, A, merge("{}"))));
    }

    @Test
    void a_list_cut_in_the_middle_is_an_ioexception_not_a_shorter_list() throws Exception {
        FaultyServer server = faulty(Replying.cut(200, "{\"items\":[{\"metadata\":{\"name\":\"first\"}}"));
        Response answer = closing(api(server.kubeconfig("t")).list(NODES, "", ListOptions.page("", 0, "")));
        assertThatThrownBy(() -> answer.body().readAllBytes()).isInstanceOf(IOException.class);
    }

    @Test
    void a_cut_failure_is_unreachable_too() throws IOException {
        ApiServer api = api(faulty(Replying.cut(403, "{\"reason\":\"Forbid")).kubeconfig("t"));
        assertThat(failure(() -> api.get(NODES, A))).isInstanceOf(ApiFailure.Unreachable.class);
    }

    @Test
    void a_refused_connection_is_unreachable() throws IOException {
        int port;
        try (ServerSocket closedSoon = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closedSoon.getLocalPort();
        }
        ApiServer api = api(Kubeconfigs.of("http://127.0.0.1:" + port, "token: t"));
        ApiFailure failure = failure(() -> api.get(NODES, A));
        assertUnanswered(failure);
        assertThat(failure).hasMessageContaining("refused");
    }

    @Test
    void a_host_that_does_not_exist_is_unreachable() {
        ApiServer api = api(Kubeconfigs.of("https://nobody.invalid:6443", "token: t"));
        assertUnanswered(failure(() -> api.get(NODES, A)));
    }

    @Test
    void a_server_that_speaks_no_tls_is_unreachable() throws IOException {
        FaultyServer server = faulty(Replying.nothing());
        ApiServer api = api(Kubeconfigs.of("https://127.0.0.1:" + server.port(), "token: t"));
        assertUnanswered(failure(() -> api.get(NODES, A)));
    }

    private static void assertUnanswered(ApiFailure failure) {
        assertThat(failure).isInstanceOf(ApiFailure.Unreachable.class);
        assertThat(failure.status().code()).isZero();
        assertThat(failure.status().message()).isNotBlank();
    }

    private Optional<Duration> retryAfter(ApiServer api) {
        return ((ApiFailure.Throttled) failure(() -> api.get(NODES, A))).retryAfter();
    }

    private static ApiFailure failure(ThrowingCallable call) {
        return catchThrowableOfType(ApiFailure.class, call);
    }
}
