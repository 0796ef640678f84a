package io.nodeward.controller.app;

import java.net.InetSocketAddress;

/** Addresses to listen on, as {@code HOST:PORT} or {@code :PORT}. */
final class Addresses {
    private Addresses() {}

    /** @throws IllegalArgumentException naming the option */
    static InetSocketAddress parse(String option, String text) {
        int colon = text.lastIndexOf(':');
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            String host = colon < 0 ? "" : text.substring(0, colon).replaceAll("^\\[|]$", "");
            InetSocketAddress address =
                    host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
            if (address.isUnresolved()) {
                throw new IllegalArgumentException("unknown host " + host);
            }
            return address;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(option + ": '" + text + "' is not HOST:PORT with a host of this machine",
                    e);
        }
    }
}
