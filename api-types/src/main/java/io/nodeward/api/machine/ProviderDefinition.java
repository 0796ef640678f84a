package io.nodeward.api.machine;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The CustomResourceDefinition of a kind, as far as it says where the kind takes declared taints.
 *
 * @param metadata of its labels only those of Cluster API, which name the versions that keep a contract; no annotations
 * @param places by served version, where its schema has a list of them; a version that has none is there all the same
 */
public record ProviderDefinition(
        Metadata metadata, String group, String kind, String plural, Map<String, Set<TaintPlace>> places)
        implements KubernetesObject {
    public ProviderDefinition {
        Map<String, Set<TaintPlace>> copies = new TreeMap<>();
        places.forEach((version, declared) -> copies.put(version, Set.copyOf(declared)));
        places = Map.copyOf(copies);
    }

    /** Whether the schema of a version has the list in a place. */
    public boolean declares(String version, TaintPlace place) {
        return places.getOrDefault(version, Set.of()).contains(place);
    }

    @Override
    public ProviderDefinition withResourceVersion(String resourceVersion) {
        return new ProviderDefinition(metadata.withResourceVersion(resourceVersion), group, kind, plural, places);
    }
}
