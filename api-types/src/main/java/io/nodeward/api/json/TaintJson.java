package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.node.Taint;
import java.io.IOException;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Reads a Node's taint, keeping its whole text. The same taint on many Nodes is one object. */
final class TaintJson {
    private static final int SLOTS = 1 << 10;
    /** Longer ones are not remembered, which is for ever. */
    private static final int LONGEST = 1024;
    private static final AtomicReferenceArray<Taint> KNOWN = new AtomicReferenceArray<>(SLOTS);

    private TaintJson() {}

    static Taint read(JsonParser p) throws IOException {
        String json = textOf(p);
        if (json.length() > LONGEST) {
            return parsed(json);
        }
        int hash = json.hashCode();
        int slot = (hash ^ hash >>> 16) & SLOTS - 1;
        Taint known = KNOWN.getAcquire(slot);
        if (known != null && known.json().equals(json)) {
            return known;
        }
        Taint taint = parsed(json);
        KNOWN.setRelease(slot, taint);
        return taint;
    }

    private static String textOf(JsonParser p) throws IOException {
        StringWriter text = new StringWriter(96);
        try (JsonGenerator generator = Json.FACTORY.createGenerator(text)) {
            generator.copyCurrentStructureExact(p);
        }
        return text.toString();
    }

    private static Taint parsed(String json) throws IOException {
        try (JsonParser p = Json.parser(json)) {
            p.nextToken();
            String[] texts = Json.pooled(p, Json.NONE, "key", "value", "effect");
            return new Taint(texts[0], texts[1], texts[2], json);
        }
    }
}
