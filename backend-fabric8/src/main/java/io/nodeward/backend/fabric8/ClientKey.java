package io.nodeward.backend.fabric8;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The client's private key in a form fabric8 reads: it takes the first PEM block, whatever that holds, and takes a
 * PKCS#8 key for RSA.
 */
final class ClientKey {
    private static final Pattern BLOCK = Pattern.compile(
            "-----BEGIN ((?:[A-Z]+ )?)PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END \\1PRIVATE KEY-----");

    private ClientKey() {}

    /** The same config, with the key alone as data and its algorithm named. */
    static Config readable(Config config) throws IOException {
        byte[] pem = Tls.data(config.getClientKeyData(), config.getClientKeyFile());
        if (pem == null) {
            return config;
        }
        Matcher block = BLOCK.matcher(new String(pem, StandardCharsets.US_ASCII));
        if (!block.find()) {
            throw new IllegalArgumentException("client-key holds no private key in PEM");
        }
        config.setClientKeyAlgo(algorithm(block.group(1).strip(), block.group(2)));
        config.setClientKeyData(Base64.getEncoder().encodeToString(block.group().getBytes(StandardCharsets.US_ASCII)));
        return config;
    }

    private static String algorithm(String label, String base64) {
        return switch (label) {
            case "RSA", "EC" -> label;
            case "" -> {
                PKCS8EncodedKeySpec key = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(base64));
                yield is("RSA", key) ? "RSA" : is("EC", key) ? "EC" : refused("neither an RSA nor an EC key");
            }
            case "ENCRYPTED" -> refused("encrypted, which is not supported");
            default -> refused("a " + label + " key, which is not supported");
        };
    }

    private static boolean is(String algorithm, PKCS8EncodedKeySpec key) {
        try {
            KeyFactory.getInstance(algorithm).generatePrivate(key);
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static String refused(String why) {
        throw new IllegalArgumentException("client-key is " + why);
    }
}
