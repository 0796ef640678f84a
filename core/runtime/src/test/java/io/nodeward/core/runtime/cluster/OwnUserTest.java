package io.nodeward.core.runtime.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnUserTest implements Transport {
    private final List<String> requests = new ArrayList<>();
    private String answer = "";

    @Override
    public Response exchange(Request request) {
        requests.add(request.method() + " " + request.path());
        return new Response(201, Optional.empty(), new ByteArrayInputStream(answer.getBytes(UTF_8)));
    }

    @Override
    public void close() {}

    @Test
    void the_server_is_asked_once() {
        answer = "{\"status\":{\"userInfo\":{\"username\":\"me\"}}}";
        try (Timers timers = new Timers()) {
            OwnUser user = new OwnUser(new HomeCluster(new ApiServer(this), timers));
            assertThat(user.name()).isEqualTo("me");
            assertThat(user.name()).isEqualTo("me");
            assertThat(requests).containsExactly("POST /apis/authentication.k8s.io/v1/selfsubjectreviews");
        }
    }

    /** Then it is asked again: who takes an empty name for its own would not be exempt anywhere. */
    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"status\":{\"userInfo\":{\"username\":\"\"}}}", "{\"status\":["})
    void an_answer_without_a_name_is_none(String other) {
        answer = other;
        try (Timers timers = new Timers()) {
            OwnUser user = new OwnUser(new HomeCluster(new ApiServer(this), timers));
            assertThatThrownBy(user::name).isInstanceOf(ApiFailure.Unreachable.class)
                    .hasMessageContaining("the answer has no status.userInfo.username");
            answer = "{\"status\":{\"userInfo\":{\"username\":\"me\"}}}";
            assertThat(user.name()).isEqualTo("me");
        }
    }
}
