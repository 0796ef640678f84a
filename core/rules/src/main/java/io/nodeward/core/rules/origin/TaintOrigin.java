package io.nodeward.core.rules.origin;

import io.nodeward.api.node.Taint;
import java.util.List;
import java.util.Optional;

/**
 * Where one taint of a Node comes from.
 *
 * @param by the object, program or person it comes from; empty if that is not known
 * @param certain whether that follows from what is recorded; else it is what most likely happened
 * @param because one sentence
 * @param path objects that declare it, from the Machine or MachinePool up to the source; empty if it is not declared
 */
public record TaintOrigin(
        Taint taint,
        Source source,
        String by,
        boolean certain,
        String because,
        List<DeclaringObject> path,
        Status status,
        Optional<Since> since,
        List<Tracking> tracked) {
    public TaintOrigin {
        path = List.copyOf(path);
        tracked = List.copyOf(tracked);
    }

    /** Whether it is declared, and what becomes of it for that. */
    public enum Status {
        /** For as long as it is declared. */
        ALWAYS("declared"),
        /** For the Node's initialization: who waits for it may take it off, and it does not come back. */
        ONCE("declared for initialization"),
        /** With another value, which the next write brings. */
        OTHER_VALUE("declared with another value"),
        /** In a way that cannot be carried out, so that it stays as it is. */
        HELD("declared, but cannot be carried out"),
        /** It was, and goes with the next write. */
        NO_MORE("no longer declared"),
        /** By an object that is not among those that are known. */
        UNSEEN("declared by what is not known here"),
        /** A group of dedicated Nodes has given it to the Node, and takes it off once none declares it. */
        DEDICATED_NODES("managed by DedicatedNodes"),
        /** It is somebody else's, and stays. */
        UNMANAGED("not declared");

        private final String text;

        Status(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /**
     * Who is to take it off again once it is no longer declared.
     *
     * @param annotation of the Node that tracks it
     * @param manager who wrote it: a controller of Nodeward, or the Cluster API manager; several with "and" between them;
     *     empty if that is not known
     */
    public record Tracking(String annotation, String manager) {}
}
