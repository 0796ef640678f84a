package io.nodeward.core.cel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An address of the internet protocol, version 4 or 6, without a zone; none that is of version 4 within version 6. */
final class IpAddress {
    private static final Pattern BYTE = Pattern.compile("0|[1-9][0-9]{0,2}");
    private static final Pattern GROUP = Pattern.compile("[0-9A-Fa-f]{1,4}");
    private static final int GROUPS = 8;

    private final byte[] bytes;

    IpAddress(byte[] bytes) {
        this.bytes = bytes;
    }

    /** @throws IllegalArgumentException if it is none */
    static IpAddress parse(String text) {
        IpAddress address = anyOf(text);
        if (address.isVersion4Within6()) {
            throw new IllegalArgumentException("IPv4-mapped IPv6 address \"" + text + "\" is not allowed");
        }
        return address;
    }

    /** As {@link #parse}, and one of version 4 within version 6 too. */
    static IpAddress anyOf(String text) {
        return new IpAddress(text.contains(":") ? version6(text) : version4(text, text));
    }

    private boolean isVersion4Within6() {
        for (int i = 0; i < 10; i++) {
            if (bytes.length == 4 || bytes[i] != 0) {
                return false;
            }
        }
        return bytes[10] == -1 && bytes[11] == -1;
    }

    private static IllegalArgumentException fault(String text) {
        return new IllegalArgumentException("IP Address \"" + text + "\" parse error during conversion from string");
    }

    private static byte[] version4(String text, String whole) {
        String[] parts = text.split("\\.", -1);
        byte[] bytes = new byte[4];
        if (parts.length != bytes.length) {
            throw fault(whole);
        }
        for (int i = 0; i < bytes.length; i++) {
            if (!BYTE.matcher(parts[i]).matches() || Integer.parseInt(parts[i]) > 255) {
                throw fault(whole);
            }
            bytes[i] = (byte) Integer.parseInt(parts[i]);
        }
        return bytes;
    }

    private static byte[] version6(String text) {
        int gap = text.indexOf("::");
        List<Integer> before = groups(gap < 0 ? text : text.substring(0, gap), gap < 0, text);
        List<Integer> after = gap < 0 ? List.of() : groups(text.substring(gap + 2), true, text);
        int missing = GROUPS - before.size() - after.size();
        if (gap < 0 ? missing != 0 : missing < 1) {
            throw fault(text);
        }
        byte[] bytes = new byte[16];
        put(before, bytes, 0);
        put(after, bytes, GROUPS - after.size());
        return bytes;
    }

    private static void put(List<Integer> groups, byte[] bytes, int from) {
        for (int i = 0; i < groups.size(); i++) {
            bytes[2 * (from + i)] = (byte) (groups.get(i) >> 8);
            bytes[2 * (from + i) + 1] = groups.get(i).byteValue();
        }
    }

    private static List<Integer> groups(String text, boolean atEnd, String whole) {
        List<Integer> groups = new ArrayList<>();
        String[] parts = text.isEmpty() ? new String[0] : text.split(":", -1);
        for (int i = 0; i < parts.length; i++) {
            if (GROUP.matcher(parts[i]).matches()) {
                groups.add(Integer.parseInt(parts[i], 16));
            } else if (atEnd && i == parts.length - 1) {
                byte[] embedded = version4(parts[i], whole);
                groups.add((embedded[0] & 255) << 8 | embedded[1] & 255);
                groups.add((embedded[2] & 255) << 8 | embedded[3] & 255);
            } else {
                throw fault(whole);
            }
        }
        return groups;
    }

    byte[] bytes() {
        return bytes.clone();
    }

    int bits() {
        return bytes.length * Byte.SIZE;
    }

    long family() {
        return bytes.length == 4 ? 4 : 6;
    }

    boolean isUnspecified() {
        return allZeroUntil(bytes.length);
    }

    private boolean allZeroUntil(int end) {
        for (int i = 0; i < end; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    boolean isLoopback() {
        return bytes.length == 4 ? bytes[0] == 127 : allZeroUntil(15) && bytes[15] == 1;
    }

    boolean isLinkLocalMulticast() {
        return bytes.length == 4
                ? bytes[0] == (byte) 224 && bytes[1] == 0 && bytes[2] == 0
                : bytes[0] == -1 && (bytes[1] & 15) == 2;
    }

    private boolean isMulticast() {
        return bytes.length == 4 ? (bytes[0] & 0xf0) == 0xe0 : bytes[0] == -1;
    }

    boolean isLinkLocalUnicast() {
        return bytes.length == 4
                ? bytes[0] == (byte) 169 && bytes[1] == (byte) 254
                : bytes[0] == (byte) 0xfe && (bytes[1] & 0xc0) == 0x80;
    }

    boolean isGlobalUnicast() {
        boolean broadcast = Arrays.equals(bytes, new byte[]{-1, -1, -1, -1});
        return !broadcast && !isUnspecified() && !isLoopback() && !isMulticast() && !isLinkLocalUnicast();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof IpAddress address && Arrays.equals(bytes, address.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** In the canonical form. */
    @Override
    public String toString() {
        if (bytes.length == 4) {
            return (bytes[0] & 255) + "." + (bytes[1] & 255) + "." + (bytes[2] & 255) + "." + (bytes[3] & 255);
        }
        int[] zeros = longestZeros();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < GROUPS; i++) {
            if (i == zeros[0]) {
                text.append("::");
                i = zeros[1] - 1;
            } else {
                text.append(text.isEmpty() || text.charAt(text.length() - 1) == ':' ? "" : ":")
                        .append(Integer.toHexString(group(i)));
            }
        }
        return text.toString();
    }

    private int group(int i) {
        return (bytes[2 * i] & 255) << 8 | bytes[2 * i + 1] & 255;
    }

    /** Where the first of the longest runs of at least two groups that are zero begins and ends. */
    private int[] longestZeros() {
        int[] longest = {-1, -1};
        for (int start = 0; start < GROUPS; start++) {
            int end = start;
            while (end < GROUPS && group(end) == 0) {
                end++;
            }
            if (end - start > Math.max(1, longest[1] - longest[0])) {
                longest = new int[]{start, end};
            }
        }
        return longest;
    }
}
