package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.nodeward.api.meta.KubernetesObject;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

/**
 * What a page of a list says of itself; its items go to a consumer one by one, so that no list is ever in memory whole.
 *
 * @param resourceVersion to watch from, once the last page was read
 * @param continueToken of the next page, empty after the last
 */
public record ListPage(String resourceVersion, String continueToken) {
    /**
     * Reads a page as it arrives.
     *
     * @throws IOException if the stream is cut, is no JSON, or an object in it is larger than any can be
     */
    public static <T extends KubernetesObject> ListPage read(
            InputStream body, Projection<T> projection, Consumer<? super T> items) throws IOException {
        String[] texts = {"", ""};
        OneObject objects = new OneObject(body);
        try (JsonParser p = Json.FORGETFUL.createParser(objects)) {
            if (p.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("a list is a JSON object");
            }
            Json.fields(p, (field, value) -> {
                switch (field) {
                    case "metadata" -> Json.fields(value, (name, v) -> {
                        switch (name) {
                            case "resourceVersion" -> texts[0] = Json.text(v);
                            case "continue" -> texts[1] = Json.text(v);
                            default -> v.skipChildren();
                        }
                    });
                    case "items" -> Json.endless(value, item -> {
                        objects.next();
                        items.accept(projection.read(item));
                    });
                    default -> value.skipChildren();
                }
            });
        }
        return new ListPage(texts[0], texts[1]);
    }
}
