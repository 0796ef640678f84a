package io.nodeward.core.cel;

import com.google.common.net.InetAddresses;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.regex.Pattern;

/** An address of the internet protocol, version 4 or 6, without a zone; none that is of version 4 within version 6. */
record IpAddress(InetAddress address) {
    /** Guava takes zones and digits of other scripts, too. */
    private static final Pattern CHARACTERS = Pattern.compile("[0-9A-Fa-f:.]+");

    /** @throws IllegalArgumentException if it is none */
    static IpAddress parse(String text) {
        if (!isAddress(text)) {
            throw new IllegalArgumentException("IP Address \"" + text + "\" parse error during conversion from string");
        }
        InetAddress address = InetAddresses.forString(text);
        if (address instanceof Inet4Address && text.contains(":")) {
            throw new IllegalArgumentException("IPv4-mapped IPv6 address \"" + text + "\" is not allowed");
        }
        return new IpAddress(address);
    }

    private static boolean isAddress(String text) {
        return CHARACTERS.matcher(text).matches() && InetAddresses.isInetAddress(text);
    }

    /** Returns whether a text is an address of version 6, or one of version 4 within version 6. */
    static boolean isVersion6(String text) {
        return text.contains(":") && isAddress(text);
    }

    int bits() {
        return address.getAddress().length * Byte.SIZE;
    }

    long family() {
        return address instanceof Inet4Address ? 4 : 6;
    }

    boolean isUnspecified() {
        return address.isAnyLocalAddress();
    }

    boolean isLoopback() {
        return address.isLoopbackAddress();
    }

    boolean isLinkLocalMulticast() {
        return address.isMCLinkLocal();
    }

    boolean isLinkLocalUnicast() {
        return address.isLinkLocalAddress();
    }

    boolean isGlobalUnicast() {
        boolean broadcast = toString().equals("255.255.255.255");
        return !broadcast && !isUnspecified() && !isLoopback() && !address.isMulticastAddress()
                && !isLinkLocalUnicast();
    }

    /** Returns the canonical form. */
    @Override
    public String toString() {
        return InetAddresses.toAddrString(address);
    }
}
