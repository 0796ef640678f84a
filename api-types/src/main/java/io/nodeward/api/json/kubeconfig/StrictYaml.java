package io.nodeward.api.json.kubeconfig;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;

/** YAML of one document in which everything is written out, and nothing twice; small enough to be held. */
final class StrictYaml {
    private static final YAMLFactory FACTORY = new YAMLFactory();
    /** Real ones have a tenth of it; parsing takes longer than the text grows. */
    private static final int MOST_CHARACTERS = 256 << 10;
    private static final int MOST_VALUES = 10_000;
    private static final int DEEPEST = 32;

    private final YAMLParser parser;
    private int values;

    private StrictYaml(YAMLParser parser) {
        this.parser = parser;
    }

    /**
     * The mapping that it is. A number is given as the text it was written as.
     *
     * @throws Defect if it is none, or too big, or has what is refused
     */
    static ObjectNode read(String text) {
        if (text.length() > MOST_CHARACTERS) {
            throw new Defect("it is longer than 256 KiB");
        }
        try (YAMLParser parser = FACTORY.createParser(text)) {
            return new StrictYaml(parser).document();
        } catch (Defect defect) {
            throw defect;
        } catch (IOException | RuntimeException e) {
            throw new Defect("it is not valid YAML"); // the parser's message quotes the text
        }
    }

    private ObjectNode document() throws IOException {
        if (next() != JsonToken.START_OBJECT) {
            throw new Defect("it is not a YAML mapping");
        }
        ObjectNode root = mapping(1);
        if (parser.nextToken() != null) {
            throw new Defect("it has more than one YAML document");
        }
        return root;
    }

    private ObjectNode mapping(int depth) throws IOException {
        ObjectNode mapping = JsonNodeFactory.instance.objectNode();
        while (next() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            if (mapping.has(field)) {
                throw new Defect("line " + line() + " names a field again");
            }
            next();
            mapping.set(field, value(depth));
        }
        return mapping;
    }

    private ArrayNode sequence(int depth) throws IOException {
        ArrayNode sequence = JsonNodeFactory.instance.arrayNode();
        while (next() != JsonToken.END_ARRAY) {
            sequence.add(value(depth));
        }
        return sequence;
    }

    private JsonNode value(int depth) throws IOException {
        if (depth == DEEPEST) {
            throw new Defect("line " + line() + " is nested too deep");
        }
        if (++values > MOST_VALUES) {
            throw new Defect("it has more than " + MOST_VALUES + " values");
        }
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        return switch (parser.currentToken()) {
            case START_OBJECT -> mapping(depth + 1);
            case START_ARRAY -> sequence(depth + 1);
            case VALUE_NULL -> nodes.nullNode();
            case VALUE_TRUE -> nodes.booleanNode(true);
            case VALUE_FALSE -> nodes.booleanNode(false);
            case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> nodes.textNode(parser.getText());
            default -> throw new Defect("line " + line() + " has binary data");
        };
    }

    private JsonToken next() throws IOException {
        JsonToken token = parser.nextToken();
        if (token == null) {
            throw new Defect("it is not a YAML mapping");
        }
        if (parser.isCurrentAlias()) { // an anchor by itself says nothing
            throw new Defect("line " + line() + " has an alias (*name); write the value out");
        }
        return token;
    }

    private int line() {
        return parser.currentTokenLocation().getLineNr();
    }
}
