package io.nodeward.backend.fabric8;

import io.fabric8.kubernetes.client.Config;
import io.nodeward.api.json.kubeconfig.PemKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.util.Base64;

/**
 * The client's private key in a form fabric8 reads: it takes the first PEM block, whatever that holds, takes a PKCS#8
 * key for RSA, and believes the lengths in any other.
 */
final class ClientKey {
    private ClientKey() {}

    /** The same config, with the key alone as data and its algorithm named. */
    static Config readable(Config config) throws IOException {
        byte[] pem = Tls.data(config.getClientKeyData(), config.getClientKeyFile());
        if (pem == null) {
            return config;
        }
        PrivateKey key = PemKey.read("client-key", pem);
        byte[] pkcs8 = PemKey.written(key).getBytes(StandardCharsets.US_ASCII);
        config.setClientKeyAlgo(key.getAlgorithm());
        config.setClientKeyData(Base64.getEncoder().encodeToString(pkcs8));
        return config;
    }
}
