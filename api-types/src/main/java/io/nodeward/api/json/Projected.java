package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One object, read by several projections: it comes once for all who read it.
 *
 * @param records by projection, at least one
 */
public record Projected(Map<Projection<?>, KubernetesObject> records) implements KubernetesObject {
    public Projected {
        records = Map.copyOf(records);
    }

    @Override
    public Metadata metadata() {
        return records.values().iterator().next().metadata();
    }

    /** What this projection, one of those that have read the object, has made of it. */
    @SuppressWarnings("unchecked") // read() has put it there
    public <T extends KubernetesObject> T as(Projection<T> projection) {
        KubernetesObject found = records.get(projection);
        if (found == null) {
            throw new IllegalArgumentException("this projection has not read the object");
        }
        return (T) found;
    }

    @Override
    public Projected withResourceVersion(String resourceVersion) {
        Map<Projection<?>, KubernetesObject> others = new LinkedHashMap<>();
        records.forEach((projection, record) -> others.put(projection, record.withResourceVersion(resourceVersion)));
        return new Projected(others);
    }

    static Projected read(JsonParser p, Collection<Projection<?>> projections) throws IOException {
        Map<Projection<?>, KubernetesObject> records = new LinkedHashMap<>();
        try (TokenBuffer object = new TokenBuffer(p)) {
            object.copyCurrentStructure(p);
            for (Projection<?> projection : projections) {
                try (JsonParser again = object.asParser()) {
                    again.nextToken();
                    records.put(projection, projection.read(again));
                }
            }
        }
        return new Projected(records);
    }
}
