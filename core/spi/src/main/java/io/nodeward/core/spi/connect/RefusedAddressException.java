package io.nodeward.core.spi.connect;

import java.net.UnknownHostException;

/**
 * A kubeconfig from a Secret names a host whose name leads to an address that is not allowed. The message names the field
 * of the kubeconfig, and neither the host nor an address.
 */
public final class RefusedAddressException extends UnknownHostException {
    RefusedAddressException(String field) {
        super(field + " leads to an address that is not allowed (--cluster-servers)");
    }
}
