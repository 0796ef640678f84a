package io.nodeward.core.fakeapi;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** All stores, by resource. */
final class Registry {
    private final AtomicLong versions = new AtomicLong();
    private final Map<String, Store> stores = new TreeMap<>();

    Registry(List<Kind> kinds, int history) {
        kinds.forEach(kind -> stores.put(kind.resource(), new Store(kind, versions, history)));
    }

    List<Store> stores() {
        return List.copyOf(stores.values());
    }

    long version() {
        return versions.get();
    }

    /** By plural, with group where two kinds share it. */
    Store store(String resource) {
        Store exact = stores.get(resource);
        if (exact != null) {
            return exact;
        }
        return stores.values().stream()
                .filter(s -> s.kind().plural().equals(resource))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such resource: " + resource));
    }

    Optional<Store> served(String group, String version, String plural) {
        return Optional.ofNullable(stores.get(group.isEmpty() ? plural : plural + "." + group))
                .filter(s -> s.kind().versions().contains(version));
    }

    /** Whether the group version belongs to the API server itself, which answers for unknown paths in it with a Status. */
    boolean isBuiltIn(String group, String version) {
        return stores.values().stream().anyMatch(s -> !s.kind().custom()
                && s.kind().group().equals(group) && s.kind().versions().contains(version));
    }
}
