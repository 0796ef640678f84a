package io.nodeward.api.json.kubeconfig;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Hosts that kubeconfigs may name: names, {@code *.domain} for all names below it, addresses, and networks such as
 * {@code 10.0.0.0/8}. Names are compared as written and not resolved, so that no answer of a name server opens a
 * network. What a name leads to is checked when a connection is made: a reserved address, such as a loopback, link-local
 * or metadata address, is open only if an entry lies in its reserved network.
 */
public final class AllowedServers {
    /** Whatever host it is, and whatever it leads to: for kubeconfigs of the user's own, and users who know the author. */
    public static final AllowedServers ALL = new AllowedServers(List.of(), false);

    /** Whatever host it is, if it leads to no reserved address. */
    public static final AllowedServers UNRESERVED = new AllowedServers(List.of(), true);

    private static final String NAME = "(\\*\\.)?[a-z0-9]([-a-z0-9.]*[a-z0-9])?";
    private static final String LOCALHOST = "localhost";
    private static final List<Network> LOOPBACK = List.of(Network.of("127.0.0.0/8"), Network.of("::1/128"));

    private final List<String> entries;
    private final boolean checked;
    private final List<Predicate<String>> rules = new ArrayList<>();
    /** Networks that the entries name. */
    private final List<Network> networks = new ArrayList<>();

    private AllowedServers(List<String> entries, boolean checked) {
        this.entries = entries;
        this.checked = checked;
        entries.forEach(entry -> rules.add(rule(entry)));
    }

    /**
     * Reads the entries; without entries every host is allowed that leads to no reserved address.
     *
     * @throws IllegalArgumentException naming the entry that is none
     */
    public static AllowedServers of(List<String> entries) {
        return entries.isEmpty()
                ? UNRESERVED
                : new AllowedServers(entries.stream().map(e -> e.toLowerCase(Locale.ROOT)).toList(), true);
    }

    /**
     * Returns whether a kubeconfig may name this host. A name may still lead to an address that {@link #open} refuses.
     *
     * @param host of a URL; an IPv6 address may be in brackets
     */
    public boolean allow(String host) {
        String plain = Network.plain(host.toLowerCase(Locale.ROOT)).replaceFirst("\\.$", "");
        boolean listed = rules.isEmpty() || rules.stream().anyMatch(rule -> rule.test(plain));
        return listed && (!checked || !isOddLiteral(plain) && literal(plain).map(this::open).orElse(true));
    }

    /** Returns whether a connection to this address is allowed, for a host that is. */
    public boolean open(InetAddress address) {
        return open(address.getAddress());
    }

    private boolean open(byte[] address) {
        byte[] reached = ReservedAddresses.reached(address);
        return !checked || ReservedAddresses.of(reached).map(reserved -> networks.stream()
                .anyMatch(network -> reserved.contains(network) && network.contains(reached))).orElse(true);
    }

    /** Returns the address that a host is by itself, without a name server. */
    private static Optional<byte[]> literal(String plain) {
        return plain.equals(LOCALHOST) || plain.endsWith("." + LOCALHOST) ? Network.address("127.0.0.1")
                : Network.address(plain);
    }

    // As browsers: a host whose last label is a number is an address, and client libraries differ in which.
    private static boolean isOddLiteral(String plain) {
        String last = plain.substring(plain.lastIndexOf('.') + 1);
        return (plain.matches(".*[:%].*") || last.matches("[0-9]+|0x[0-9a-f]*")) && Network.address(plain).isEmpty();
    }

    /** Returns whether the host is this machine itself, by name or address. */
    static boolean isLoopback(String host) {
        String plain = Network.plain(host.toLowerCase(Locale.ROOT));
        return plain.equals(LOCALHOST) || Network.address(plain)
                .filter(address -> LOOPBACK.stream().anyMatch(network -> network.contains(address))).isPresent();
    }

    private Predicate<String> rule(String entry) {
        Optional<Network> network = network(entry);
        if (network.isPresent()) {
            networks.add(network.get());
            return host -> Network.address(host).filter(network.get()::contains).isPresent();
        }
        if (!entry.matches(NAME) || isOddLiteral(entry)) {
            throw new IllegalArgumentException(
                    entry + " is no host name, *.domain, address or network like 10.0.0.0/8");
        }
        if (entry.equals(LOCALHOST)) {
            networks.addAll(LOOPBACK);
        }
        return entry.startsWith("*.") ? host -> host.endsWith(entry.substring(1)) : entry::equals;
    }

    private static Optional<Network> network(String entry) {
        String[] parts = entry.split("/", -1);
        boolean withBits = parts.length == 2 && parts[1].matches("[0-9]{1,3}");
        Optional<byte[]> address = Network.address(parts[0]);
        if (withBits && address.isPresent()) {
            return Optional.of(Network.of(entry));
        }
        return parts.length == 1 ? address.map(Network::alone) : Optional.empty();
    }

    @Override
    public String toString() {
        return !entries.isEmpty() ? String.join(",", entries) : checked ? "all but reserved addresses" : "all";
    }
}
