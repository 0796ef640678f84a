package io.nodeward.controller.app;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The names of {@link ResolvedHostsMain}, resolved as the controller resolves names. */
public final class NamedHosts extends InetAddressResolverProvider {
    private static final Map<String, List<String>> HOSTS = Map.of(
            "localhost", List.of("127.0.0.1"),
            "local.example.test", List.of("127.0.0.1"),
            "inside.example.test", List.of("127.0.0.2"),
            "both.example.test", List.of("127.0.0.1", "127.0.0.2"),
            "metadata.example.test", List.of("169.254.169.254"));

    @Override
    public InetAddressResolver get(Configuration configuration) {
        return CheckedResolverProvider.checked(new InetAddressResolver() {
            @Override
            public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
                if (!HOSTS.containsKey(host)) {
                    throw new UnknownHostException(host);
                }
                return HOSTS.get(host).stream().map(NamedHosts::address);
            }

            @Override
            public String lookupByAddress(byte[] address) throws UnknownHostException {
                return configuration.builtinResolver().lookupByAddress(address);
            }
        });
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Override
    public String name() {
        return "hosts of a test";
    }
}
