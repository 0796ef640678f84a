package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ListOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

abstract class ProxyTopic extends TransportTopic {
    private static final String TOKEN = "s3cr3t-t0-th3-pr0xy";

    // Only the proxy knows where the name leads, so that whoever gets an answer went through it.
    @Test
    void an_https_server_is_reached_through_a_tunnel_whose_keeper_sees_no_credential() throws Exception {
        TlsServer server = closing(new TlsServer());
        ForwardProxy proxy = closing(new ForwardProxy(server.port()));
        ApiServer api = api(kubeconfig("https://cluster.contract.test:6443", proxy.url()));
        assertThat(api.get("/version")).asString().isEqualTo("anonymous");
        assertThat(proxy.heads()).hasSize(1).allSatisfy(head -> assertThat(head)
                .startsWith("CONNECT cluster.contract.test:6443 HTTP/1.1")
                .doesNotContain(TOKEN));
    }

    @Test
    void an_http_server_is_asked_for_by_its_whole_url() throws IOException {
        FaultyServer server = faulty(Replying.with(200, "{}"));
        ForwardProxy proxy = closing(new ForwardProxy(server.port()));
        api(kubeconfig("http://cluster.contract.test:8080/at", proxy.url())).get("/version");
        assertThat(proxy.heads().getFirst()).startsWith("GET http://cluster.contract.test:8080/at/version HTTP/1.1");
        assertThat(server.requests().getFirst().target()).isEqualTo("/at/version");
        assertThat(server.requests().getFirst().headers()).containsEntry("authorization", "Bearer " + TOKEN);
    }

    @Test
    void nothing_goes_past_a_proxy_that_is_down() throws Exception {
        int down;
        try (ServerSocket closedSoon = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            down = closedSoon.getLocalPort();
        }
        FaultyServer plain = faulty(Replying.with(200, "{}"));
        TlsServer tls = closing(new TlsServer());
        for (String server : List.of("http://127.0.0.1:" + plain.port(), "https://127.0.0.1:" + tls.port())) {
            ApiServer api = api(kubeconfig(server, "http://127.0.0.1:" + down));
            assertThatThrownBy(() -> api.get("/version")).isInstanceOf(ApiFailure.Unreachable.class);
            assertThatThrownBy(() -> api.watch(NODES, "", ListOptions.page("", 0, "")))
                    .isInstanceOf(ApiFailure.Unreachable.class);
        }
        assertThat(plain.requests()).isEmpty();
        assertThat(tls.requests()).isZero();
    }

    // What the keeper of the tunnel says is not the cluster's word: a 403 of his forbids nobody anything.
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"403 Forbidden", "407 Proxy Authentication Required", "502 Bad Gateway", "503 Busy"})
    void a_tunnel_that_is_refused_is_an_unreachable_server(String refusal) throws IOException {
        ForwardProxy proxy = closing(ForwardProxy.refusing(refusal));
        ApiServer api = api(kubeconfig("https://cluster.contract.test:6443", proxy.url()));
        assertThatThrownBy(() -> api.get("/version")).isInstanceOf(ApiFailure.Unreachable.class);
        assertThatThrownBy(() -> api.patch(NODES, nobody(), merge("{}"))).isInstanceOf(ApiFailure.Unreachable.class);
        assertThat(proxy.heads()).allSatisfy(head -> assertThat(head).startsWith("CONNECT").doesNotContain(TOKEN));
    }

    @Test
    void a_kubeconfig_without_a_proxy_uses_none_whatever_the_jvm_is_set_to() throws IOException {
        FaultyServer server = faulty(Replying.with(200, "{}"));
        ForwardProxy proxy = closing(new ForwardProxy(server.port()));
        ProxySelector before = ProxySelector.getDefault();
        ProxySelector.setDefault(always(URI.create(proxy.url())));
        try {
            ApiServer api = api(server.kubeconfig(TOKEN));
            api.get("/version");
            api.watch(NODES, "", ListOptions.page("", 0, "")).close();
        } finally {
            ProxySelector.setDefault(before);
        }
        assertThat(proxy.heads()).isEmpty();
        assertThat(server.requests()).hasSize(2);
    }

    private static ProxySelector always(URI proxy) {
        InetSocketAddress address = new InetSocketAddress(proxy.getHost(), proxy.getPort());
        return new ProxySelector() {
            @Override
            public List<Proxy> select(URI uri) {
                return List.of(new Proxy(Proxy.Type.HTTP, address));
            }

            @Override
            public void connectFailed(URI uri, SocketAddress to, IOException failure) {}
        };
    }

    private String kubeconfig(String server, String proxy) throws IOException {
        String authority = TlsServer.base64("authority.crt");
        String cluster = "server: '%s', proxy-url: '%s'".formatted(server, proxy);
        return Kubeconfigs.with(
                server.startsWith("https:") ? cluster + ", certificate-authority-data: " + authority : cluster,
                "token: " + TOKEN);
    }
}
