package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.nodeward.api.admission.Tree;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Whole objects, for the few that are looked at as they are. */
public final class Trees {
    /** Far more than any object has; what is deeper is absent. */
    private static final int DEEPEST = 100;

    private Trees() {}

    /** @throws IOException if the bytes are not a JSON object */
    public static Tree read(byte[] object) throws IOException {
        try (JsonParser p = Json.FACTORY.createParser(object)) {
            if (p.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("not a JSON object");
            }
            return tree(p);
        }
    }

    /** In JSON. */
    public static byte[] written(Tree tree) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(2048);
        try (JsonGenerator json = Json.FACTORY.createGenerator(bytes)) {
            write(json, tree);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
        return bytes.toByteArray();
    }

    private static void write(JsonGenerator json, Tree tree) throws IOException {
        switch (tree) {
            case Tree.Fields(Map<String, Tree> fields) -> {
                json.writeStartObject();
                for (Map.Entry<String, Tree> field : fields.entrySet()) {
                    json.writeFieldName(field.getKey());
                    write(json, field.getValue());
                }
                json.writeEndObject();
            }
            case Tree.Items(List<Tree> items) -> {
                json.writeStartArray();
                for (Tree item : items) {
                    write(json, item);
                }
                json.writeEndArray();
            }
            case Tree.Text(String text) -> json.writeString(text);
            case Tree.Other(String word, String text) -> json.writeRawValue(text);
            case Tree.Absent absent -> json.writeNull();
        }
    }

    static Tree tree(JsonParser p) throws IOException {
        return tree(p, 1);
    }

    /** An object without one of its fields. */
    static Tree fieldsBut(String left, JsonParser p) throws IOException {
        return p.hasToken(JsonToken.START_OBJECT) ? fields(p, left, 1) : tree(p);
    }

    private static Tree tree(JsonParser p, int depth) throws IOException {
        if (depth > DEEPEST) {
            p.skipChildren();
            return Tree.ABSENT;
        }
        return switch (p.currentToken()) {
            case START_OBJECT -> fields(p, "", depth);
            case START_ARRAY -> items(p, depth);
            case VALUE_STRING -> new Tree.Text(p.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Tree.Other("number", p.getText());
            case VALUE_TRUE, VALUE_FALSE -> new Tree.Other("boolean", p.getText());
            default -> Tree.ABSENT;
        };
    }

    private static Tree fields(JsonParser p, String left, int depth) throws IOException {
        Map<String, Tree> fields = new HashMap<>();
        Json.fields(p, (field, value) -> {
            if (!left.isEmpty() && field.equals(left)) {
                value.skipChildren();
            } else {
                fields.put(field, tree(value, depth + 1));
            }
        });
        return new Tree.Fields(fields);
    }

    private static Tree items(JsonParser p, int depth) throws IOException {
        List<Tree> items = new ArrayList<>();
        Json.elements(p, element -> items.add(tree(element, depth + 1)));
        return new Tree.Items(items);
    }
}
