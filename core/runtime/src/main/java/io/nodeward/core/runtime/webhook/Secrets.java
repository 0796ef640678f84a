package io.nodeward.core.runtime.webhook;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.core.SecretData;
import io.nodeward.api.json.Projection;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Patch;
import java.io.IOException;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads and writes single Secrets. What is in them is in no text and no log. */
final class Secrets {
    private static final String TLS = "kubernetes.io/tls";

    private final ApiServer server;
    private final ManagedObjects objects;

    /** @param objects whose component writes them */
    Secrets(ApiServer server, ManagedObjects objects) {
        this.server = server;
        this.objects = objects;
    }

    Optional<SecretData> find(ObjectKey key) {
        try {
            return Optional.of(Projection.SECRET_DATA.read(server.get(Resources.SECRETS, key)));
        } catch (ApiFailure.NotFound absent) {
            return Optional.empty();
        } catch (IOException e) {
            throw ApiFailure.unreachable("GET of Secret " + key, "the reply is no JSON object", new IOException());
        }
    }

    /** Whether the component manages it, with or without labels; it is read whole, which is needed for this alone. */
    boolean isManaged(ObjectKey key) {
        try {
            return objects.manages(Trees.read(server.get(Resources.SECRETS, key)));
        } catch (IOException e) {
            throw ApiFailure.unreachable("GET of Secret " + key, "the reply is no JSON object", new IOException());
        }
    }

    /**
     * Labels it.
     *
     * @throws ApiFailure.Conflict if it has changed since it was read
     */
    SecretData label(SecretData read) {
        Tree patch = Tree.of(Map.of("metadata",
                Map.of("resourceVersion", read.metadata().resourceVersion(), "labels", objects.labels())));
        byte[] labelled = server.patch(
                Resources.SECRETS, read.key(), Patch.merge(Trees.written(patch), objects.fieldManager()));
        try {
            return Projection.SECRET_DATA.read(labelled);
        } catch (IOException e) {
            throw ApiFailure.unreachable("PATCH of Secret " + read.key(), "the reply is no JSON object",
                    new IOException());
        }
    }

    /** @throws ApiFailure.AlreadyExists if somebody else was quicker */
    void create(ObjectKey key, Map<String, byte[]> data) {
        Tree secret = Tree.of(Map.of(
                "apiVersion", "v1",
                "kind", "Secret",
                "metadata", Map.of("namespace", key.namespace(), "name", key.name(), "labels", objects.labels(),
                        "annotations", objects.annotations()),
                "type", TLS,
                "data", encoded(data)));
        server.create(Resources.SECRETS, key.namespace(), Trees.written(secret), objects.fieldManager());
    }

    /**
     * Puts other data in the place of those that were read.
     *
     * @throws ApiFailure.Conflict if it has changed since
     */
    void replace(SecretData read, Map<String, byte[]> data) {
        Map<String, Object> change = new TreeMap<>();
        read.data().keySet().forEach(name -> change.put(name, Tree.ABSENT));
        change.putAll(encoded(data));
        Tree patch = Tree.of(Map.of(
                "metadata", Map.of("resourceVersion", read.metadata().resourceVersion(), "labels", objects.labels()),
                "data", change));
        server.patch(Resources.SECRETS, read.key(), Patch.merge(Trees.written(patch), objects.fieldManager()));
    }

    private static Map<String, Object> encoded(Map<String, byte[]> data) {
        Map<String, Object> encoded = new TreeMap<>();
        data.forEach((name, bytes) -> encoded.put(name, Base64.getEncoder().encodeToString(bytes)));
        return encoded;
    }
}
