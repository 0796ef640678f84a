package io.nodeward.core.spi.connect;

import io.nodeward.api.json.kubeconfig.Access;
import io.nodeward.api.json.kubeconfig.AllowedServers;
import io.nodeward.core.spi.ClusterAccess;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Checks the addresses that the host of one kubeconfig leads to. A client library that lets its user resolve names calls
 * {@link #require}. The JDK's HTTP client asks the resolver of the JVM instead, which finds out by {@link #current} for
 * which kubeconfig it resolves a name.
 */
public final class AddressCheck {
    private static final ThreadLocal<@Nullable AddressCheck> CURRENT = new ThreadLocal<>();

    private final AllowedServers servers;
    private final String field;
    private volatile boolean refused;

    private AddressCheck(AllowedServers servers, String field) {
        this.servers = servers;
        this.field = field;
    }

    /**
     * Returns the check of what {@code access} names: the proxy, or else the server.
     *
     * @param read what the kubeconfig of {@code access} says
     * @throws IllegalArgumentException if its host is an address that is refused, which no resolver would be asked about
     */
    public static AddressCheck of(ClusterAccess access, Access read) {
        AllowedServers servers = access.file().isPresent() ? AllowedServers.ALL : access.servers();
        String field = read.proxy().isPresent() ? "cluster.proxy-url" : "cluster.server";
        String host = read.proxy().map(Access.Proxy::host).orElse(URI.create(read.server()).getHost());
        if (!servers.allow(host)) {
            throw new IllegalArgumentException(field + " has a host that is not allowed (--cluster-servers)");
        }
        return new AddressCheck(servers, field);
    }

    /**
     * Returns normally if a connection to each of these addresses is allowed.
     *
     * @throws RefusedAddressException if one is refused
     */
    public void require(List<InetAddress> addresses) throws RefusedAddressException {
        if (!allows(addresses)) {
            throw new RefusedAddressException(field);
        }
    }

    /** Returns whether a connection to each of these addresses is allowed. */
    public boolean allows(List<InetAddress> addresses) {
        refused = !addresses.stream().allMatch(servers::open);
        return !refused;
    }

    /** Returns the failure of a connection: a refusal, if the last call of {@link #allows} refused an address. */
    public Throwable explain(Throwable failure) {
        return refused ? new RefusedAddressException(field) : failure;
    }

    /** Returns an executor in whose tasks names are resolved under this check. */
    public Executor over(Executor executor) {
        return task -> executor.execute(() -> run(task));
    }

    private void run(Runnable task) {
        AddressCheck before = CURRENT.get();
        CURRENT.set(this);
        try {
            task.run();
        } finally {
            CURRENT.set(before);
        }
    }

    /** Returns the check of the calling thread; empty if names may lead anywhere. */
    public static Optional<AddressCheck> current() {
        return Optional.ofNullable(CURRENT.get());
    }
}
