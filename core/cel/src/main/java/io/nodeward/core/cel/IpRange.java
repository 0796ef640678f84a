package io.nodeward.core.cel;

import com.google.common.net.InetAddresses;
import java.math.BigInteger;
import java.util.regex.Pattern;

/**
 * The addresses that have a prefix in common, as {@code 10.0.0.0/8}.
 *
 * @param address one of them
 * @param length of the prefix, in bits
 */
record IpRange(IpAddress address, int length) {
    private static final Pattern LENGTH = Pattern.compile("0|[1-9][0-9]{0,2}");

    /** @throws IllegalArgumentException if it is none */
    static IpRange parse(String text) {
        int slash = text.lastIndexOf('/');
        if (slash < 0 || !LENGTH.matcher(text.substring(slash + 1)).matches()) {
            throw new IllegalArgumentException("network address parse error during conversion from string: " + text);
        }
        IpAddress address = IpAddress.parse(text.substring(0, slash));
        int length = Integer.parseInt(text.substring(slash + 1));
        if (length > address.bits()) {
            throw new IllegalArgumentException("prefix length out of range: " + text);
        }
        return new IpRange(address, length);
    }

    boolean contains(IpAddress other) {
        return address.bits() == other.bits() && prefix(other).equals(prefix(address));
    }

    boolean contains(IpRange other) {
        return length <= other.length && contains(other.address);
    }

    IpRange masked() {
        BigInteger first = prefix(address).shiftLeft(address.bits() - length);
        return new IpRange(new IpAddress(address.family() == 4
                ? InetAddresses.fromIPv4BigInteger(first)
                : InetAddresses.fromIPv6BigInteger(first)), length);
    }

    private BigInteger prefix(IpAddress of) {
        return InetAddresses.toBigInteger(of.address()).shiftRight(of.bits() - length);
    }

    @Override
    public String toString() {
        return address + "/" + length;
    }
}
