package io.nodeward.core.cel;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values as the Go implementation of the language reads them from texts. */
final class GoValues {
    private static final Set<String> TRUE = Set.of("1", "t", "T", "TRUE", "true", "True");
    private static final Set<String> FALSE = Set.of("0", "f", "F", "FALSE", "false", "False");
    private static final Pattern INFINITE = Pattern.compile("(?i)([+-]?)inf(?:inity)?");
    private static final Pattern NUMBER = Pattern.compile(
            "[+-]?(?:(?:[0-9]++\\.?+[0-9]*+|\\.[0-9]++)(?:[eE][+-]?[0-9]++)?"
                    + "|0[xX](?:[0-9a-fA-F]++\\.?+[0-9a-fA-F]*+|\\.[0-9a-fA-F]++)[pP][+-]?[0-9]++)");
    private static final Pattern SEPARATOR = Pattern.compile("(?<=[0-9])_(?=[0-9])");
    /** Also after the prefix; NUMBER refuses letters in an exponent. */
    private static final Pattern HEX_SEPARATOR = Pattern.compile("(?<=[0-9a-fA-FxX])_(?=[0-9a-fA-F])");
    private static final Pattern PERIOD = Pattern.compile("([0-9]*+)(?:\\.([0-9]*+))?+(ns|us|µs|μs|ms|s|m|h)");
    private static final Map<String, Long> UNITS = Map.of("ns", 1L, "us", 1_000L, "µs", 1_000L, "μs", 1_000L, "ms",
            1_000_000L, "s", 1_000_000_000L, "m", 60_000_000_000L, "h", 3_600_000_000_000L);
    private static final Pattern TIME = Pattern.compile("([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{1,2}):([0-9]{2}):"
            + "([0-9]{2})(?:[.,]([0-9]+))?(?:Z|([+-])([0-9]{2}):([0-9]{2}))");
    private static final BigInteger NANOS = BigInteger.valueOf(1_000_000_000);
    /** Of a second. */
    private static final int DECIMALS = 9;
    /** Of a number that anybody writes; what is longer takes long. */
    private static final int LONGEST = 10_240;
    /** Characters of a longer text that a message has. */
    private static final int SHOWN = 9;
    /** Of the years 1 and 9999. */
    private static final long EARLIEST = -62_135_596_800L;
    private static final long LATEST = 253_402_300_799L;

    private GoValues() {}

    static boolean truth(String text) {
        if (TRUE.contains(text) || FALSE.contains(text)) {
            return TRUE.contains(text);
        }
        throw unreadable(text, "bool");
    }

    static double number(String text) {
        Matcher infinite = INFINITE.matcher(text);
        if (infinite.matches()) {
            return infinite.group(1).equals("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        if (text.equalsIgnoreCase("nan")) {
            return Double.NaN;
        }
        requireShort(text, "double");
        boolean hex = text.indexOf('x') >= 0 || text.indexOf('X') >= 0;
        String digits = (hex ? HEX_SEPARATOR : SEPARATOR).matcher(text).replaceAll("");
        double number = NUMBER.matcher(digits).matches() ? Double.parseDouble(digits) : Double.NaN;
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            throw unreadable(text, "double");
        }
        return number;
    }

    /** Amounts with units, the sum of which has to fit into nanoseconds of 64 bits. */
    static Duration duration(String text) {
        requireShort(text, "duration");
        String amounts = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
        if (amounts.equals("0")) {
            return Duration.ZERO;
        }
        BigInteger nanos = BigInteger.ZERO;
        Matcher amount = PERIOD.matcher(amounts);
        int end = 0;
        while (amount.lookingAt() && hasDigits(amount)) {
            nanos = nanos.add(nanos(amount));
            end = amount.end();
            amount.region(end, amounts.length());
        }
        nanos = text.startsWith("-") ? nanos.negate() : nanos;
        if (amounts.isEmpty() || end < amounts.length() || nanos.bitLength() >= Long.SIZE) {
            throw unreadable(text, "duration");
        }
        BigInteger[] seconds = nanos.divideAndRemainder(NANOS);
        return Duration.ofSeconds(seconds[0].longValueExact(), seconds[1].longValueExact());
    }

    private static boolean hasDigits(Matcher amount) {
        return !amount.group(1).isEmpty() || amount.group(2) != null && !amount.group(2).isEmpty();
    }

    private static BigInteger nanos(Matcher amount) {
        String fraction = amount.group(2) == null ? "" : amount.group(2);
        return new BigDecimal("0" + amount.group(1) + "." + fraction + "0")
                .multiply(BigDecimal.valueOf(UNITS.getOrDefault(amount.group(3), 0L)))
                .setScale(0, RoundingMode.DOWN).toBigInteger();
    }

    /** As of RFC 3339, more or less: an hour may have one digit, and a fraction any number of them. */
    static Instant timestamp(String text) {
        Matcher time = TIME.matcher(text);
        if (!time.matches()) {
            throw unreadable(text, "timestamp");
        }
        try {
            long seconds = LocalDateTime.of(part(time, 1), part(time, 2), part(time, 3), part(time, 4), part(time, 5),
                    part(time, 6)).toEpochSecond(ZoneOffset.UTC) - offset(time);
            if (seconds < EARLIEST || seconds > LATEST) {
                throw new IllegalArgumentException("timestamp overflow");
            }
            String fraction = (time.group(7) == null ? "" : time.group(7)) + "0".repeat(DECIMALS);
            return Instant.ofEpochSecond(seconds, Long.parseLong(fraction.substring(0, DECIMALS)));
        } catch (DateTimeException e) {
            throw unreadable(text, "timestamp");
        }
    }

    /** In seconds; some people write offsets of 24 hours or 60 minutes. */
    private static int offset(Matcher time) {
        if (time.group(8) == null) {
            return 0;
        }
        int hours = part(time, 9);
        int minutes = part(time, 10);
        if (hours > 24 || minutes > 60) {
            throw new DateTimeException("offset out of range");
        }
        int offset = (hours * 60 + minutes) * 60;
        return time.group(8).equals("-") ? -offset : offset;
    }

    private static int part(Matcher time, int group) {
        return Integer.parseInt(time.group(group));
    }

    private static void requireShort(String text, String type) {
        if (text.length() > LONGEST) {
            throw unreadable(text.substring(0, SHOWN) + "...", type);
        }
    }

    private static IllegalArgumentException unreadable(String text, String type) {
        return new IllegalArgumentException("type conversion error from 'string' to '" + type + "': " + text);
    }
}
