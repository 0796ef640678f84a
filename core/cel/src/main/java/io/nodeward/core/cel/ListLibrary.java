package io.nodeward.core.cel;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.CelIssue;
import dev.cel.common.Operator;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import dev.cel.parser.CelMacro;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What Kubernetes adds to lists. */
final class ListLibrary {
    private static final CelType ANY = TypeParamType.create("T");
    private static final CelType ANY_LIST = ListType.create(ANY);
    /** The total of all attributes of a device, so a longer list is none of them. */
    private static final int INCLUDES_LIMIT = 48;
    private static final String SORT_BY = "@sortByAssociatedKeys";
    private static final String SORTED = "@__sortBy_input__";

    private static final Map<String, CelType> SUMMABLE = new LinkedHashMap<>();
    private static final Map<String, CelType> COMPARABLE = new LinkedHashMap<>();
    private static final Map<String, Object> ZEROS = Map.of(
            "int", 0L, "uint", UnsignedLong.ZERO, "double", 0.0, "duration", Duration.ZERO);

    static {
        SUMMABLE.put("int", SimpleType.INT);
        SUMMABLE.put("uint", SimpleType.UINT);
        SUMMABLE.put("double", SimpleType.DOUBLE);
        SUMMABLE.put("duration", SimpleType.DURATION);
        COMPARABLE.putAll(SUMMABLE);
        COMPARABLE.put("bool", SimpleType.BOOL);
        COMPARABLE.put("timestamp", SimpleType.TIMESTAMP);
        COMPARABLE.put("string", SimpleType.STRING);
        COMPARABLE.put("bytes", SimpleType.BYTES);
    }

    private ListLibrary() {}

    static CelLibrary library(boolean includes) {
        CelLibrary library = new CelLibrary();
        COMPARABLE.forEach((name, type) -> {
            library.member("isSorted", "list_" + name + "_is_sorted_bool", SimpleType.BOOL, a -> isSorted(list(a[0])),
                    ListType.create(type));
            library.member("max", "list_" + name + "_max_" + name, type, a -> extreme("max", list(a[0]), 1),
                    ListType.create(type));
            library.member("min", "list_" + name + "_min_" + name, type, a -> extreme("min", list(a[0]), -1),
                    ListType.create(type));
            library.member("sort", "list_" + name + "_sort", ListType.create(type), a -> sorted(list(a[0]), list(a[0])),
                    ListType.create(type));
            library.function(SORT_BY, "list_" + name + "_sortByAssociatedKeys", ANY_LIST,
                    a -> sorted(list(a[0]), list(a[1])), ANY_LIST, ListType.create(type));
        });
        SUMMABLE.forEach((name, type) -> library.member("sum", "list_" + name + "_sum_" + name, type,
                a -> sum(list(a[0]), ZEROS.get(name)), ListType.create(type)));
        library.member("indexOf", "list_a_index_of_int", SimpleType.INT, a -> indexOf(list(a[0]), a[1]), ANY_LIST, ANY);
        library.member("lastIndexOf", "list_a_last_index_of_int", SimpleType.INT, a -> lastIndexOf(list(a[0]), a[1]),
                ANY_LIST, ANY);
        library.member("unwrapOpt", "optional_unwrapOpt", ANY_LIST, a -> unwrapped(list(a[0])),
                ListType.create(OptionalType.create(ANY)));
        if (includes) {
            library.member("includes", "dra_includes_dyn_dyn", SimpleType.BOOL, a -> includes(a[0], a[1]),
                    SimpleType.DYN, SimpleType.DYN);
        }
        return library;
    }

    /** {@code list.sortBy(element, key)}, where a key is computed for each element. */
    static CelMacro sortBy() {
        return CelMacro.newReceiverMacro("sortBy", 2, (factory, target, arguments) -> {
            if (arguments.get(0).exprKind().getKind() != CelExpr.ExprKind.Kind.IDENT) {
                return Optional.of(factory.reportError(CelIssue.formatError(
                        factory.getSourceLocation(arguments.get(0)),
                        "sortBy(var, ...) variable name must be a simple identifier")));
            }
            String accumulated = factory.getAccumulatorVarName();
            CelExpr keys = factory.fold(arguments.get(0).ident().name(), factory.newIdentifier(SORTED), accumulated,
                    factory.newList(), factory.newBoolLiteral(true),
                    factory.newGlobalCall(Operator.ADD.getFunction(), factory.newIdentifier(accumulated),
                            factory.newList(arguments.get(1))),
                    factory.newIdentifier(accumulated));
            return Optional.of(factory.fold("#unused", factory.newList(), SORTED, target, factory.newBoolLiteral(false),
                    factory.newIdentifier(SORTED),
                    factory.newGlobalCall(SORT_BY, factory.newIdentifier(SORTED), keys)));
        });
    }

    private static List<Object> sorted(List<?> list, List<?> keys) {
        if (list.size() != keys.size()) {
            throw new IllegalArgumentException("there are not as many keys as elements");
        }
        return IntStream.range(0, list.size()).boxed()
                .sorted((i, j) -> Values.compare(keys.get(i), keys.get(j))).<Object>map(list::get).toList();
    }

    private static List<?> list(Object argument) {
        return (List<?>) argument;
    }

    private static boolean isSorted(List<?> list) {
        for (int i = 1; i < list.size(); i++) {
            if (Values.compare(list.get(i - 1), list.get(i)) > 0) {
                return false;
            }
        }
        return true;
    }

    private static Object extreme(String name, List<?> list, int sign) {
        BinaryOperator<Object> better =
                (one, other) -> Integer.signum(Values.compare(one, other)) == -sign ? other : one;
        return list.stream().<Object>map(element -> element).reduce(better)
                .orElseThrow(() -> new IllegalArgumentException(name + " called on empty list"));
    }

    private static Object sum(List<?> list, @Nullable Object zero) {
        return list.stream().<Object>map(element -> element).reduce(Values::sum)
                .orElseGet(() -> zero == null ? 0L : zero);
    }

    private static long indexOf(List<?> list, Object element) {
        for (int i = 0; i < list.size(); i++) {
            if (Values.isEqual(list.get(i), element)) {
                return i;
            }
        }
        return -1;
    }

    private static long lastIndexOf(List<?> list, Object element) {
        for (int i = list.size() - 1; i >= 0; i--) {
            if (Values.isEqual(list.get(i), element)) {
                return i;
            }
        }
        return -1;
    }

    private static List<?> unwrapped(List<?> list) {
        return list.stream().flatMap(element -> ((Optional<?>) element).stream()).toList();
    }

    private static boolean includes(Object target, Object element) {
        if (!(target instanceof List<?> list)) {
            return Values.isEqual(target, element);
        }
        for (int i = 0; i < list.size(); i++) {
            if (i >= INCLUDES_LIMIT) {
                throw new IllegalArgumentException(
                        "'includes' function cannot be applied to lists longer than " + INCLUDES_LIMIT + " values");
            }
            if (Values.isEqual(list.get(i), element)) {
                return true;
            }
        }
        return false;
    }
}
