package io.nodeward.core.runtime.webhook;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.core.SecretData;
import io.nodeward.api.json.Projection;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Patch;
import java.io.IOException;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads and writes single Secrets. What is in them is in no text and no log. */
final class Secrets {
    private static final String TLS = "kubernetes.io/tls";

    private final HomeCluster home;
    private final ManagedObjects objects;

    /** @param objects whose component writes them */
    Secrets(HomeCluster home, ManagedObjects objects) {
        this.home = home;
        this.objects = objects;
    }

    Optional<SecretData> find(ObjectKey key) {
        return home.read(Resources.SECRETS, Projection.SECRET_DATA, key);
    }

    /** Whether the component manages it, with or without labels; it is read whole, which is needed for this alone. */
    boolean isManaged(ObjectKey key) {
        return home.read(Resources.SECRETS, key).filter(objects::manages).isPresent();
    }

    /** @throws ApiFailure.AlreadyExists if somebody else was quicker */
    void create(ObjectKey key, Map<String, byte[]> data) {
        Tree secret = Tree.of(Map.of("apiVersion", "v1", "kind", "Secret", "type", TLS, "data", encoded(data),
                "metadata", metadata(Map.of("namespace", key.namespace(), "name", key.name()), Map.of())));
        home.server().create(Resources.SECRETS, key.namespace(), Trees.written(secret), objects.fieldManager());
    }

    /**
     * Puts labels and annotations on it.
     *
     * @throws ApiFailure.Conflict if it has changed since it was read
     */
    SecretData label(SecretData read) {
        byte[] labelled = patch(read, Map.of());
        try {
            return Projection.SECRET_DATA.read(labelled);
        } catch (IOException e) {
            throw ApiFailure.unreachable("PATCH of Secret " + read.key(), "the reply is no JSON object",
                    new IOException());
        }
    }

    /**
     * Puts other data in the place of those that were read.
     *
     * @throws ApiFailure.Conflict if it has changed since
     */
    void replace(SecretData read, Map<String, byte[]> data) {
        Map<String, Object> change = encoded(data);
        read.data().keySet().forEach(name -> change.putIfAbsent(name, Tree.ABSENT));
        patch(read, Map.of("data", change));
    }

    private byte[] patch(SecretData read, Map<String, Object> fields) {
        Map<String, Object> patch = new TreeMap<>(fields);
        patch.put("metadata", metadata(Map.of("resourceVersion", read.metadata().resourceVersion()),
                read.metadata().annotations()));
        return home.server().patch(
                Resources.SECRETS, read.key(), Patch.merge(Trees.written(Tree.of(patch)), objects.fieldManager()));
    }

    /**
     * By which what cleans up finds it later.
     *
     * @param before its annotations until now: of a Service at which the component is reached no more
     */
    private Map<String, Object> metadata(Map<String, Object> more, Map<String, String> before) {
        Map<String, Object> annotations = new TreeMap<>(objects.annotations());
        if (before.containsKey(ManagedObjects.SERVICE)) {
            annotations.putIfAbsent(ManagedObjects.SERVICE, Tree.ABSENT);
        }
        Map<String, Object> metadata = new TreeMap<>(more);
        metadata.put("labels", objects.labels());
        metadata.put("annotations", annotations);
        return metadata;
    }

    private static Map<String, Object> encoded(Map<String, byte[]> data) {
        Map<String, Object> encoded = new TreeMap<>();
        data.forEach((name, bytes) -> encoded.put(name, Base64.getEncoder().encodeToString(bytes)));
        return encoded;
    }
}
