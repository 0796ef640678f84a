package io.nodeward.api.json.kubeconfig;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * Hosts that kubeconfigs may name: names, {@code *.domain} for all names below it, addresses, and networks such as
 * {@code 10.0.0.0/8}. Names are compared as written and not resolved, so that no answer of a name server opens a
 * network.
 */
public final class AllowedServers {
    /** Whatever host it is. */
    public static final AllowedServers ALL = new AllowedServers(List.of());

    private static final String IPV4 =
            "((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    private static final String NAME = "(\\*\\.)?[a-z0-9]([-a-z0-9.]*[a-z0-9])?";

    private final List<String> entries;
    private final List<Predicate<String>> rules = new ArrayList<>();

    private AllowedServers(List<String> entries) {
        this.entries = entries;
        entries.forEach(entry -> rules.add(rule(entry)));
    }

    /**
     * Reads the entries; none of them allows all.
     *
     * @throws IllegalArgumentException naming the entry that is none
     */
    public static AllowedServers of(List<String> entries) {
        return entries.isEmpty()
                ? ALL
                : new AllowedServers(entries.stream().map(e -> e.toLowerCase(Locale.ROOT)).toList());
    }

    /** @param host of a URL; an IPv6 address may be in brackets */
    public boolean allow(String host) {
        String plain = plain(host.toLowerCase(Locale.ROOT)).replaceFirst("\\.$", "");
        return rules.isEmpty() || rules.stream().anyMatch(rule -> rule.test(plain));
    }

    /** Whether the host is this machine itself, by name or address. */
    static boolean isLoopback(String host) {
        String plain = plain(host.toLowerCase(Locale.ROOT));
        return plain.equals("localhost") || isAddress(plain) && address(plain).isLoopbackAddress();
    }

    private static Predicate<String> rule(String entry) {
        String[] network = entry.split("/", -1);
        if (network.length == 2 && isAddress(plain(network[0])) && network[1].matches("[0-9]{1,3}")) {
            return inNetwork(entry, plain(network[0]), Integer.parseInt(network[1]));
        }
        if (isAddress(plain(entry))) {
            InetAddress address = address(plain(entry));
            return host -> isAddress(host) && address(host).equals(address);
        }
        if (!entry.matches(NAME) || entry.matches("[0-9.]+")) {
            throw new IllegalArgumentException(
                    entry + " is no host name, *.domain, address or network like 10.0.0.0/8");
        }
        return entry.startsWith("*.") ? host -> host.endsWith(entry.substring(1)) : entry::equals;
    }

    private static Predicate<String> inNetwork(String entry, String base, int bits) {
        byte[] network = address(base).getAddress();
        if (bits > network.length * Byte.SIZE) {
            throw new IllegalArgumentException(entry + " has more bits than its address");
        }
        return host -> isAddress(host) && sharesBits(network, address(host).getAddress(), bits);
    }

    private static boolean sharesBits(byte[] network, byte[] address, int bits) {
        int whole = bits / Byte.SIZE;
        if (network.length != address.length || !Arrays.equals(network, 0, whole, address, 0, whole)) {
            return false;
        }
        int rest = bits % Byte.SIZE;
        return rest == 0 || (network[whole] ^ address[whole]) >> (Byte.SIZE - rest) == 0;
    }

    // Only what is an address in full: of 127.1 or 0x7f000001 every library makes its own.
    private static boolean isAddress(String text) {
        return text.matches(IPV4) || text.contains(":") && text.matches("[0-9a-f:]{2,39}");
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(literal + " is no address", e);
        }
    }

    private static String plain(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    @Override
    public String toString() {
        return entries.isEmpty() ? "all" : String.join(",", entries);
    }
}
