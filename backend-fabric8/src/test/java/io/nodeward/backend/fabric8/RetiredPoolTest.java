package io.nodeward.backend.fabric8;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.json.kubeconfig.Access;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.connect.AddressCheck;
import io.nodeward.core.spi.connect.ConnectionPools;
import io.nodeward.core.spi.connect.Tls;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Another request may retire a pool between the moment that this one gets it and the moment that it uses it. */
class RetiredPoolTest {
    private final List<JdkHttpPool> pools = new ArrayList<>();

    @Test
    void a_read_goes_to_the_next_pool_and_a_write_to_its_caller() throws Exception {
        try (FakeApiServer server = FakeApiServer.start(Options.defaults());
                Fabric8Transport transport = transport(server)) {
            assertThatThrownBy(() -> transport.exchange(call("PATCH"))).isInstanceOf(ApiFailure.Unreachable.class);
            try (Response read = transport.exchange(call("GET"))) {
                assertThat(read.status()).isEqualTo(200);
            }
            assertThat(pools).as("two at first").hasSize(3);
        }
    }

    private Fabric8Transport transport(FakeApiServer server) {
        ClusterAccess from = new ClusterAccess(server.kubeconfig(), Optional.empty(), "test");
        Access access = Access.of(from.kubeconfig(), from.file());
        return new Fabric8Transport(ConnectionPools.of(access, "test", InstantSource.system(),
                (certificate, streaming) -> pool(ClientSettings.of(
                        access, Tls.trust(access.trust()), Tls.keys(certificate), AddressCheck.of(from, access)))));
    }

    private JdkHttpPool pool(ClientSettings settings) {
        JdkHttpPool pool = new JdkHttpPool(settings, true);
        if (pools.isEmpty()) {
            pool.retire();
        }
        pools.add(pool);
        return pool;
    }

    private static Request call(String method) {
        return new Request(method, "/version", Map.of(), Optional.empty(), Duration.ofMinutes(1), false);
    }
}
