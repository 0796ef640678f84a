package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** What the server puts into the metadata of a new object, and what it refuses there. */
final class Creation {
    private static final String SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    private Creation() {}

    /** @param now in RFC 3339 */
    static ObjectNode metadata(Kind kind, String version, String namespace, ObjectNode given, String now) {
        ObjectNode metadata = tidyForCreate(kind, version, given);
        if (metadata.has("resourceVersion")) {
            throw Refusal.of(500, "", "resourceVersion should not be set on objects to be created");
        }
        if (kind.namespaced()) {
            if (!metadata.path("namespace").asText(namespace).equals(namespace)) {
                throw Refusal.badRequest(
                        "the namespace of the provided object does not match the namespace sent on the request");
            }
            metadata.put("namespace", namespace);
        } else {
            metadata.remove("namespace");
        }
        if (!metadata.has("name") && metadata.has("generateName")) {
            metadata.put("name", Json.text(metadata, "generateName") + suffix());
        }
        metadata.put("uid", UUID.randomUUID().toString()).put("creationTimestamp", now);
        metadata.remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds", "generation"));
        if (kind.hasGenerations()) {
            metadata.put("generation", 1);
        }
        return Metadata.tidy(metadata);
    }

    private static ObjectNode tidyForCreate(Kind kind, String version, ObjectNode given) {
        try {
            return Metadata.tidy(given.path("metadata"));
        } catch (IllegalArgumentException e) {
            throw Refusal
                    .badRequest(kind.name() + " in version \"" + version + "\" cannot be handled as a " + kind.name()
                            + ": " + e.getMessage());
        }
    }

    private static String suffix() {
        StringBuilder suffix = new StringBuilder();
        ThreadLocalRandom.current()
                .ints(5, 0, SUFFIX_LETTERS.length())
                .forEach(i -> suffix.append(SUFFIX_LETTERS.charAt(i)));
        return suffix.toString();
    }
}
