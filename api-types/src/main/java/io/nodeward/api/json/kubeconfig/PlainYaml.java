package io.nodeward.api.json.kubeconfig;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/** YAML as people write it, with anchors, aliases and merges; a field twice is refused, as kubectl does. */
final class PlainYaml {
    private static final int DEEPEST = 32;
    private static final int MOST_VALUES = 100_000;

    private int values;

    private PlainYaml() {}

    /**
     * The mapping that it is. A number or a date is given as the text it was written as.
     *
     * @throws Defect if it is none
     */
    static ObjectNode read(String text) {
        if (text.isBlank()) {
            throw new Defect("the kubeconfig is empty");
        }
        Object loaded;
        try {
            loaded = parser().load(text);
        } catch (RuntimeException e) {
            loaded = null; // a parser's message quotes the text, credentials and all
        }
        if (!(loaded instanceof Map)) {
            throw new Defect("the kubeconfig is no YAML of a kubeconfig");
        }
        return (ObjectNode) new PlainYaml().json(loaded, 1);
    }

    private static Yaml parser() {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        DumperOptions unused = new DumperOptions();
        return new Yaml(new SafeConstructor(options), new Representer(unused), unused, options, new Words());
    }

    private JsonNode json(@Nullable Object value, int depth) {
        if (depth > DEEPEST || ++values > MOST_VALUES) {
            throw new Defect("the kubeconfig is nested too deep or too large");
        }
        return switch (value) {
            case null -> JsonNodeFactory.instance.nullNode();
            case Boolean flag -> JsonNodeFactory.instance.booleanNode(flag);
            case String text -> JsonNodeFactory.instance.textNode(text);
            case Number number -> JsonNodeFactory.instance.textNode(number.toString()); // tagged so by hand
            case Map<?, ?> mapping -> {
                ObjectNode node = JsonNodeFactory.instance.objectNode();
                mapping.forEach((field, inner) -> node.set(String.valueOf(field), json(inner, depth + 1)));
                yield node;
            }
            case List<?> list -> {
                ArrayNode node = JsonNodeFactory.instance.arrayNode();
                list.forEach(inner -> node.add(json(inner, depth + 1)));
                yield node;
            }
            default -> throw new Defect("the kubeconfig has binary data or sets");
        };
    }

    /** Takes nothing but true, false, null and {@code <<} for other than text: a token may look like a number. */
    private static final class Words extends Resolver {
        private static final Pattern FLAG = Pattern.compile("^(?:true|True|TRUE|false|False|FALSE)$");

        @Override
        protected void addImplicitResolvers() {
            addImplicitResolver(Tag.BOOL, FLAG, "tTfF");
            addImplicitResolver(Tag.MERGE, MERGE, "<");
            addImplicitResolver(Tag.NULL, NULL, "~nN\0");
            addImplicitResolver(Tag.NULL, EMPTY, null);
        }
    }
}
