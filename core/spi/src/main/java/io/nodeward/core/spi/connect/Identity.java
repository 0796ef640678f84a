package io.nodeward.core.spi.connect;

import io.nodeward.api.json.kubeconfig.Access.ClientCertificate;
import java.util.List;
import java.util.Optional;

/**
 * Who asks, for one call.
 *
 * @param headers to send with it, besides the call's own
 * @param certificate to show the server on TLS
 */
public record Identity(List<Header> headers, Optional<ClientCertificate> certificate) {
    /** Never shows its value. */
    public record Header(String name, String value) {
        @Override
        public String toString() {
            return name;
        }
    }
}
