package io.nodeward.cli.snapshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.fleet.Pause;
import java.util.Map;
import java.util.Optional;

/**
 * One object, from a file or a server.
 *
 * @param source the file and which document of it, or the server
 * @param places of its fields in the file, by path; none where nobody asks for them
 */
public record Manifest(ObjectNode json, String source, Map<String, Place> places) {
    static final String DEFINITIONS = "apiextensions.k8s.io";
    static final String DEFINITION = "CustomResourceDefinition";

    public Manifest(ObjectNode json, String source) {
        this(json, source, Map.of());
    }

    /** What it is, whatever its version. */
    public record Id(String group, String kind, ObjectKey key) {
        @Override
        public String toString() {
            return kind + " " + key;
        }
    }

    public Id id() {
        return new Id(group(json), json.path("kind").asText(),
                new ObjectKey(json.at("/metadata/namespace").asText(), json.at("/metadata/name").asText()));
    }

    private static String group(ObjectNode json) {
        String version = json.path("apiVersion").asText();
        return version.substring(0, Math.max(0, version.indexOf('/')));
    }

    /** Returns its version within its group. */
    public String version() {
        String version = json.path("apiVersion").asText();
        return version.substring(version.indexOf('/') + 1);
    }

    /** Returns whether it is of Cluster API, of one of its providers, or of Nodeward. */
    public boolean hasKnownGroup() {
        return isKnown(group(json));
    }

    /** Returns whether it is the CRD of such a kind. */
    public boolean isDefinition() {
        return json.path("apiVersion").asText().equals(DEFINITIONS + "/v1")
                && json.path("kind").asText().equals(DEFINITION)
                && isKnown(json.at("/spec/group").asText());
    }

    private static boolean isKnown(String group) {
        return group.equals(DedicatedNodes.DEFINITION.group()) || group.equals(ClusterApi.GROUP)
                || group.endsWith('.' + ClusterApi.GROUP);
    }

    /** Returns the place of a field in the file, or that of the nearest one around it which the file has. */
    public Optional<Place> place(String field) {
        String at = field;
        while (!at.isEmpty() && !places.containsKey(at)) {
            at = at.substring(0, Math.max(0, Math.max(at.lastIndexOf('.'), at.lastIndexOf('['))));
        }
        return Optional.ofNullable(places.get(at));
    }

    /** Whether its own annotation pauses it. */
    public boolean isPaused() {
        return Pause.isAnnotated(json.at("/metadata/annotations")::has);
    }

    /** An error that names the object and where it stands. */
    public IllegalArgumentException error(String what) {
        return new IllegalArgumentException(source + ": " + id() + ": " + what);
    }

    /** Says what is wrong with a field, and where the object and the field stand. */
    public String fault(String field, String what) {
        return source + place(field).map(at -> ", " + at).orElse("") + ": " + id() + ": "
                + (field.isEmpty() ? "" : field + ": ") + what;
    }
}
