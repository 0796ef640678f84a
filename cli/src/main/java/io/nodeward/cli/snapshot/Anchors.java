package io.nodeward.cli.snapshot;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.io.IOContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactoryBuilder;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.events.ScalarEvent;

/** The values of one YAML document that have names, for its aliases. */
final class Anchors {
    /** The number of values that the aliases of a document repeat at most: a few lines of aliases of aliases may mean billions. */
    private static final int MOST_REPEATED = 1_000_000;

    private final Map<String, JsonNode> values = new HashMap<>();
    private int repeated;

    /** Makes parsers that tell the anchor of a text or number too; those of the library keep it to themselves. */
    static final class Factory extends YAMLFactory {
        private static final long serialVersionUID = 1;

        Factory(YAMLFactoryBuilder builder) {
            super(builder);
        }

        @Override
        protected YAMLParser _createParser(InputStream in, IOContext context) throws IOException {
            return new YAMLParser(context, _parserFeatures, _yamlParserFeatures, _loaderOptions, _objectCodec,
                    _createReader(in, null, context)) {
                @Override
                public @Nullable String getObjectId() throws IOException {
                    return _lastEvent instanceof ScalarEvent scalar ? scalar.getAnchor() : super.getObjectId();
                }
            };
        }
    }

    void name(String anchor, JsonNode value) {
        values.put(anchor, value);
    }

    /** Returns a copy of the value that the parser is at the alias of: a change of it must not change another object. */
    JsonNode copy(JsonParser p) throws IOException {
        JsonNode value = values.get(p.getText());
        if (value == null) {
            throw new JsonParseException(p, "the alias *" + p.getText() + " stands before its anchor, or has none");
        }
        repeated += size(value);
        if (repeated > MOST_REPEATED) {
            throw new JsonParseException(p, "aliases repeat more than " + MOST_REPEATED + " values");
        }
        return value.deepCopy();
    }

    private static int size(JsonNode value) {
        return 1 + value.valueStream().mapToInt(Anchors::size).sum();
    }
}
