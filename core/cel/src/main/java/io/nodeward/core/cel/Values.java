package io.nodeward.core.cel;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.CelOptions;
import dev.cel.common.values.CelByteString;
import dev.cel.runtime.RuntimeEquality;
import dev.cel.runtime.RuntimeHelpers;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;

/** What values of expressions have in common: equality, order and sums. */
final class Values {
    private static final RuntimeEquality EQUALITY = RuntimeEquality.create(RuntimeHelpers.create(), CelOptions.DEFAULT);

    private Values() {}

    /** Of an element with what is looked for: what cannot be compared is not equal. */
    static boolean isEqual(Object one, Object other) {
        return EQUALITY.objectEquals(one, other);
    }

    /** Of the language's operator: what Kubernetes adds to the language can be compared with its like alone. */
    static boolean equal(Object one, Object other) {
        boolean added = one instanceof Quantity || one instanceof Semver || one instanceof Url
                || one instanceof NamedFormat || one instanceof IpAddress || one instanceof IpRange;
        if (added && !one.getClass().equals(other.getClass())) {
            throw new IllegalArgumentException("no such overload");
        }
        return isEqual(one, other);
    }

    /** Of the language's operator {@code in}. */
    static boolean isKey(Object key, Map<?, ?> map) {
        return map instanceof DomainMap domains ? domains.isKnown(key) : EQUALITY.findInMap(map, key).isPresent();
    }

    static int compare(Object one, Object other) {
        if (one instanceof String text && other instanceof String otherText) {
            return compareCodePoints(text, otherText);
        }
        if (one instanceof Number number && other instanceof Number otherNumber) {
            return compareNumbers(number, otherNumber);
        }
        if (one instanceof Boolean truth && other instanceof Boolean otherTruth) {
            return truth.compareTo(otherTruth);
        }
        if (one instanceof Duration duration && other instanceof Duration otherDuration) {
            return duration.compareTo(otherDuration);
        }
        if (one instanceof Instant instant && other instanceof Instant otherInstant) {
            return instant.compareTo(otherInstant);
        }
        if (one instanceof CelByteString bytes && other instanceof CelByteString otherBytes) {
            return Arrays.compareUnsigned(bytes.toByteArray(), otherBytes.toByteArray());
        }
        throw new IllegalArgumentException("no such overload");
    }

    private static int compareCodePoints(String one, String other) {
        return Arrays.compare(one.codePoints().toArray(), other.codePoints().toArray());
    }

    /** Of the language's operators: what is no number has no order. */
    static int order(Number one, Number other) {
        if (Double.isNaN(one.doubleValue()) || Double.isNaN(other.doubleValue())) {
            throw new IllegalArgumentException("NaN values cannot be ordered");
        }
        return compareNumbers(one, other);
    }

    private static int compareNumbers(Number one, Number other) {
        if (one instanceof Long a && other instanceof Long b) {
            return a.compareTo(b);
        }
        if (one instanceof Double || other instanceof Double) {
            double a = one.doubleValue();
            double b = other.doubleValue();
            return a == b ? 0 : Double.compare(a, b); // also of zeros with different signs
        }
        return new BigInteger(one.toString()).compareTo(new BigInteger(other.toString()));
    }

    static Object sum(Object one, Object other) {
        if (one instanceof Long a && other instanceof Long b) {
            return Math.addExact(a, b);
        }
        if (one instanceof UnsignedLong a && other instanceof UnsignedLong b) {
            return RuntimeHelpers.uint64Add(a, b);
        }
        if (one instanceof Double a && other instanceof Double b) {
            return a + b;
        }
        if (one instanceof Duration a && other instanceof Duration b) {
            return a.plus(b);
        }
        throw new IllegalArgumentException("no such overload");
    }
}
