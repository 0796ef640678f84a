package io.nodeward.controller.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.json.kubeconfig.Access;
import io.nodeward.api.json.kubeconfig.AllowedServers;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.connect.AddressCheck;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolver.LookupPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CheckedResolverTest {
    private static final LookupPolicy ANY = LookupPolicy.of(LookupPolicy.IPV4 | LookupPolicy.IPV6);

    private final AtomicReference<List<String>> answer = new AtomicReference<>(List.of("127.0.0.1"));
    private final List<String> asked = new ArrayList<>();
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final InetAddressResolver resolver = new CheckedResolver(new Builtin(), now::get);

    private final class Builtin implements InetAddressResolver {
        @Override
        public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
            asked.add(host);
            if (answer.get().isEmpty()) {
                throw new UnknownHostException(host);
            }
            return answer.get().stream().map(CheckedResolverTest::address);
        }

        @Override
        public String lookupByAddress(byte[] address) {
            throw new IllegalStateException("a DNS server would be asked");
        }
    }

    @Test
    void only_a_lookup_for_a_secret_is_checked_whoever_asked_for_the_name_before() throws Exception {
        assertThat(lookup("a")).containsExactly("127.0.0.1");
        assertThat(forSecret(() -> lookup("a"))).isEmpty();
        assertThat(lookup("a")).containsExactly("127.0.0.1");
        assertThat(forSecret(() -> lookup("b"))).isEmpty();
        assertThat(lookup("b")).containsExactly("127.0.0.1");
        assertThat(asked).containsExactly("a", "b");
    }

    @Test
    void all_addresses_of_a_name_are_checked() throws Exception {
        answer.set(List.of("10.0.0.1", "10.0.0.2"));
        assertThat(forSecret(() -> lookup("good"))).containsExactly("10.0.0.1", "10.0.0.2");
        answer.set(List.of("10.0.0.1", "169.254.169.254"));
        assertThat(forSecret(() -> lookup("mixed"))).isEmpty();
    }

    @Test
    void a_name_is_resolved_again_after_thirty_seconds_and_after_a_failure() throws Exception {
        lookup("a");
        answer.set(List.of("10.0.0.1"));
        now.addAndGet(Duration.ofSeconds(30).toNanos() - 1);
        assertThat(lookup("a")).containsExactly("127.0.0.1");
        now.addAndGet(1);
        assertThat(lookup("a")).containsExactly("10.0.0.1");
        answer.set(List.of());
        assertThatThrownBy(() -> lookup("b")).isInstanceOf(UnknownHostException.class);
        answer.set(List.of("10.0.0.2"));
        assertThat(lookup("b")).containsExactly("10.0.0.2");
    }

    @Test
    void no_server_is_asked_for_the_name_of_an_address() {
        assertThatThrownBy(() -> resolver.lookupByAddress(new byte[4])).isInstanceOf(UnknownHostException.class);
    }

    // Of localhost the JVM answers the loopback address by itself if its resolver throws.
    @Test
    void the_jvm_asks_this_resolver() throws Exception {
        assertThat(InetAddress.getByName("localhost").isLoopbackAddress()).isTrue();
        assertThatThrownBy(() -> forSecret(() -> InetAddress.getByName("localhost")))
                .isInstanceOf(UnknownHostException.class);
        assertThat(InetAddress.getByName("localhost").isLoopbackAddress()).isTrue();
    }

    private List<String> lookup(String host) throws UnknownHostException {
        try (Stream<InetAddress> found = resolver.lookupByName(host, ANY)) {
            return found.map(InetAddress::getHostAddress).toList();
        }
    }

    /** As the JDK's HTTP client of a kubeconfig Secret does. */
    private static <T> T forSecret(Callable<T> task) throws Exception {
        String kubeconfig = """
                clusters: [{name: c, cluster: {server: 'https://a'}}]
                users: [{name: u, user: {token: t}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                current-context: x
                """;
        ClusterAccess access = new ClusterAccess(kubeconfig, Optional.empty(), "test", AllowedServers.UNRESERVED);
        AddressCheck check = AddressCheck.of(access, Access.of(kubeconfig, Optional.empty()));
        List<Callable<T>> outcome = new ArrayList<>();
        check.over(Runnable::run).execute(() -> {
            try {
                T value = task.call();
                outcome.add(() -> value);
            } catch (Exception e) {
                outcome.add(() -> {
                    throw e;
                });
            }
        });
        return outcome.getFirst().call();
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
