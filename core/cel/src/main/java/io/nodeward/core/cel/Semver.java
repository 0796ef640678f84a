package io.nodeward.core.cel;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A semantic version; what was built when does not matter to its order. */
final class Semver implements Comparable<Semver> {
    private static final Pattern NUMBER = Pattern.compile("[0-9]*");
    private static final Pattern WORD = Pattern.compile("[0-9A-Za-z-]*");
    private static final BigInteger TOO_LARGE = BigInteger.ONE.shiftLeft(Long.SIZE);

    private final List<Long> numbers;
    private final List<String> preRelease;

    private Semver(List<Long> numbers, List<String> preRelease) {
        this.numbers = numbers;
        this.preRelease = preRelease;
    }

    /** @throws IllegalArgumentException if it is none */
    static Semver parse(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("Version string empty");
        }
        String[] parts = text.split("\\.", 3);
        if (parts.length != 3) {
            throw new IllegalArgumentException("No Major.Minor.Patch elements found");
        }
        long major = number("Major", parts[0]);
        long minor = number("Minor", parts[1]);
        String[] built = parts[2].split("\\+", 2);
        String[] released = built[0].split("-", 2);
        long patch = number("Patch", released[0]);
        List<String> preRelease = released.length == 1 ? List.of() : List.of(released[1].split("\\.", -1));
        preRelease.forEach(Semver::preReleasePart);
        if (built.length == 2) {
            List.of(built[1].split("\\.", -1)).forEach(part -> word("build meta data", part));
        }
        return new Semver(List.of(major, minor, patch), preRelease);
    }

    /** As {@link #parse}, of a version that may begin with a v, lack its last numbers, and have leading zeros. */
    static Semver parseLeniently(String text) {
        String[] parts = (text.startsWith("v") ? text.substring(1) : text).split("\\.", 3);
        List<String> full = new ArrayList<>();
        for (String part : parts) {
            full.add(part.length() > 1 ? withoutLeadingZeros(part) : part);
        }
        String last = full.get(full.size() - 1);
        if (full.size() < 3 && (last.contains("+") || last.contains("-"))) {
            throw new IllegalArgumentException("short version cannot contain PreRelease/Build meta data");
        }
        while (full.size() < 3) {
            full.add("0");
        }
        return parse(String.join(".", full));
    }

    private static String withoutLeadingZeros(String part) {
        String rest = part.replaceFirst("^0+", "");
        return rest.isEmpty() || rest.charAt(0) < '0' || rest.charAt(0) > '9' ? "0" + rest : rest;
    }

    private static long number(String which, String text) {
        if (!NUMBER.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "Invalid character(s) found in " + which.toLowerCase(Locale.ROOT) + " number \"" + text
                            + "\"");
        }
        if (text.length() > 1 && text.charAt(0) == '0') {
            throw new IllegalArgumentException(which + " number must not contain leading zeroes \"" + text + "\"");
        }
        if (text.isEmpty() || text.length() > 20 || new BigInteger(text).compareTo(TOO_LARGE) >= 0) {
            throw new IllegalArgumentException("not a number of 64 bits: \"" + text + "\"");
        }
        return Long.parseUnsignedLong(text);
    }

    private static void preReleasePart(String part) {
        word("prerelease", part);
        if (NUMBER.matcher(part).matches()) {
            if (part.length() > 1 && part.charAt(0) == '0') {
                throw new IllegalArgumentException(
                        "Numeric PreRelease version must not contain leading zeroes \"" + part + "\"");
            }
            number("Prerelease", part);
        }
    }

    private static void word(String which, String part) {
        if (part.isEmpty()) {
            throw new IllegalArgumentException(which + " is empty");
        }
        if (!WORD.matcher(part).matches()) {
            throw new IllegalArgumentException("Invalid character(s) found in " + which + " \"" + part + "\"");
        }
    }

    long major() {
        return numbers.get(0);
    }

    long minor() {
        return numbers.get(1);
    }

    long patch() {
        return numbers.get(2);
    }

    /** How many characters matter to its order, about. */
    long length() {
        return 1L + preRelease.stream().mapToLong(part -> 1 + part.length()).sum();
    }

    @Override
    public int compareTo(Semver other) {
        for (int i = 0; i < numbers.size(); i++) {
            int order = Long.compareUnsigned(numbers.get(i), other.numbers.get(i));
            if (order != 0) {
                return order;
            }
        }
        if (preRelease.isEmpty() || other.preRelease.isEmpty()) {
            return Boolean.compare(preRelease.isEmpty(), other.preRelease.isEmpty());
        }
        for (int i = 0; i < Math.min(preRelease.size(), other.preRelease.size()); i++) {
            int order = comparePart(preRelease.get(i), other.preRelease.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(preRelease.size(), other.preRelease.size());
    }

    private static int comparePart(String one, String other) {
        boolean number = NUMBER.matcher(one).matches();
        if (number != NUMBER.matcher(other).matches()) {
            return number ? -1 : 1;
        }
        int order = number
                ? Long.compareUnsigned(Long.parseUnsignedLong(one), Long.parseUnsignedLong(other))
                : one.compareTo(other);
        return Integer.signum(order);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Semver semver && compareTo(semver) == 0;
    }

    @Override
    public int hashCode() {
        return 31 * numbers.hashCode() + preRelease.hashCode();
    }

    @Override
    public String toString() {
        return numbers + (preRelease.isEmpty() ? "" : "-" + String.join(".", preRelease));
    }
}
