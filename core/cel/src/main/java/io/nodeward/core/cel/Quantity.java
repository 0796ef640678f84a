package io.nodeward.core.cel;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An amount as Kubernetes writes it, as {@code 40Gi}, {@code 1500m} or {@code 1e3}; two that are the same amount are equal.
 */
public final class Quantity {
    private static final String FORMAT = "^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$";
    private static final Pattern SYNTAX =
            Pattern.compile("([+-]?)0*([0-9]*)(?:\\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)");
    private static final Map<String, Integer> DECIMAL = Map.ofEntries(Map.entry("n", -9), Map.entry("u", -6),
            Map.entry("m", -3), Map.entry("", 0), Map.entry("k", 3), Map.entry("M", 6), Map.entry("G", 9),
            Map.entry("T", 12), Map.entry("P", 15), Map.entry("E", 18));
    private static final Map<String, Integer> BINARY = Map.of(
            "Ki", 10, "Mi", 20, "Gi", 30, "Ti", 40, "Pi", 50, "Ei", 60);
    private static final BigDecimal LARGEST_BINARY = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final int NANO = 9;
    /** A scale with which an amount is infinite as a floating point number. */
    private static final int INFINITE = -400;
    private static final int DIGITS = 18;
    private static final int LARGEST_EXPONENT = 10_000;
    private static final int LONGEST = 10_240;

    private final BigDecimal amount;
    /** Kubernetes keeps small amounts in 64 bits, and only these ones ever are integers. */
    private final boolean small;

    private Quantity(BigDecimal amount, boolean small) {
        this.amount = amount;
        this.small = small;
    }

    /** @throws IllegalArgumentException if it is none, with the words of Kubernetes */
    public static Quantity parse(String text) {
        Matcher parts = SYNTAX.matcher(text);
        if (text.isEmpty() || text.length() > LONGEST || !parts.matches()) {
            throw new IllegalArgumentException("quantities must match the regular expression '" + FORMAT + "'");
        }
        String fraction = Objects.requireNonNullElse(parts.group(3), "");
        if (parts.group(2).isEmpty() && parts.group(3) == null && parts.group(4).isEmpty()) {
            return new Quantity(BigDecimal.ZERO, true); // also a sign alone, which Kubernetes takes for zero
        }
        String digits = parts.group(2).isEmpty() ? "0" : parts.group(2);
        Integer binary = BINARY.get(parts.group(4));
        boolean negative = parts.group(1).equals("-");
        return binary == null
                ? decimal(negative, digits, fraction, decimalExponent(parts.group(4)))
                : binary(negative, digits, fraction, binary);
    }

    private static int decimalExponent(String suffix) {
        Integer known = DECIMAL.get(suffix);
        if (known != null) {
            return known;
        }
        if (suffix.length() > 1 && (suffix.charAt(0) == 'e' || suffix.charAt(0) == 'E')) {
            try {
                int exponent = Integer.parseInt(suffix.substring(1));
                if (exponent >= -LARGEST_EXPONENT && exponent <= LARGEST_EXPONENT) {
                    return exponent;
                }
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("unable to parse quantity's suffix", e);
            }
        }
        throw new IllegalArgumentException("unable to parse quantity's suffix");
    }

    private static Quantity decimal(boolean negative, String digits, String fraction, int exponent) {
        BigDecimal amount = new BigDecimal(new BigInteger(digits + fraction), fraction.length() - exponent);
        boolean small = digits.length() + fraction.length() <= DIGITS && amount.scale() <= NANO;
        return signed(negative, small ? amount : rounded(amount), small);
    }

    private static Quantity binary(boolean negative, String digits, String fraction, int exponent) {
        BigDecimal number = new BigDecimal(new BigInteger(digits + fraction), fraction.length());
        BigDecimal amount = number.multiply(new BigDecimal(BigInteger.TWO.pow(exponent)));
        int precision = 15 - digits.length() - (int) ((float) exponent * 3 / 10) - 1;
        if (fraction.isEmpty() && precision >= 0 && amount.compareTo(LARGEST_BINARY) <= 0) {
            return signed(negative, amount, true);
        }
        return signed(negative, rounded(amount).min(LARGEST_BINARY), false);
    }

    private static BigDecimal rounded(BigDecimal amount) {
        if (amount.precision() - (long) amount.scale() < -NANO) { // to find out by division takes long
            return BigDecimal.valueOf(amount.signum(), NANO);
        }
        return amount.scale() < INFINITE ? amount : amount.setScale(NANO, RoundingMode.UP);
    }

    private static Quantity signed(boolean negative, BigDecimal amount, boolean small) {
        return new Quantity(negative ? amount.negate() : amount, small);
    }

    Quantity plus(Quantity other) {
        if (small && other.small) {
            if (other.amount.signum() == 0 || amount.signum() == 0) {
                return other.amount.signum() == 0 ? this : other;
            }
            return sum(other);
        }
        return new Quantity(amount.add(other.amount), false);
    }

    /** The sum keeps the smaller scale of the two, in which it has to fit, and they. */
    private Quantity sum(Quantity other) {
        BigDecimal sum = amount.add(other.amount);
        return new Quantity(sum,
                fits(sum) && fits(amount.setScale(sum.scale())) && fits(other.amount.setScale(sum.scale())));
    }

    private static boolean fits(BigDecimal amount) {
        return amount.unscaledValue().bitLength() < Long.SIZE;
    }

    Quantity minus(Quantity other) {
        return plus(new Quantity(other.amount.negate(), other.small));
    }

    static Quantity of(long number) {
        return new Quantity(BigDecimal.valueOf(number), true);
    }

    int compareTo(Quantity other) {
        return amount.compareTo(other.amount);
    }

    int sign() {
        return amount.signum();
    }

    /** The amount, if Kubernetes can say it as an integer of 64 bits: not if it has a fraction or was given by too many digits. */
    Optional<Long> asInteger() {
        if (!small || amount.scale() > 0) {
            return Optional.empty();
        }
        BigInteger integer = amount.toBigInteger();
        return integer.bitLength() < Long.SIZE ? Optional.of(integer.longValue()) : Optional.empty();
    }

    double asApproximateFloat() {
        double digits = amount.unscaledValue().doubleValue();
        return amount.scale() == 0 ? digits : digits * Math.pow(10, -amount.scale());
    }

    /** About as many as it has when it is written out, which is what a sum with another one takes. */
    long digits() {
        long given = 1 + amount.unscaledValue().bitLength() * 3L / 10;
        return given + Math.abs((long) amount.scale());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Quantity quantity && amount.compareTo(quantity.amount) == 0;
    }

    @Override
    public int hashCode() {
        return Double.hashCode(amount.doubleValue()); // to strip zeros takes time quadratic in how many there are
    }

    @Override
    public String toString() {
        return amount.toPlainString();
    }
}
