package io.nodeward.api.json;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One object, read by several projections: it comes once for all who read it.
 *
 * @param records by projection, at least one; a projection that cannot read the object has none
 */
public record Projected(Map<Projection<?>, KubernetesObject> records) implements KubernetesObject {
    public Projected {
        records = Map.copyOf(records);
    }

    @Override
    public Metadata metadata() {
        return records.values().iterator().next().metadata();
    }

    /** What this projection has made of the object; empty if it could not read the object. */
    @SuppressWarnings("unchecked") // the reader has put it there
    public <T extends KubernetesObject> Optional<T> as(Projection<T> projection) {
        return Optional.ofNullable((T) records.get(projection));
    }

    @Override
    public Projected withResourceVersion(String resourceVersion) {
        Map<Projection<?>, KubernetesObject> others = new LinkedHashMap<>();
        records.forEach((projection, record) -> others.put(projection, record.withResourceVersion(resourceVersion)));
        return new Projected(others);
    }
}
