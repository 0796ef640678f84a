package io.nodeward.core.cel;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.standard.CelStandardOverload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;

/** What the language's own functions do in Kubernetes otherwise than in dev.cel. */
final class LanguageLibrary {
    /** {@code map.?name}: dev.cel's own evaluates its operand twice, so that of a chain exponentially often. */
    static final String OPTIONAL_SELECTION = "select_optional_field_of_map";
    private static final Set<String> REPLACED = Set.of("EQUALS", "NOT_EQUALS", "IN_MAP", "DOUBLE_TO_STRING",
            "TIMESTAMP_TO_STRING", "DURATION_TO_MILLISECONDS", "MATCHES", "MATCHES_STRING", "STRING_TO_BOOL",
            "STRING_TO_DOUBLE", "STRING_TO_DURATION", "DURATION_TO_STRING", "STRING_TO_TIMESTAMP", "MODULO_INT64");
    /** Comparisons of which one side may be no number. */
    private static final Pattern ORDER =
            Pattern.compile("(LESS|GREATER)(_EQUALS)?(_DOUBLE|_DOUBLE_U?INT64|_U?INT64_DOUBLE)");
    private static final Map<String, IntPredicate> ORDERS = Map.of("less", order -> order < 0, "less_equals",
            order -> order <= 0, "greater", order -> order > 0, "greater_equals", order -> order >= 0);
    private static final Map<String, Class<?>> NUMBERS = Map.of("int64", Long.class, "uint64", UnsignedLong.class);

    private LanguageLibrary() {}

    static boolean isReplaced(CelStandardOverload overload) {
        return overload instanceof Enum<?> named
                && (REPLACED.contains(named.name()) || ORDER.matcher(named.name()).matches());
    }

    static CelLibrary library() {
        return ordered(texts(new CelLibrary()))
                .bind("string_to_bool", a -> GoValues.truth((String) a[0]), String.class)
                .bind("string_to_double", a -> GoValues.number((String) a[0]), String.class)
                .bind("string_to_duration", a -> GoValues.duration((String) a[0]), String.class)
                .bind("string_to_timestamp", a -> GoValues.timestamp((String) a[0]), String.class)
                .bind("equals", a -> Values.equal(a[0], a[1]), Object.class, Object.class)
                .bind("not_equals", a -> !Values.equal(a[0], a[1]), Object.class, Object.class)
                .bind("in_map", a -> Values.isKey(a[0], (Map<?, ?>) a[1]), Object.class, Map.class)
                .bind("double_to_string", a -> GoText.shortest((Double) a[0]), Double.class)
                .bind("timestamp_to_string", a -> GoText.timestamp((Instant) a[0]), Instant.class)
                .bind("duration_to_string", a -> GoText.duration((Duration) a[0]), Duration.class)
                .bind("duration_to_milliseconds", a -> ((Duration) a[0]).toMillis(), Duration.class)
                .bind("matches", a -> RegexSearch.matches((String) a[0], (String) a[1]), String.class, String.class)
                .bind("matches_string", a -> RegexSearch.matches((String) a[0], (String) a[1]), String.class,
                        String.class)
                .bind(OPTIONAL_SELECTION, a -> select(a[0], (String) a[1]), Object.class, String.class)
                .bind("modulo_int64", a -> modulo((Long) a[0], (Long) a[1]), Long.class, Long.class)
                .function("int", "duration_to_int64", SimpleType.INT, a -> ((Duration) a[0]).toNanos(),
                        SimpleType.DURATION);
    }

    private static CelLibrary ordered(CelLibrary library) {
        ORDERS.forEach((name, holds) -> {
            CelLibrary.Body body = a -> holds.test(Values.order((Number) a[0], (Number) a[1]));
            library.bind(name + "_double", body, Double.class, Double.class);
            NUMBERS.forEach((type, other) -> library.bind(name + "_double_" + type, body, Double.class, other)
                    .bind(name + "_" + type + "_double", body, other, Double.class));
        });
        return library;
    }

    private static CelLibrary texts(CelLibrary library) {
        return library
                .member("split", "string_split_string", CelLibrary.STRINGS,
                        a -> TextParts.split((String) a[0], (String) a[1], -1), SimpleType.STRING, SimpleType.STRING)
                .member("split", "string_split_string_int", CelLibrary.STRINGS,
                        a -> TextParts.split((String) a[0], (String) a[1], (Long) a[2]), SimpleType.STRING,
                        SimpleType.STRING, SimpleType.INT)
                .member("replace", "string_replace_string_string", SimpleType.STRING,
                        a -> TextParts.replace((String) a[0], (String) a[1], (String) a[2], -1), SimpleType.STRING,
                        SimpleType.STRING, SimpleType.STRING)
                .member("replace", "string_replace_string_string_int", SimpleType.STRING,
                        a -> TextParts.replace((String) a[0], (String) a[1], (String) a[2], (Long) a[3]),
                        SimpleType.STRING, SimpleType.STRING, SimpleType.STRING, SimpleType.INT)
                .member("join", "list_join", SimpleType.STRING, a -> TextParts.join((List<?>) a[0], ""),
                        CelLibrary.STRINGS)
                .member("join", "list_join_string", SimpleType.STRING,
                        a -> TextParts.join((List<?>) a[0], (String) a[1]), CelLibrary.STRINGS, SimpleType.STRING)
                .member("indexOf", "string_index_of_string", SimpleType.INT, a -> indexOf(a, 0, String::indexOf),
                        SimpleType.STRING, SimpleType.STRING)
                .member("indexOf", "string_index_of_string_int", SimpleType.INT,
                        a -> indexOf(a, (Long) a[2], String::indexOf),
                        SimpleType.STRING, SimpleType.STRING, SimpleType.INT)
                .member("lastIndexOf", "string_last_index_of_string", SimpleType.INT,
                        a -> indexOf(a, Math.max(0, length(a[0]) - (a[1].equals("") ? 0 : 1)), String::lastIndexOf),
                        SimpleType.STRING, SimpleType.STRING)
                .member("lastIndexOf", "string_last_index_of_string_int", SimpleType.INT,
                        a -> indexOf(a, (Long) a[2], String::lastIndexOf), SimpleType.STRING, SimpleType.STRING,
                        SimpleType.INT);
    }

    private static long modulo(long number, long divisor) {
        if (divisor == 0) {
            throw new IllegalArgumentException("modulus by zero");
        }
        if (number == Long.MIN_VALUE && divisor == -1) {
            throw new IllegalArgumentException("integer overflow");
        }
        return number % divisor;
    }

    private static Optional<?> select(Object operand, String name) {
        if (operand instanceof Optional<?> optional) {
            return optional.flatMap(present -> select(present, name));
        }
        if (operand instanceof Map<?, ?> map) {
            return Optional.ofNullable(map.get(name));
        }
        throw new IllegalArgumentException("no such overload");
    }

    private static long length(Object text) {
        String string = (String) text;
        return string.codePointCount(0, string.length());
    }

    /** Where {@code search} finds an argument in another one, in characters. */
    private static long indexOf(Object[] arguments, long from, Search search) {
        String text = (String) arguments[0];
        if (isOutside(arguments, from)) {
            return arguments[1].equals("") ? from : -1;
        }
        int index = search.find(text, (String) arguments[1], text.offsetByCodePoints(0, (int) from));
        return index < 0 ? -1 : text.codePointCount(0, index);
    }

    private interface Search {
        int find(String text, String what, int from);
    }

    /** Where nothing is found: an empty text is found everywhere, and another one only within. */
    private static boolean isOutside(Object[] arguments, long from) {
        if (from < 0 && !arguments[1].equals("")) {
            throw new IllegalArgumentException("index out of range: " + from);
        }
        return arguments[1].equals("") || from >= length(arguments[0]);
    }
}
