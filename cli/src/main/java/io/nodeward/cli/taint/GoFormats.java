package io.nodeward.cli.taint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.core.util.Separators.Spacing;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/** Objects as kubectl prints them, with every blank and quote where it has them. */
final class GoFormats {
    private static final JsonMapper JSON = new JsonMapper();

    /** After which a line of YAML is folded at the next blank. */
    private static final int WIDTH = 80;

    private GoFormats() {}

    /** Fields by name. */
    static JsonNode sorted(JsonNode tree) {
        return JSON.valueToTree(plain(tree));
    }

    /** Four blanks, and in texts escapes for what HTML would read. */
    static String json(JsonNode tree) {
        Separators separators = Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Spacing.AFTER)
                .withObjectEmptySeparator("")
                .withArrayEmptySeparator("");
        DefaultIndenter lines = new DefaultIndenter("    ", "\n");
        ObjectWriter writer = JSON.writer(new DefaultPrettyPrinter(separators)
                .withObjectIndenter(lines)
                .withArrayIndenter(lines)).with(new HtmlEscapes());
        try {
            return writer.writeValueAsString(tree) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree is JSON", e);
        }
    }

    /** Fields by name, lists not indented. */
    static String yaml(JsonNode tree) {
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        options.setWidth(WIDTH);
        return new Yaml(new Quotes(options), options).dump(plain(tree));
    }

    private static @Nullable Object plain(JsonNode tree) {
        if (tree.isObject()) {
            Map<String, @Nullable Object> sorted = new TreeMap<>();
            tree.properties().forEach(field -> sorted.put(field.getKey(), plain(field.getValue())));
            return sorted;
        }
        return tree.isArray()
                ? tree.valueStream().map(GoFormats::plain).toList()
                : tree.isTextual() ? tree.textValue()
                : tree.isBoolean() ? Boolean.valueOf(tree.booleanValue()) : tree.numberValue();
    }

    private static final class HtmlEscapes extends CharacterEscapes {
        @Override
        public int[] getEscapeCodesForAscii() {
            int[] codes = standardAsciiEscapesForJSON();
            for (char c : List.of('<', '>', '&')) {
                codes[c] = ESCAPE_CUSTOM;
            }
            return codes;
        }

        @Override
        public @Nullable SerializableString getEscapeSequence(int c) {
            boolean escaped = c == '<' || c == '>' || c == '&' || c == 0x2028 || c == 0x2029;
            return escaped ? new SerializedString("\\u%04x".formatted(c)) : null;
        }
    }

    /** Double ones where a text looks like something else, as the YAML of Go has them. */
    private static final class Quotes extends Representer {
        /** What YAML 1.1 knows and this library does not. */
        private static final Pattern SHORT_TRUTH = Pattern.compile("[yYnN]");

        private final Resolver resolver = new Resolver();

        Quotes(DumperOptions options) {
            super(options);
            representers.put(String.class, text -> text(String.valueOf(text)));
        }

        private Node text(String text) {
            boolean other = !resolver.resolve(NodeId.scalar, text, true).equals(Tag.STR)
                    || SHORT_TRUTH.matcher(text).matches();
            ScalarStyle style = other ? ScalarStyle.DOUBLE_QUOTED
                    : text.contains("\n") ? ScalarStyle.LITERAL : ScalarStyle.PLAIN;
            return representScalar(Tag.STR, text, style);
        }
    }
}
