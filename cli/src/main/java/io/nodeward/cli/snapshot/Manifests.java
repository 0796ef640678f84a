package io.nodeward.cli.snapshot;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.nodeward.cli.text.SyntaxFault;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;

/** Objects from files as kubectl reads and writes them: YAML or JSON, several documents, Lists, directories. */
public final class Manifests {
    /** Characters of one YAML document: a whole fleet in a List. */
    private static final int MOST = Integer.MAX_VALUE;
    private static final String ITEMS = "items";
    private static final int PEEKED = 64;

    private static final ObjectMapper JSON = new JsonMapper();
    private static final ObjectMapper YAML =
            new YAMLMapper(new Anchors.Factory(YAMLFactory.builder().loaderOptions(options())));
    private static final List<String> CLUSTER_SCOPED =
            List.of("Node", "Namespace", "DedicatedNodes", "ResourceSlice", "DeviceClass", "DeviceTaintRule",
                    "DeviceTaintSlice");
    private static final List<String> ENDINGS = List.of(".yaml", ".yml", ".json");

    private final Reading reading;
    private final List<Manifest> manifests = new ArrayList<>();

    private Manifests(Reading reading) {
        this.reading = reading;
    }

    /**
     * How files are read.
     *
     * @param namespace of objects that name none; empty for none
     * @param recursive whether a directory is read with all directories in it
     * @param kept what is kept of each object, which is done as soon as it is read
     * @param placed whether objects of known groups come with the places of their fields
     */
    public record Reading(String namespace, boolean recursive, InputStream standardInput,
            UnaryOperator<ObjectNode> kept, boolean placed) {
        /** Keeps all. */
        public Reading(String namespace, boolean recursive, InputStream standardInput) {
            this(namespace, recursive, standardInput, UnaryOperator.identity());
        }

        /** Notes no places. */
        public Reading(
                String namespace, boolean recursive, InputStream standardInput, UnaryOperator<ObjectNode> kept) {
            this(namespace, recursive, standardInput, kept, false);
        }

        /** Returns the same with places. */
        public Reading withPlaces() {
            return new Reading(namespace, recursive, standardInput, kept, true);
        }
    }

    /**
     * Reads them all, in their order; of a directory the files with a usual ending, by name.
     *
     * @param files {@code -} is standard input
     * @throws IOException naming the file and why it cannot be read
     * @throws IllegalArgumentException naming the document that is no object
     */
    public static List<Manifest> read(List<String> files, Reading reading) throws IOException {
        Manifests manifests = new Manifests(reading);
        for (String file : files) {
            manifests.file(file);
        }
        return manifests.manifests;
    }

    private static LoaderOptions options() {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(MOST);
        return options;
    }

    private void file(String name) throws IOException {
        if (name.equals("-")) {
            read(reading.standardInput, "standard input");
            return;
        }
        Path path = Path.of(name);
        if (Files.isDirectory(path)) {
            for (Path file : inside(path)) {
                file(file.toString());
            }
            return;
        }
        if (!Files.exists(path)) {
            throw new IOException(name + ": there is no such file");
        }
        try (InputStream in = Files.newInputStream(path)) {
            read(in, name);
        } catch (AccessDeniedException e) {
            throw new IOException(name + ": must not be read", e);
        }
    }

    private List<Path> inside(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> Files.isDirectory(file)
                    ? reading.recursive
                    : ENDINGS.stream().anyMatch(file.toString()::endsWith)).sorted().toList();
        }
    }

    private void read(InputStream raw, String name) throws IOException {
        BufferedInputStream in = new BufferedInputStream(raw);
        ObjectMapper mapper = isJson(in) ? JSON : YAML;
        int number = 0;
        try (JsonParser p = mapper.createParser(in)) {
            while (p.nextToken() != null) {
                number++;
                manifest(p, mapper, name + ", document " + number);
            }
        } catch (JsonProcessingException e) {
            throw new IOException(SyntaxFault.inFile(name, e), e);
        }
    }

    /** Of a List one item after the other: all of them as trees may be more than there is memory. */
    private void manifest(JsonParser p, ObjectMapper mapper, String source) throws IOException {
        if (p.currentToken() != JsonToken.START_OBJECT) {
            add(mapper.<JsonNode>readTree(p), source, Map.of());
            return;
        }
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        Anchors anchors = new Anchors();
        PlacedTree tree = new PlacedTree(mapper, reading.placed, anchors);
        while (p.nextToken() == JsonToken.FIELD_NAME) {
            String field = p.currentName();
            String path = tree.field(p, "");
            String kind = object.path("kind").asText();
            if (p.nextToken() == JsonToken.START_ARRAY && field.equals(ITEMS)
                    && (kind.isEmpty() || kind.endsWith("List"))) {
                items(p, mapper, anchors, object, source);
            } else {
                PlacedTree.set(p, object, field, tree.read(p, path));
            }
        }
        add(object, source, tree.places());
    }

    /** Items without a kind stay in the list until its own kind has been read. */
    private void items(JsonParser p, ObjectMapper mapper, Anchors anchors, ObjectNode list, String source)
            throws IOException {
        ArrayNode later = list.putArray(ITEMS);
        while (p.nextToken() != JsonToken.END_ARRAY) {
            PlacedTree tree = new PlacedTree(mapper, reading.placed, anchors);
            JsonNode item = tree.read(p, "");
            if (list.has("kind") || !item.path("kind").asText().isEmpty()) {
                add(named(item, list), source, tree.places());
            } else {
                later.add(item);
            }
        }
    }

    /** JSON is YAML too, but read much faster as what it is; YAML has braces as well, with names that are not quoted. */
    private static boolean isJson(BufferedInputStream in) throws IOException {
        in.mark(PEEKED);
        String start = new String(in.readNBytes(PEEKED), StandardCharsets.ISO_8859_1).replaceAll("\\s", "");
        in.reset();
        return start.startsWith("{\"");
    }

    private void add(JsonNode tree, String source, Map<String, Place> places) {
        if (tree.isValueNode() && tree.asText("").isEmpty()) { // between two separators
            return;
        }
        if (!(tree instanceof ObjectNode object) || object.path("kind").asText().isEmpty()) {
            throw new IllegalArgumentException(source + ": is no object with a kind");
        }
        if (object.path("kind").asText().endsWith("List") && object.path(ITEMS).isArray()) {
            for (JsonNode item : object.path(ITEMS)) {
                add(named(item, object), source, Map.of());
            }
            return;
        }
        if (!reading.namespace.isEmpty() && !CLUSTER_SCOPED.contains(object.path("kind").asText())
                && object.at("/metadata/namespace").asText().isEmpty()) {
            object.withObject("/metadata").put("namespace", reading.namespace);
        }
        Manifest manifest = new Manifest(reading.kept.apply(object), source, places);
        manifests.add(manifest.hasKnownGroup() ? manifest : new Manifest(manifest.json(), source));
    }

    /** The items of a typed list do not say what they are. */
    private static JsonNode named(JsonNode item, ObjectNode list) {
        String kind = list.path("kind").asText().replaceFirst("List$", "");
        if (item instanceof ObjectNode object && !object.has("kind") && !kind.isEmpty()) {
            object.put("kind", kind).set("apiVersion", list.path("apiVersion"));
        }
        return item;
    }
}
