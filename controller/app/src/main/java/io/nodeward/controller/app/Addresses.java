package io.nodeward.controller.app;

import java.net.InetSocketAddress;
import java.util.Optional;

/** Addresses to listen on, as {@code HOST:PORT} or {@code :PORT}. */
final class Addresses {
    private Addresses() {}

    /** @throws IllegalArgumentException naming the option */
    static InetSocketAddress parse(String option, String text) {
        return find(text).orElseThrow(() -> new IllegalArgumentException(option + ": " + isNone(text)));
    }

    /** The message for a text that is no address. */
    static String isNone(String text) {
        return "'" + text + "' is not HOST:PORT with a host of this machine";
    }

    static Optional<InetSocketAddress> find(String text) {
        int colon = text.lastIndexOf(':');
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            String host = colon < 0 ? "" : text.substring(0, colon).replaceAll("^\\[|]$", "");
            InetSocketAddress address =
                    host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
            return address.isUnresolved() ? Optional.empty() : Optional.of(address);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
