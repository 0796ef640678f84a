package io.nodeward.core.spi;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What part of a collection, and from when.
 *
 * @param labelSelector empty for all
 * @param fieldSelector empty for all
 * @param limit page size, 0 for one page
 * @param continueToken empty for the first page
 * @param resourceVersion of the watch to go on from, or empty: a list is then consistent, a watch starts with what is there
 * @param sendInitialEvents watch only: send what is there as ADDED events, then a bookmark (WatchList, Kubernetes 1.32+)
 * @param watchTimeout watch only: after which the server ends the watch
 * @param metadataOnly leave out all but metadata
 */
public record ListOptions(
        String labelSelector,
        String fieldSelector,
        int limit,
        String continueToken,
        String resourceVersion,
        boolean sendInitialEvents,
        Optional<Duration> watchTimeout,
        boolean metadataOnly) {

    public static ListOptions page(String labelSelector, int limit, String continueToken) {
        return new ListOptions(labelSelector, "", limit, continueToken, "", false, Optional.empty(), false);
    }

    public static ListOptions watchFrom(String labelSelector, String resourceVersion, Duration timeout) {
        return new ListOptions(labelSelector, "", 0, "", resourceVersion, false, Optional.of(timeout), false);
    }

    public static ListOptions watchList(String labelSelector, Duration timeout) {
        return new ListOptions(labelSelector, "", 0, "", "", true, Optional.of(timeout), false);
    }

    public ListOptions withMetadataOnly() {
        return new ListOptions(
                labelSelector, fieldSelector, limit, continueToken, resourceVersion, sendInitialEvents, watchTimeout,
                true);
    }

    /** Of this object alone, so that a role that names it is enough. */
    public ListOptions withName(String only) {
        return withFieldSelector("metadata.name=" + only);
    }

    /** Of the same list, the page that goes on where another one ended; empty for the first. */
    public ListOptions withContinueToken(String token) {
        return new ListOptions(
                labelSelector, fieldSelector, limit, token, resourceVersion, sendInitialEvents, watchTimeout,
                metadataOnly);
    }

    /** Of objects with these fields; a server knows few of them for each kind. */
    public ListOptions withFieldSelector(String selector) {
        return new ListOptions(
                labelSelector, selector, limit, continueToken, resourceVersion, sendInitialEvents, watchTimeout,
                metadataOnly);
    }

    String query(boolean watch) {
        Map<String, String> query = new TreeMap<>();
        put(query, "labelSelector", labelSelector);
        put(query, "fieldSelector", fieldSelector);
        put(query, "limit", limit == 0 ? "" : Integer.toString(limit));
        put(query, "continue", continueToken);
        put(query, "resourceVersion", resourceVersion);
        if (watch) {
            query.put("watch", "true");
            query.put("allowWatchBookmarks", "true");
            watchTimeout.ifPresent(t -> query.put("timeoutSeconds", Long.toString(t.toSeconds())));
        }
        if (sendInitialEvents) {
            query.put("sendInitialEvents", "true");
            query.put("resourceVersionMatch", "NotOlderThan");
        }
        return Resource.query(query);
    }

    private static void put(Map<String, String> query, String key, String value) {
        if (!value.isEmpty()) {
            query.put(key, value);
        }
    }
}
