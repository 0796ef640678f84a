package io.nodeward.e2e.bench.load;

import java.time.Instant;

/**
 * One request of a controller, as the API server logged it.
 *
 * @param resource with its subresource; empty for a path that is no resource
 * @param path without its query
 * @param initialEvents whether it is a watch that begins with all there is, as a list does
 * @param at when it came in
 */
public record LoggedRequest(
        String user, String userAgent, String verb, String resource, String name, String path,
        boolean initialEvents, int code, Instant at) {
    private static final int CONFLICT = 409;
    /** Of a JSON patch, when a test fails. */
    private static final int UNFIT = 422;

    public boolean isNodePatch() {
        return verb.equals("patch") && resource.equals("nodes");
    }

    public boolean isRead() {
        return verb.equals("get") || verb.equals("list") || verb.equals("watch");
    }

    /** Of all there is, in whichever way. */
    public boolean isList() {
        return verb.equals("list") || (verb.equals("watch") && initialEvents);
    }

    public boolean isWrite() {
        return !isRead() && !resource.isEmpty();
    }

    public boolean isConflict() {
        return code == CONFLICT || code == UNFIT && isNodePatch();
    }

    /** What controllers ask however much or little there is to do: leases, and whether the server is there. */
    public boolean isHousekeeping() {
        boolean probe = path.equals("/version") || path.equals("/") || path.endsWith("z");
        return resource.equals("leases") || (resource.isEmpty() && probe);
    }

    /** For counting alike ones: {@code patch machines/status 409}. */
    public String kind() {
        return verb + " " + (resource.isEmpty() ? path : resource) + (code >= 400 ? " " + code : "");
    }
}
