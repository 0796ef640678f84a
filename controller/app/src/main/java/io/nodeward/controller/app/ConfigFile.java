package io.nodeward.controller.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.nodeward.core.rules.command.Nearest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Defaults from the file given by {@code --config}: a YAML mapping by long option name without the dashes. What is on
 * the command line wins. An unknown key stops the start.
 */
record ConfigFile(Map<String, String> values) implements IDefaultValueProvider {
    /**
     * Reads the file that the arguments name, if they name one.
     *
     * @throws IOException naming the file and the key
     */
    static ConfigFile of(String[] args, CommandLine command) throws IOException {
        try {
            ParseResult given = command.parseArgs(args);
            return new ConfigFile(given.hasMatchedOption("--config")
                    ? read(given.matchedOption("--config").getValue(), command.getCommandSpec())
                    : Map.of());
        } catch (ParameterException wrong) {
            return new ConfigFile(Map.of()); // told when the command runs
        }
    }

    private static Map<String, String> read(Path file, CommandSpec spec) throws IOException {
        JsonNode root;
        try {
            root = new YAMLMapper().readTree(Files.readString(file));
        } catch (JsonProcessingException e) {
            throw new IOException(
                    "--config " + file + ": line " + e.getLocation().getLineNr() + ": " + e.getOriginalMessage(), e);
        }
        if (root == null || root.isMissingNode() || root.isNull()) {
            return Map.of();
        }
        if (!root.isObject()) {
            throw new IOException("--config " + file + ": not a mapping of option names to values");
        }
        Map<String, String> values = new TreeMap<>();
        List<String> known = known(spec);
        for (Map.Entry<String, JsonNode> field : root.properties()) {
            if (!known.contains(field.getKey())) {
                throw new IOException("--config " + file + ": unknown option '" + field.getKey() + "'"
                        + Nearest.hint(field.getKey(), known));
            }
            if (field.getValue().isNull()) {
                continue; // "key:" without a value is as good as no key
            }
            values.put(field.getKey(), text("--config " + file + ": " + field.getKey(), field.getValue()));
        }
        return values;
    }

    private static List<String> known(CommandSpec spec) {
        return spec.options().stream()
                .map(OptionSpec::longestName)
                .map(name -> name.substring(2))
                .filter(name -> !List.of("config", "help", "version").contains(name))
                .toList();
    }

    /** A list becomes comma-separated text, a mapping {@code key=value} pairs: as on the command line. */
    private static String text(String where, JsonNode value) throws IOException {
        if (value.isArray()) {
            for (JsonNode element : value) {
                if (element.asText().contains(",")) {
                    throw new IOException(where + ": '" + element.asText() + "' holds a comma, which separates values");
                }
            }
            return StreamSupport.stream(value.spliterator(), false).map(JsonNode::asText)
                    .collect(Collectors.joining(","));
        }
        if (value.isObject()) {
            return value.properties().stream()
                    .map(e -> e.getKey() + "=" + e.getValue().asText())
                    .collect(Collectors.joining(","));
        }
        return value.asText();
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        return argument instanceof OptionSpec option
                ? values.get(option.longestName().substring(2))
                : null;
    }
}
