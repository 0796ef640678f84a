package io.nodeward.controller.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DebugHandlerTest {
    @ParameterizedTest
    @ValueSource(strings = {"/debug/threads", "/debug/heap", "/debug/recording", "/debug/recording?seconds=1",
            "/debug/recording?seconds=300"})
    void what_there_is_may_be_asked_for(String uri) {
        assertThat(DebugHandler.denied(InetAddress.getLoopbackAddress(), "GET", URI.create(uri))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"GET,/debug/,404", "GET,/debug/environment,404", "GET,/debug/threads/,404",
            "GET,/debug/recording?seconds=0,404", "GET,/debug/recording?seconds=301,404",
            "GET,/debug/recording?seconds=99999999999,404", "GET,/debug/recording?seconds=-1,404",
            "GET,/debug/recording?minutes=1,404", "POST,/debug/threads,405"})
    void nothing_else_is(String method, String uri, int code) {
        assertThat(DebugHandler.denied(InetAddress.getLoopbackAddress(), method, URI.create(uri)))
                .hasValueSatisfying(denied -> assertThat(denied.code()).isEqualTo(code));
    }

    @Test
    void nobody_sends_a_token_over_the_network() throws UnknownHostException {
        assertThat(DebugHandler.denied(InetAddress.getByName("192.0.2.1"), "GET", URI.create("/debug/threads")))
                .hasValueSatisfying(denied -> assertThat(denied.message()).contains("port-forward"));
    }
}
