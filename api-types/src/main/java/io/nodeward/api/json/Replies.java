package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.meta.Metadata;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Small replies of an API server. */
public final class Replies {
    private Replies() {}

    /** The metadata of an object or of a {@code PartialObjectMetadata}. */
    public static Metadata metadata(byte[] object) throws IOException {
        return Projection.METADATA.read(object).metadata();
    }

    /** The versions an {@code APIGroup} serves, the server's preference first. */
    public static List<String> groupVersions(byte[] apiGroup) throws IOException {
        List<String> versions = new ArrayList<>();
        read(apiGroup, (field, value) -> {
            if (field.equals("versions")) {
                Json.elements(value, element -> Json.fields(element, (name, v) -> {
                    if (name.equals("version")) {
                        versions.add(Json.text(v));
                    } else {
                        v.skipChildren();
                    }
                }));
            } else {
                value.skipChildren();
            }
        });
        return versions;
    }

    /** The plurals that an {@code APIResourceList} names; subresources, with a slash in theirs, are not among them. */
    public static Set<String> resources(byte[] apiResourceList) throws IOException {
        Set<String> names = new HashSet<>();
        read(apiResourceList, (field, value) -> {
            if (field.equals("resources")) {
                Json.elements(value, element -> Json.fields(element, (name, v) -> {
                    if (name.equals("name")) {
                        names.add(Json.text(v));
                    } else {
                        v.skipChildren();
                    }
                }));
            } else {
                value.skipChildren();
            }
        });
        names.removeIf(name -> name.contains("/"));
        return names;
    }

    /** The plural by which an {@code APIResourceList} serves a kind; empty if it does not. */
    public static Optional<String> plural(byte[] apiResourceList, String kind) throws IOException {
        List<String> plurals = new ArrayList<>(1);
        read(apiResourceList, (field, value) -> {
            if (field.equals("resources")) {
                Json.elements(value, element -> {
                    Map<String, String> resource = new HashMap<>();
                    Json.fields(element, (name, v) -> {
                        if (name.equals("name") || name.equals("kind")) {
                            resource.put(name, Json.text(v));
                        } else {
                            v.skipChildren();
                        }
                    });
                    String plural = resource.getOrDefault("name", "");
                    if (kind.equals(resource.get("kind")) && !plural.contains("/")) {
                        plurals.add(plural);
                    }
                });
            } else {
                value.skipChildren();
            }
        });
        return plurals.stream().findFirst();
    }

    /** A text of an object's status; empty if it is not there. */
    public static String status(byte[] object, String field) throws IOException {
        List<String> texts = new ArrayList<>(1);
        read(object, (part, value) -> {
            if (part.equals("status")) {
                Json.fields(value, (name, v) -> {
                    if (name.equals(field)) {
                        texts.add(Json.text(v));
                    } else {
                        v.skipChildren();
                    }
                });
            } else {
                value.skipChildren();
            }
        });
        return texts.isEmpty() ? "" : texts.get(0);
    }

    /** Whether the status of an infrastructure's object says that it has been set up, in either version's way. */
    public static boolean isProvisioned(byte[] object) throws IOException {
        boolean[] provisioned = {false};
        read(object, (part, status) -> fieldsOf("status", part, status, (name, v) -> {
            if (name.equals("ready")) {
                provisioned[0] |= Json.isTrue(v);
            } else {
                fieldsOf("initialization", name, v, (step, done) -> provisioned[0] |=
                        Json.isTrue(done) && step.equals("provisioned"));
            }
        }));
        return provisioned[0];
    }

    /** Reads the fields of this one and skips all others. */
    private static void fieldsOf(String wanted, String field, JsonParser p, Json.FieldReader reader)
            throws IOException {
        if (field.equals(wanted)) {
            Json.fields(p, reader);
        } else {
            p.skipChildren();
        }
    }

    private static void read(byte[] object, Json.FieldReader reader) throws IOException {
        try (JsonParser p = Json.parser(object)) {
            p.nextToken();
            Json.fields(p, reader);
        }
    }
}
