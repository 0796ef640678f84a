package io.nodeward.core.runtime.cluster;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How much a record holds, whatever its kind: the characters of all its texts, and something for each value. */
final class RecordSize {
    /** Characters that a value takes beside its text: millions of empty texts are not nothing. */
    private static final int PER_VALUE = 16;

    private static final ClassValue<Method[]> ACCESSORS = new ClassValue<>() {
        @Override
        protected Method[] computeValue(Class<?> type) {
            return Arrays.stream(type.getRecordComponents()).map(RecordComponent::getAccessor).map(accessor -> {
                accessor.setAccessible(true); // a controller's own record need not be public
                return accessor;
            }).toArray(Method[]::new);
        }
    };

    private RecordSize() {}

    static long characters(@Nullable Object value) {
        return PER_VALUE + switch (value) {
            case null -> 0;
            case String text -> text.length();
            case byte[] bytes -> bytes.length;
            case Map<?, ?> map -> ofAll(map.keySet()) + ofAll(map.values());
            case Collection<?> values -> ofAll(values);
            case Optional<?> optional -> characters(optional.orElse(null));
            case Record record -> ofComponents(record);
            default -> 0;
        };
    }

    private static long ofAll(Collection<?> values) {
        long characters = 0;
        for (Object value : values) {
            characters += characters(value);
        }
        return characters;
    }

    private static long ofComponents(Record record) {
        long characters = 0;
        for (Method accessor : ACCESSORS.get(record.getClass())) {
            try {
                characters += characters(accessor.invoke(record));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("cannot read " + accessor, e);
            }
        }
        return characters;
    }
}
