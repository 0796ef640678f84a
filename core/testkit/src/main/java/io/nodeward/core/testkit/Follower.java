package io.nodeward.core.testkit;

import io.nodeward.api.json.ListPage;
import io.nodeward.api.json.Projection;
import io.nodeward.api.json.WatchEvent;
import io.nodeward.api.json.WatchStream;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.PartialObject;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Resource;
import io.nodeward.core.spi.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Keeps a copy of the versions of all objects by list and watch; whenever its place has expired it lists again. */
final class Follower {
    private final ApiServer api;
    private final Resource resource;
    private final String selector;
    private final Map<ObjectKey, String> versions = new HashMap<>();
    private String place = "";
    private int expiries;

    Follower(ApiServer api, Resource resource, String selector) {
        this.api = api;
        this.resource = resource;
        this.selector = selector;
    }

    Map<ObjectKey, String> versions() {
        return versions;
    }

    int expiries() {
        return expiries;
    }

    /** As if it had slept for so long that the server has forgotten where it was. */
    void oversleep(String forgotten) {
        place = forgotten;
    }

    /** Follows until {@code enough} is content with the copy; looked at after the list and after each event. */
    void follow(Predicate<Map<ObjectKey, String>> enough) throws IOException {
        while (true) {
            try {
                if (place.isEmpty()) {
                    list();
                }
                if (enough.test(versions) || watched(enough)) {
                    return;
                }
            } catch (ApiFailure.Expired expired) {
                expiries++;
                place = "";
            }
        }
    }

    private void list() throws IOException {
        versions.clear();
        String token = "";
        do {
            try (Response answer = api.list(resource, "", ListOptions.page(selector, 3, token))) {
                ListPage page = ListPage.read(answer.body(), Projection.METADATA, this::put);
                token = page.continueToken();
                place = page.resourceVersion();
            }
        } while (!token.isEmpty());
    }

    private boolean watched(Predicate<Map<ObjectKey, String>> enough) throws IOException {
        ListOptions options = ListOptions.watchFrom(selector, place, Duration.ofMinutes(5));
        try (Response answer = api.watch(resource, "", options)) {
            WatchStream<PartialObject> events = new WatchStream<>(answer.body(), Projection.METADATA);
            for (var event = events.next(); event.isPresent(); event = events.next()) {
                take(event.get());
                if (enough.test(versions)) {
                    return true;
                }
            }
            return false;
        }
    }

    private void take(WatchEvent<PartialObject> event) {
        switch (event) {
            case WatchEvent.Put<PartialObject> put -> {
                put(put.object());
                place = put.object().metadata().resourceVersion();
            }
            case WatchEvent.Gone<PartialObject> gone -> {
                versions.remove(gone.object().metadata().key());
                place = gone.object().metadata().resourceVersion();
            }
            case WatchEvent.Bookmark<PartialObject> bookmark -> place = bookmark.resourceVersion();
            case WatchEvent.Failed<PartialObject> failed ->
                    throw ApiFailure.of(failed.status(), "WATCH " + resource.plural(), Optional.empty());
        }
    }

    private void put(PartialObject object) {
        Metadata metadata = object.metadata();
        String before = versions.put(metadata.key(), metadata.resourceVersion());
        if (before != null && Long.parseLong(before) >= Long.parseLong(metadata.resourceVersion())) {
            throw new AssertionError(metadata.key() + " went from version " + before + " to "
                    + metadata.resourceVersion());
        }
    }
}
