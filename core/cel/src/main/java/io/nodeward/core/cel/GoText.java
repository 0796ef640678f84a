package io.nodeward.core.cel;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.CelType;
import dev.cel.common.types.TypeType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Values as the Go implementation of the language writes them. */
final class GoText {
    /** A digit of a number takes as long as so many characters. */
    static final long DIGIT = 4;
    private static final long NANOS = 1_000_000_000;
    private static final String SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

    private GoText() {}

    /** The shortest digits that are this number, with an exponent if it is below 1e-4 or from 1e+06 on. */
    static String shortest(double number) {
        if (Double.isNaN(number)) {
            return "NaN";
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? "+Inf" : "-Inf";
        }
        String sign = 1 / number < 0 || number < 0 ? "-" : "";
        if (number == 0) {
            return sign + "0";
        }
        BigDecimal digits = new BigDecimal(Double.toString(Math.abs(number))).stripTrailingZeros();
        int exponent = digits.precision() - digits.scale() - 1;
        if (exponent >= -4 && exponent < 6) {
            return sign + digits.toPlainString();
        }
        String all = digits.unscaledValue().toString();
        String mantissa = all.length() == 1 ? all : all.charAt(0) + "." + all.substring(1);
        return sign + mantissa + "e" + (exponent < 0 ? "-" : "+") + twoDigits(Math.abs(exponent));
    }

    private static String twoDigits(int number) {
        return number < 10 ? "0" + number : Integer.toString(number);
    }

    /** With so many digits after the point, and thousands set apart as English does. */
    static String fixed(double number, int precision) {
        return special(number, "%,." + precision + "f", precision);
    }

    private static String special(double number, String format, int precision) {
        if (Double.isNaN(number)) {
            return "NaN";
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? "∞" : "-∞";
        }
        BigDecimal rounded = new BigDecimal(number).setScale(precision, RoundingMode.HALF_EVEN);
        String text = String.format(Locale.ROOT, format, rounded);
        return number < 0 && rounded.signum() == 0 ? "-" + text : text;
    }

    /** As a mantissa of six digits and a power of ten; what is given as its precision is its width. */
    static String scientific(double number, int width) {
        String text = special(number, "%s", 0);
        if (!Double.isNaN(number) && !Double.isInfinite(number)) {
            BigDecimal rounded = new BigDecimal(number).round(new MathContext(7, RoundingMode.HALF_EVEN));
            String[] parts = String.format(Locale.ROOT, "%.6e", rounded).split("e");
            String power = parts[1].substring(1).chars().mapToObj(c -> SUPERSCRIPTS.substring(c - '0', c - '0' + 1))
                    .collect(Collectors.joining());
            text = parts[0] + "×10" + (parts[1].startsWith("-") ? "⁻" : "") + power;
        }
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }

    /** As {@code %s} writes it. */
    static String text(Object value) {
        return switch (value) {
            case String text -> text;
            case Boolean truth -> truth.toString();
            case Long number -> number.toString();
            case UnsignedLong number -> number.toString();
            case Double number -> shortest(number);
            case CelByteString bytes when bytes.isValidUtf8() -> bytes.toStringUtf8();
            case CelByteString bytes -> throw new IllegalArgumentException(
                    "error during formatting: invalid UTF-8 in bytes, cannot convert to string");
            case Duration duration -> duration(duration);
            case Instant instant -> timestamp(instant);
            case NullValue none -> "null";
            case TypeType type -> type.containingTypeName();
            case CelType type -> type.name();
            case List<?> list -> list.stream().map(GoText::literal).collect(Collectors.joining(", ", "[", "]"));
            case Map<?, ?> map -> map.entrySet().stream()
                    .map(entry -> key(entry.getKey()) + ":" + literal(entry.getValue())).sorted()
                    .collect(Collectors.joining(", ", "{", "}"));
            default -> throw new IllegalArgumentException("error during formatting: string clause can only be used on"
                    + " strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps");
        };
    }

    /** About how many characters of it are written. */
    static long length(Object value) {
        return switch (value) {
            case String text -> text.length();
            case CelByteString bytes -> bytes.size();
            case Double number -> number == 0 ? 1 : DIGIT * Math.abs(Math.getExponent(number));
            case List<?> list -> list.stream().mapToLong(GoText::length).sum();
            case Map<?, ?> map -> map.entrySet().stream()
                    .mapToLong(entry -> length(entry.getKey()) + length(entry.getValue())).sum();
            default -> 20;
        };
    }

    private static String key(Object key) {
        if (key instanceof String || key instanceof Boolean || key instanceof Long || key instanceof UnsignedLong) {
            return literal(key);
        }
        throw new IllegalArgumentException("error during formatting: no formatting function for such a key of a map");
    }

    /** As an element of a list or map. */
    private static String literal(Object value) {
        return switch (value) {
            case String text -> quoted(text);
            case CelByteString bytes -> "b" + quoted(bytes.toStringUtf8());
            case Duration duration -> "duration(" + quoted(duration(duration)) + ")";
            case Instant instant -> "timestamp(" + quoted(timestamp(instant)) + ")";
            case Double number when number.isNaN() || number.isInfinite() -> quoted(shortest(number));
            case Double number -> new BigDecimal(number).setScale(6, RoundingMode.HALF_EVEN).toPlainString();
            default -> text(value);
        };
    }

    static String timestamp(Instant instant) {
        String text = instant.toString();
        return text.contains(".") ? text.replaceFirst("0+Z$", "Z") : text;
    }

    static String duration(Duration duration) {
        // In Go, the seconds are a floating point number: the sum of two.
        long whole = duration.getSeconds() + (duration.isNegative() && duration.getNano() > 0 ? 1 : 0);
        double fraction = (duration.getNano() - (whole - duration.getSeconds()) * NANOS) / (double) NANOS;
        BigDecimal seconds = new BigDecimal(Double.toString(whole + fraction));
        return (seconds.signum() == 0 ? "0" : seconds.stripTrailingZeros().toPlainString()) + "s";
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\t' -> quoted.append("\\t");
                case '\r' -> quoted.append("\\r");
                default -> {
                    if (Character.isISOControl(c)) {
                        quoted.append(String.format(Locale.ROOT, "\\x%02x", c));
                    } else {
                        quoted.appendCodePoint(c);
                    }
                }
            }
        });
        return quoted.append('"').toString();
    }
}
