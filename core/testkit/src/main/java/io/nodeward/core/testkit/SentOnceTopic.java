package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.DeleteOptions;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.PatchOptions;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

abstract class SentOnceTopic extends TransportTopic {
    private static final ObjectKey A = ObjectKey.clusterScoped("a");

    @ParameterizedTest(name = "status {0}")
    @ValueSource(ints = {401, 408, 409, 429, 500, 502, 503, 504})
    void a_call_that_fails_is_not_sent_again(int status) throws IOException {
        FaultyServer server = faulty(Replying.with(status, "Retry-After: 0\r\n", ""));
        ApiServer api = api(server.kubeconfig("t"));
        assertThat(catchThrowable(() -> api.get(NODES, A))).isNotNull();
        assertThat(catchThrowable(() -> api.patch(NODES, A, merge("{}")))).isNotNull();
        assertThat(catchThrowable(() -> api.watch(NODES, "", ListOptions.page("", 0, "")))).isNotNull();
        assertThat(server.requests()).extracting(FaultyServer.Request::method).containsExactly("GET", "PATCH", "GET");
    }

    // The server may have done it: only the caller knows what to do then.
    @Test
    void a_write_whose_answer_was_cut_is_not_sent_again() throws IOException {
        FaultyServer server = faulty(Replying.nothing());
        ApiServer api = api(server.kubeconfig("t"));
        assertThat(catchThrowable(() -> api.patch(NODES, A, merge("{}")))).isNotNull();
        assertThat(catchThrowable(() -> api.create(NODES, "", bytes("{}"), WRITER))).isNotNull();
        assertThat(catchThrowable(() -> api.delete(NODES, A))).isNotNull();
        assertThat(server.requests())
                .extracting(FaultyServer.Request::method)
                .containsExactly("PATCH", "POST", "DELETE");
    }

    // Servers close idle connections whenever they like; HTTP lets a client repeat a read that ran into that.
    @Test
    void a_read_whose_connection_closed_before_any_answer_is_sent_once_more_at_most() throws IOException {
        FaultyServer server = faulty(Replying.nothing());
        ApiServer api = api(server.kubeconfig("t"));
        assertThat(catchThrowable(() -> api.get(NODES, A))).isNotNull();
        assertThat(server.requests()).hasSizeBetween(1, 2);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"PATCH", "POST", "DELETE"})
    void a_write_over_a_connection_that_was_good_before_is_not_sent_again_either(String method) throws IOException {
        FaultyServer server =
                faulty(Replying.each(Replying.with(200, "{}"), Replying.nothing(), Replying.with(200, "{}")));
        ApiServer api = api(server.kubeconfig("t"));
        api.get("/version");
        assertThat(catchThrowable(() -> {
            switch (method) {
                case "PATCH" -> api.patch(NODES, A, merge("{}"));
                case "POST" -> api.create(NODES, "", bytes("{}"), WRITER);
                default -> api.delete(NODES, A);
            }
        })).isInstanceOf(ApiFailure.Unreachable.class);
        assertThat(server.requests()).extracting(FaultyServer.Request::method).containsExactly("GET", method);
    }

    @Test
    void a_read_over_a_connection_that_was_good_before_may_be_sent_once_more() throws IOException {
        FaultyServer server =
                faulty(Replying.each(Replying.with(200, "{}"), Replying.nothing(), Replying.with(200, "{}")));
        ApiServer api = api(server.kubeconfig("t"));
        api.get("/version");
        Throwable failure = catchThrowable(() -> api.get(NODES, A));
        assertThat(server.requests()).hasSize(failure == null ? 3 : 2);
    }

    @Test
    void a_read_whose_answer_was_cut_is_not_sent_again() throws IOException {
        FaultyServer server = faulty(Replying.cut(200, "{"));
        ApiServer api = api(server.kubeconfig("t"));
        assertThat(catchThrowable(() -> api.get(NODES, A))).isNotNull();
        assertThat(server.requests()).hasSize(1);
    }

    @ParameterizedTest(name = "status {0}")
    @ValueSource(ints = {301, 302, 307, 308})
    void a_redirect_is_an_answer_and_nobody_is_asked_there(int status) throws IOException {
        FaultyServer elsewhere = faulty(Replying.with(200, "{}"));
        String location = "Location: http://127.0.0.1:" + elsewhere.port() + "/api/v1/nodes/a\r\n";
        FaultyServer server = faulty(Replying.with(status, location, ""));
        ApiServer api = api(server.kubeconfig("t"));
        assertThat(catchThrowable(() -> api.get(NODES, A))).isNotNull();
        assertThat(server.requests()).hasSize(1);
        assertThat(elsewhere.requests()).isEmpty();
    }

    @Test
    void options_of_patches_creations_and_lists_reach_the_server_as_given() throws IOException {
        FaultyServer server = faulty(Replying.with(200, "{}"));
        ApiServer api = api(server.kubeconfig("t"));
        Patch patch = Patch.apply(bytes("{}"), "a&b", true);
        PatchOptions all = PatchOptions.NONE.withDryRun().withWholeObject()
                .withFieldValidation(PatchOptions.FieldValidation.STRICT);
        api.patch(NODES, A, patch, PatchOptions.NONE);
        api.patch(NODES, A, patch, all);
        api.create(NODES, "", bytes("{}"), "a&b", PatchOptions.NONE);
        api.create(NODES, "", bytes("{}"), "a&b", all);
        api.page(NODES, "", ListOptions.page("a in (b)", 7, "").withFieldSelector("spec.unschedulable!=true")
                .withContinueToken("t="));
        assertThat(server.requests()).extracting(FaultyServer.Request::target).containsExactly(
                "/api/v1/nodes/a?fieldManager=a%26b&force=true",
                "/api/v1/nodes/a?dryRun=All&fieldManager=a%26b&fieldValidation=Strict&force=true",
                "/api/v1/nodes?fieldManager=a%26b",
                "/api/v1/nodes?dryRun=All&fieldManager=a%26b&fieldValidation=Strict",
                "/api/v1/nodes?continue=t%3D&fieldSelector=spec.unschedulable%21%3Dtrue&labelSelector=a%20in%20%28b%29"
                        + "&limit=7");
        assertThat(server.requests()).<String>extracting(request -> request.headers().get("accept")).containsExactly(
                ApiServer.METADATA_ONLY, "application/json", ApiServer.METADATA_ONLY, "application/json",
                "application/json");
    }

    @Test
    void body_content_type_and_field_manager_reach_the_server_as_given() throws IOException {
        FaultyServer server = faulty(Replying.with(200, "{}"));
        String body = "{\"metadata\":{\"annotations\":{\"a\":\"snow \u2603\"}}}";
        Patch patch = Patch.merge(bytes(body), "controller a&b");
        api(server.kubeconfig("t")).patch(NODES, ObjectKey.clusterScoped("a"), patch);
        FaultyServer.Request request = server.requests().getFirst();
        assertThat(request.method()).isEqualTo("PATCH");
        assertThat(request.target()).isEqualTo("/api/v1/nodes/a?fieldManager=controller%20a%26b");
        assertThat(request.headers()).containsEntry("content-type", "application/merge-patch+json");
        assertThat(request.body()).isEqualTo(body);
    }

    @Test
    void what_a_deletion_holds_on_reaches_the_server_as_given_and_without_it_there_is_no_body() throws IOException {
        FaultyServer server = faulty(Replying.with(200, "{}"));
        ApiServer api = api(server.kubeconfig("t"));
        api.delete(NODES, A);
        api.delete(NODES, A, new DeleteOptions("u-1", "7", DeleteOptions.FOREGROUND));
        assertThat(server.requests()).extracting(FaultyServer.Request::target).containsOnly("/api/v1/nodes/a");
        assertThat(server.requests()).extracting(FaultyServer.Request::body).containsExactly("",
                "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\",\"propagationPolicy\":\"Foreground\","
                        + "\"preconditions\":{\"uid\":\"u-1\",\"resourceVersion\":\"7\"}}");
        assertThat(server.requests().getFirst().headers()).doesNotContainKey("content-type");
        assertThat(server.requests().getLast().headers()).containsEntry("content-type", "application/json");
    }

    @Test
    void nothing_is_sent_before_the_first_call() throws Exception {
        FaultyServer server = faulty(Replying.with(200, "{}"));
        ApiServer api = api(server.kubeconfig("t"));
        api.get("/version");
        assertThat(server.requests()).extracting(FaultyServer.Request::target).containsExactly("/version");
    }
}
