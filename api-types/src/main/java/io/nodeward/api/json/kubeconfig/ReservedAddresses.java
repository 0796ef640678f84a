package io.nodeward.api.json.kubeconfig;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Addresses at which no API server of another cluster is: those of this machine or pod itself, of its link, of many
 * receivers, and of the metadata services of clouds, which give credentials to each process of this machine.
 */
final class ReservedAddresses {
    private static final List<Network> NETWORKS = Stream.of(
            "0.0.0.0/8", "127.0.0.0/8", "::/128", "::1/128", // this machine: Linux connects 0.0.0.0 and :: to loopback
            "169.254.0.0/16", "fe80::/10", // link-local, with the metadata services of most clouds
            "224.0.0.0/4", "ff00::/8", "255.255.255.255/32", // multicast and broadcast
            "100.100.100.200/32", // metadata of Alibaba Cloud
            "168.63.129.16/32", // WireServer of Azure
            "192.0.0.192/32", "fd00:c1::a9fe:a9fe/128", // metadata of Oracle Cloud
            "fd00:ec2::/32", // metadata, credentials, name and time servers of AWS
            "fd20:ce::254/128", // metadata of Google Cloud
            "fd00:42::42/128" // metadata of Scaleway
    ).map(Network::of).toList();

    /** Networks whose addresses hold an IPv4 address in their last four bytes. */
    private static final List<Network> HOLDING_IPV4 = Stream.of(
            "::/96", // IPv4-compatible
            "::ffff:0:0:0/96", // IPv4-translated
            "64:ff9b::/96", "64:ff9b:1::/48" // NAT64, of which RFC 8215 leaves the length of the prefix open: mostly 96
    ).map(Network::of).toList();

    /** Holds an IPv4 address behind its first two bytes. */
    private static final Network SIX_TO_FOUR = Network.of("2002::/16");

    private ReservedAddresses() {}

    /**
     * Returns the reserved network of an address.
     *
     * @param address as {@link #reached} returns it
     */
    static Optional<Network> of(byte[] address) {
        return NETWORKS.stream().filter(network -> network.contains(address)).findFirst();
    }

    /** Returns the IPv4 address that an IPv6 address leads to, or else the address itself. */
    static byte[] reached(byte[] address) {
        if (address.length == 4 || of(address).isPresent()) {
            return address;
        }
        if (isMapped(address) || HOLDING_IPV4.stream().anyMatch(network -> network.contains(address))) {
            return Arrays.copyOfRange(address, 12, 16);
        }
        return SIX_TO_FOUR.contains(address) ? Arrays.copyOfRange(address, 2, 6) : address;
    }

    // No Network: the JDK reads its text as an IPv4 address.
    private static boolean isMapped(byte[] address) {
        return Arrays.equals(address, 0, 12, new byte[]{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1}, 0, 12);
    }
}
