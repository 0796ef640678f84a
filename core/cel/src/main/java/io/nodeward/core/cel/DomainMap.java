package io.nodeward.core.cel;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Values by domain and name. What an unknown domain holds is an empty map, although it is none of the keys. */
final class DomainMap extends AbstractMap<String, Object> {
    private final Map<String, Object> known;

    DomainMap(Map<String, Object> known) {
        this.known = known;
    }

    @Override
    public Object get(@Nullable Object domain) {
        Object values = domain == null ? null : known.get(domain);
        return values == null ? Map.of() : values;
    }

    /** Of a selection and of {@code has}, which Kubernetes answers by what {@link #get} finds. */
    @Override
    public boolean containsKey(@Nullable Object domain) {
        return true;
    }

    /** Of {@code in}, which looks at the keys. */
    boolean isKnown(Object domain) {
        return known.containsKey(domain);
    }

    @Override
    public Set<Entry<String, Object>> entrySet() {
        return known.entrySet();
    }
}
