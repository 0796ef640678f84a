package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** Whole objects, for the few that are looked at as they are. */
public final class Trees {
    private Trees() {}

    /** @throws IOException if the bytes are not a JSON object */
    public static Tree read(byte[] object) throws IOException {
        try (JsonParser p = Json.FACTORY.createParser(object)) {
            if (p.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("not a JSON object");
            }
            return new TreeReader(Integer.MAX_VALUE).read(p, Shape.WHOLE);
        }
    }

    /** In JSON. */
    public static byte[] written(Tree tree) {
        return written(tree, JsonGenerator::writeString);
    }

    /** In JSON that is read as YAML, as the body of an apply is. */
    public static byte[] writtenForApply(Tree tree) {
        return written(tree, (json, text) -> json.writeRawValue(YamlText.quoted(text)));
    }

    /** How texts are written. */
    @FunctionalInterface
    private interface TextWriter {
        void write(JsonGenerator json, String text) throws IOException;
    }

    private static byte[] written(Tree tree, TextWriter texts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(2048);
        try (JsonGenerator json = Json.FACTORY.createGenerator(bytes)) {
            write(json, tree, texts);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
        return bytes.toByteArray();
    }

    private static void write(JsonGenerator json, Tree tree, TextWriter texts) throws IOException {
        switch (tree) {
            case Tree.Fields(Map<String, Tree> fields) -> {
                json.writeStartObject();
                for (Map.Entry<String, Tree> field : fields.entrySet()) {
                    json.writeFieldName(field.getKey());
                    write(json, field.getValue(), texts);
                }
                json.writeEndObject();
            }
            case Tree.Items(List<Tree> items) -> {
                json.writeStartArray();
                for (Tree item : items) {
                    write(json, item, texts);
                }
                json.writeEndArray();
            }
            case Tree.Text(String text) -> texts.write(json, text);
            case Tree.Other(String word, String text) -> json.writeRawValue(text);
            case Tree.Absent absent -> json.writeNull();
        }
    }
}
