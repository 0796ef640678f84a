package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The text of one object after the other, each to be read several times. Neither writing nor reading allocates: the
 * bytes, the writer and the parser with its table of names are those of the object before.
 */
final class RepeatedText {
    /** Bytes. What a larger object needed is not kept for the next. */
    private static final int LARGEST_KEPT = 1 << 16;

    private final Bytes bytes = new Bytes();
    private final JsonGenerator writer;
    private @Nullable JsonParser reader;
    private int written;

    RepeatedText() throws IOException {
        // Escapes whatever is not ASCII: UTF-8 has no form for half a surrogate pair.
        writer = Json.FACTORY.createGenerator(bytes).setHighestNonEscapedChar(0x7f);
    }

    /** Holds the value on whose first token {@code p} stands, to the digit. The parser is left on its last token. */
    void write(JsonParser p) throws IOException {
        bytes.clear();
        if (written > Json.REMEMBERED) { // some names, such as the owners in managed fields, never come again
            reader = null;
            written = 0;
        }
        int depth = 0;
        do {
            JsonToken token = p.currentToken();
            if (token.isNumeric()) {
                writer.writeNumber(p.getTextCharacters(), p.getTextOffset(), p.getTextLength());
            } else {
                writer.copyCurrentEvent(p);
            }
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        } while (depth > 0 && p.nextToken() != null);
        writer.writeRaw('\n'); // who reads a number must not come to the end of the stream, which ends the parser
        writer.flush();
        written += bytes.size();
    }

    /** A parser on the first token of the value. */
    JsonParser again() throws IOException {
        bytes.rewind();
        if (reader == null || !reader.getParsingContext().inRoot()) { // who failed has left it anywhere
            reader = Json.factory().createParser(bytes.input);
        }
        reader.nextToken();
        return reader;
    }

    private static final class Bytes extends ByteArrayOutputStream {
        private int position;
        private final InputStream input = new InputStream() {
            @Override
            public int read() {
                return position == count ? -1 : buf[position++] & 0xff;
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                int some = Math.min(length, count - position);
                System.arraycopy(buf, position, into, offset, some);
                position += some;
                return some == 0 ? -1 : some;
            }
        };

        void clear() {
            if (buf.length > LARGEST_KEPT) {
                buf = new byte[32];
            }
            reset();
        }

        void rewind() {
            position = 0;
        }
    }
}
