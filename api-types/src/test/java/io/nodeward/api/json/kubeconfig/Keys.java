package io.nodeward.api.json.kubeconfig;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Files that openssl wrote. */
final class Keys {
    private Keys() {}

    static String text(String name) {
        return new String(bytes(name), StandardCharsets.US_ASCII);
    }

    static byte[] bytes(String name) {
        try (InputStream in = Keys.class.getResourceAsStream("/keys/" + name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As kubeconfigs hold it. */
    static String base64(String name) {
        return base64(bytes(name));
    }

    static String base64(byte[] data) {
        return Base64.getEncoder().encodeToString(data);
    }

    static byte[] pem(String label, byte[] der) {
        return ("-----BEGIN " + label + "-----\n" + base64(der) + "\n-----END " + label + "-----\n")
                .getBytes(StandardCharsets.US_ASCII);
    }
}
