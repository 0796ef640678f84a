package io.nodeward.api.json.kubeconfig;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;

/**
 * A range of IP addresses.
 *
 * @param base 4 or 16 bytes
 * @param bits that all its addresses share with {@code base}
 */
record Network(byte[] base, int bits) {
    private static final String IPV4 =
            "((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";

    /** @throws IllegalArgumentException if this is no network like {@code 10.0.0.0/8} */
    static Network of(String text) {
        String[] parts = text.split("/", -1);
        byte[] base = address(parts[0]).orElseThrow(() -> new IllegalArgumentException(text + " is no network"));
        int bits = Integer.parseInt(parts[1]);
        if (bits > base.length * Byte.SIZE) {
            throw new IllegalArgumentException(text + " has more bits than its address");
        }
        return new Network(base, bits);
    }

    /** The network of this address alone. */
    static Network alone(byte[] address) {
        return new Network(address, address.length * Byte.SIZE);
    }

    /**
     * Reads an address that is written in full: of {@code 127.1} or {@code 0x7f000001} every library makes its own. An
     * IPv6 address may be in brackets. One that maps an IPv4 address has four bytes.
     */
    static Optional<byte[]> address(String host) {
        String plain = plain(host);
        if (!plain.matches(IPV4) && !(plain.contains(":") && plain.matches("[0-9a-f:.]{2,45}"))) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByName(plain).getAddress());
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    static String plain(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    boolean contains(byte[] address) {
        int whole = bits / Byte.SIZE;
        if (base.length != address.length || !Arrays.equals(base, 0, whole, address, 0, whole)) {
            return false;
        }
        int rest = bits % Byte.SIZE;
        return rest == 0 || (base[whole] ^ address[whole]) >> (Byte.SIZE - rest) == 0;
    }

    boolean contains(Network other) {
        return other.bits >= bits && contains(other.base);
    }
}
