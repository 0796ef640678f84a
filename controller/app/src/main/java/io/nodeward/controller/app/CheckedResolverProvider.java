package io.nodeward.controller.app;

import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.security.Security;

/**
 * Resolves names for the JDK's HTTP client, which the backend {@code fabric8} uses and which asks nobody else: a name that
 * a kubeconfig Secret gives leads to no address that is refused. All other names are resolved as ever. The JVM finds this
 * class as a service; it is part of no library, since a JVM has one resolver.
 */
public final class CheckedResolverProvider extends InetAddressResolverProvider {
    /** For {@link java.util.ServiceLoader}. */
    public CheckedResolverProvider() {}

    @Override
    public InetAddressResolver get(Configuration configuration) {
        return checked(configuration.builtinResolver());
    }

    /** Returns the resolver of the JVM, which asks another one. */
    static InetAddressResolver checked(InetAddressResolver resolver) {
        // The JVM's own cache knows hosts only. It would give a Secret's host an unchecked address that another host's
        // lookup has found, and would give the failure of a checked lookup to the home cluster.
        Security.setProperty("networkaddress.cache.ttl", "0");
        Security.setProperty("networkaddress.cache.negative.ttl", "0");
        return new CheckedResolver(resolver, System::nanoTime);
    }

    @Override
    public String name() {
        return "nodeward";
    }
}
