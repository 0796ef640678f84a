package io.nodeward.e2e.autoscaler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.e2e.controlplane.AdminClient;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Two more managers of one object's annotations: one sets keys of its own by merge patch, one writes the whole object back
 * as it has read and changed it, with an entry of its own in the text for the autoscaler.
 */
final class MapEditors implements AutoCloseable {
    private static final String USER = "user=";

    private final AdminClient admin;
    private final String path;
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final List<CompletableFuture<Void>> both;

    MapEditors(AdminClient admin, String path, int edits) {
        this.admin = admin;
        this.path = path;
        this.both = List.of(
                CompletableFuture.runAsync(() -> count(edits, this::patch), threads),
                CompletableFuture.runAsync(() -> count(edits, this::put), threads));
    }

    /** What the second one has written in the end. */
    static String entry(int number) {
        return USER + number + ":NoExecute";
    }

    /** Returns when both are through, and fails if one of them has. */
    void await() {
        both.forEach(CompletableFuture::join);
    }

    private interface Edit {
        void make(int number);
    }

    private static void count(int edits, Edit edit) {
        for (int i = 1; i <= edits; i++) {
            edit.make(i);
        }
    }

    private void patch(int number) {
        admin.mergePatch(path,
                "{\"metadata\":{\"annotations\":{\"example.com/patched-%d\":\"yes\"}}}".formatted(number));
    }

    private void put(int number) {
        AdminClient.Reply reply;
        do {
            JsonNode object = admin.get(path);
            ObjectNode annotations = (ObjectNode) object.at("/metadata/annotations");
            annotations.put("example.com/put-" + number, "yes");
            annotations.put(Groups.TAINTS, edited(annotations.path(Groups.TAINTS).asText(), number));
            reply = admin.send("PUT", path, AdminClient.JSON, object.toString());
        } while (reply.code() == 409);
        if (!reply.isOk()) {
            throw new AssertionError(reply.body().toString());
        }
    }

    private static String edited(String text, int number) {
        Stream<String> others = Arrays.stream(text.split(",")).filter(piece -> !piece.startsWith(USER));
        return Stream.concat(others, Stream.of(entry(number))).collect(Collectors.joining(","));
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
