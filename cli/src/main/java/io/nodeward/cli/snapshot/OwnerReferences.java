package io.nodeward.cli.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.core.rules.fleet.Lineage;
import java.util.Optional;

/** Reads {@code metadata.ownerReferences}. */
public final class OwnerReferences {
    private static final String BY_HAND = ClusterApi.GROUP + "/v1beta2";

    private OwnerReferences() {}

    /** The owner that made an object. */
    public static Optional<OwnerRef> maker(JsonNode object) {
        return Lineage.maker(object.at("/metadata/ownerReferences").valueStream().map(OwnerReferences::read).toList());
    }

    /** One of them. What is written by hand, without a uid, may leave out the group, and that the owner controls. */
    public static OwnerRef read(JsonNode reference) {
        String uid = reference.path("uid").asText();
        return new OwnerRef(reference.path("apiVersion").asText(BY_HAND), reference.path("kind").asText(),
                reference.path("name").asText(), uid, reference.path("controller").asBoolean(uid.isEmpty()));
    }
}
