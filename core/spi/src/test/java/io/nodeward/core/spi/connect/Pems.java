package io.nodeward.core.spi.connect;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Base64;

/** Certificates and keys made by openssl, for a hundred years. */
final class Pems {
    private Pems() {}

    static String text(String name) {
        try (InputStream in = Pems.class.getResourceAsStream("/keys/" + name)) {
            return new String(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As kubeconfigs hold it. */
    static String base64(String name) {
        return Base64.getEncoder().encodeToString(text(name).getBytes());
    }
}
