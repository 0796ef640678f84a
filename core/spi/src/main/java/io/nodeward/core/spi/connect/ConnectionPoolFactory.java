package io.nodeward.core.spi.connect;

import io.nodeward.api.json.kubeconfig.Access.ClientCertificate;
import java.util.Optional;

/**
 * Makes connections to a server.
 *
 * @param <P> a connection pool of the client library
 */
public interface ConnectionPoolFactory<P extends ConnectionPool> {
    /**
     * Connects to nothing yet.
     *
     * @param shown the client certificate that the server gets
     * @param streaming whether the pool is for lists and watches, read in few threads for long, or for the other calls,
     *     of which there are many at a time
     */
    P create(Optional<ClientCertificate> shown, boolean streaming);
}
