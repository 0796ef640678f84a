package io.nodeward.core.cel;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.CelByteString;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** {@code "%s".format([value])}: clauses with what is between them, and how each writes its argument. */
record StringFormat(List<Clause> clauses) {
    private static final int DEFAULT_PRECISION = 6;
    private static final int LARGEST_PRECISION = 1000;
    private static final Set<String> NO_NUMBERS = Set.of("NaN", "Infinity", "-Infinity");
    private static final Map<Character, Set<CelKind>> KINDS = Map.of(
            'd', Set.of(CelKind.INT, CelKind.UINT),
            'f', Set.of(CelKind.DOUBLE, CelKind.STRING),
            'e', Set.of(CelKind.DOUBLE, CelKind.STRING),
            'b', Set.of(CelKind.INT, CelKind.UINT, CelKind.BOOL),
            'o', Set.of(CelKind.INT, CelKind.UINT),
            'x', Set.of(CelKind.INT, CelKind.UINT, CelKind.STRING, CelKind.BYTES),
            's', Set.of(CelKind.STRING, CelKind.BOOL, CelKind.BYTES, CelKind.INT, CelKind.UINT, CelKind.DOUBLE,
                    CelKind.MAP, CelKind.LIST, CelKind.TYPE, CelKind.DURATION, CelKind.TIMESTAMP, CelKind.NULL_TYPE));

    /** A text before an argument, and how this is written; the last one has no argument, which is a verb of 0. */
    private record Clause(String before, char verb, int precision) {}

    static CelLibrary library() {
        return new CelLibrary().member("format", "string_format", SimpleType.STRING,
                a -> parse((String) a[0]).apply((List<?>) a[1]), SimpleType.STRING,
                ListType.create(SimpleType.DYN));
    }

    /** @throws IllegalArgumentException if a clause is none */
    static StringFormat parse(String format) {
        List<Clause> clauses = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < format.length(); i++) {
            char c = format.charAt(i);
            if (c != '%') {
                text.append(c);
                continue;
            }
            if (++i < format.length() && format.charAt(i) == '%') {
                text.append('%');
                continue;
            }
            int end = i;
            if (end < format.length() && format.charAt(end) == '.') {
                end++;
                while (end < format.length() && Character.digit(format.charAt(end), 10) >= 0) {
                    end++;
                }
            }
            if (end >= format.length()) {
                throw new IllegalArgumentException("unexpected end of string");
            }
            char verb = format.charAt(end);
            if (!KINDS.containsKey(verb == 'X' ? 'x' : verb)) {
                throw new IllegalArgumentException(
                        "could not parse formatting clause: unrecognized formatting clause \"" + verb + "\"");
            }
            clauses.add(new Clause(text.toString(), verb, precision(format.substring(i, end))));
            text.setLength(0);
            i = end;
        }
        clauses.add(new Clause(text.toString(), (char) 0, 0));
        return new StringFormat(clauses);
    }

    private static int precision(String text) {
        if (text.isEmpty()) {
            return DEFAULT_PRECISION;
        }
        String digits = text.substring(1);
        if (digits.isEmpty() || digits.length() > 4 || Integer.parseInt(digits) > LARGEST_PRECISION) {
            throw new IllegalArgumentException("error while parsing precision: \"" + digits + "\"");
        }
        return Integer.parseInt(digits);
    }

    /** What is wrong with arguments of these types; empty if nothing is. */
    Optional<String> fault(List<CelType> types) {
        int wanted = clauses.size() - 1;
        for (int i = 0; i < wanted; i++) {
            if (i >= types.size()) {
                return Optional.of("index " + i + " out of range");
            }
            char verb = clauses.get(i).verb;
            CelKind kind = types.get(i).kind();
            if (kind != CelKind.DYN && kind != CelKind.TYPE_PARAM
                    && !KINDS.getOrDefault(verb == 'X' ? 'x' : verb, Set.of()).contains(kind)) {
                return Optional.of("error during formatting: %" + verb + " cannot write a value of the type "
                        + types.get(i).name());
            }
        }
        return types.size() <= wanted ? Optional.empty() : Optional.of("too many arguments supplied to string.format"
                + " (expected " + wanted + ", got " + types.size() + ")");
    }

    /** About as many characters as it writes, and as it takes to write them. */
    long length(List<?> arguments) {
        long length = 0;
        for (int i = 0; i < Math.min(clauses.size() - 1, arguments.size()); i++) {
            length += clauses.get(i).precision * GoText.DIGIT + GoText.length(arguments.get(i));
        }
        return length;
    }

    String apply(List<?> arguments) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < clauses.size(); i++) {
            Clause clause = clauses.get(i);
            text.append(clause.before);
            if (clause.verb != 0) {
                if (i >= arguments.size()) {
                    throw new IllegalArgumentException("index " + i + " out of range");
                }
                text.append(written(clause, arguments.get(i)));
            }
        }
        return text.toString();
    }

    private static String written(Clause clause, Object argument) {
        return switch (clause.verb) {
            case 's' -> GoText.text(argument);
            case 'd' -> integer(clause, argument, 10);
            case 'o' -> integer(clause, argument, 8);
            case 'b' -> argument instanceof Boolean truth ? truth ? "1" : "0" : integer(clause, argument, 2);
            case 'x' -> hexadecimal(clause, argument);
            case 'X' -> hexadecimal(clause, argument).toUpperCase(Locale.ROOT);
            case 'f' -> GoText.fixed(number(clause, argument), clause.precision);
            default -> GoText.scientific(number(clause, argument), clause.precision);
        };
    }

    private static String integer(Clause clause, Object argument, int radix) {
        return switch (argument) {
            case Long number -> Long.toString(number, radix);
            case UnsignedLong number -> number.toString(radix);
            default -> throw unfit(clause);
        };
    }

    private static String hexadecimal(Clause clause, Object argument) {
        return switch (argument) {
            case String text -> HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
            case CelByteString bytes -> HexFormat.of().formatHex(bytes.toByteArray());
            default -> integer(clause, argument, 16);
        };
    }

    private static double number(Clause clause, Object argument) {
        if (argument instanceof Double number) {
            return number;
        }
        if (argument instanceof String text && NO_NUMBERS.contains(text)) {
            return Double.parseDouble(text);
        }
        throw unfit(clause);
    }

    private static IllegalArgumentException unfit(Clause clause) {
        return new IllegalArgumentException("error during formatting: %" + clause.verb + " cannot write such a value");
    }
}
