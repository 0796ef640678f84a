package io.nodeward.cli.snapshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.fleet.Pause;

/**
 * One object, from a file or a server.
 *
 * @param source the file and which document of it, or the server
 */
public record Manifest(ObjectNode json, String source) {
    /** What it is, whatever its version. */
    public record Id(String group, String kind, ObjectKey key) {
        @Override
        public String toString() {
            return kind + " " + key;
        }
    }

    public Id id() {
        String version = json.path("apiVersion").asText();
        int slash = version.indexOf('/');
        return new Id(slash < 0 ? "" : version.substring(0, slash), json.path("kind").asText(),
                new ObjectKey(json.at("/metadata/namespace").asText(), json.at("/metadata/name").asText()));
    }

    /** Whether its own annotation pauses it. */
    public boolean isPaused() {
        return Pause.isAnnotated(json.at("/metadata/annotations")::has);
    }

    /** An error that names the object and where it stands. */
    public IllegalArgumentException error(String what) {
        return new IllegalArgumentException(source + ": " + id() + ": " + what);
    }
}
