package io.nodeward.core.apply;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Places in an object, as a tree of steps in the form of fieldsV1: {@code f:name}, {@code k:{"key":"value"}},
 * {@code v:"value"}. Never changes, so that objects can share one.
 */
public final class FieldSet {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();
    private static final String[] NO_STEPS = {};
    private static final FieldSet[] NOTHING_BELOW = {};

    public static final FieldSet NONE = new FieldSet(false, NO_STEPS, NOTHING_BELOW);
    /** The place itself and nothing below it. */
    public static final FieldSet HERE = new FieldSet(true, NO_STEPS, NOTHING_BELOW);

    private final boolean here;
    private final String[] steps;
    private final FieldSet[] below;
    private final int hash;
    private byte @Nullable [] bytes;

    private FieldSet(boolean here, String[] steps, FieldSet[] below) {
        this.here = here;
        this.steps = steps;
        this.below = below;
        this.hash = 31 * (31 * Boolean.hashCode(here) + Arrays.hashCode(steps)) + Arrays.hashCode(below);
    }

    /** @param below must have no empty sets in it */
    static FieldSet of(boolean here, SortedMap<String, FieldSet> below) {
        if (below.isEmpty()) {
            return here ? HERE : NONE;
        }
        return new FieldSet(here, below.keySet().toArray(NO_STEPS), below.values().toArray(NOTHING_BELOW));
    }

    public boolean isEmpty() {
        return !here && steps.length == 0;
    }

    public boolean here() {
        return here;
    }

    public FieldSet below(String step) {
        int at = Arrays.binarySearch(steps, step);
        return at < 0 ? NONE : below[at];
    }

    /** What is at a field of fields. */
    public FieldSet at(List<String> fields) {
        FieldSet at = this;
        for (String field : fields) {
            at = at.below("f:" + field);
        }
        return at;
    }

    public FieldSet plus(FieldSet other) {
        if (isEmpty() || other.isEmpty()) {
            return isEmpty() ? other : this;
        }
        SortedMap<String, FieldSet> all = new TreeMap<>();
        for (int i = 0; i < steps.length; i++) {
            all.put(steps[i], below[i]);
        }
        for (int i = 0; i < other.steps.length; i++) {
            all.merge(other.steps[i], other.below[i], FieldSet::plus);
        }
        return of(here || other.here, all);
    }

    /** Takes the places of the other set away, and leaves those below them. */
    public FieldSet minus(FieldSet other) {
        return other.isEmpty() ? this : each(here && !other.here, (step, set) -> set.minus(other.below(step)));
    }

    public FieldSet and(FieldSet other) {
        return other.isEmpty() ? NONE : each(here && other.here, (step, set) -> set.and(other.below(step)));
    }

    static void put(SortedMap<String, FieldSet> below, String step, FieldSet set) {
        if (!set.isEmpty()) {
            below.put(step, set);
        }
    }

    /** Without a field and all below it. */
    FieldSet without(String field) {
        String step = "f:" + field;
        return below(step).isEmpty() ? this : each(here, (s, set) -> s.equals(step) ? NONE : set);
    }

    /** @param change makes another set of each one step below */
    FieldSet each(boolean nowHere, BiFunction<String, FieldSet, FieldSet> change) {
        SortedMap<String, FieldSet> changed = new TreeMap<>();
        for (int i = 0; i < steps.length; i++) {
            put(changed, steps[i], change.apply(steps[i], below[i]));
        }
        return of(nowHere, changed);
    }

    /** Returns the fields below those of one name. */
    public FieldSet within(String field) {
        String step = "f:" + field;
        return each(false, (s, set) -> s.equals(step) ? set : set.within(field));
    }

    /** The same set with the sets below it replaced by equal ones. */
    public FieldSet sharing(UnaryOperator<FieldSet> shared) {
        FieldSet[] same = below.clone();
        Arrays.setAll(same, i -> shared.apply(below[i]));
        return steps.length == 0 ? this : new FieldSet(here, steps, same);
    }

    /** As people read them, for example {@code .status.conditions[type="Ready"].status}. */
    public List<String> shown() {
        List<String> paths = new ArrayList<>();
        addTo(paths, "");
        return paths;
    }

    private void addTo(List<String> paths, String prefix) {
        for (int i = 0; i < steps.length; i++) {
            if (below[i].here) {
                paths.add(prefix + shown(steps[i]));
            }
        }
        for (int i = 0; i < steps.length; i++) {
            below[i].addTo(paths, prefix + shown(steps[i]));
        }
    }

    public static String shown(String step) {
        String rest = step.substring(2);
        if (step.startsWith("f:")) {
            return "." + rest;
        }
        if (step.startsWith("v:")) {
            return "[=" + rest + "]";
        }
        return keys(step).propertyStream().map(key -> key.getKey() + "=" + key.getValue())
                .collect(Collectors.joining(",", "[", "]"));
    }

    /** The first steps, in their order. */
    public List<String> steps() {
        return List.of(steps);
    }

    /** The keys of an item of a list, with their values; none if the step is to nothing of the kind. */
    public static ObjectNode keys(String step) {
        return step.startsWith("k:") && tree(step.substring(2)) instanceof ObjectNode keys ? keys
                : JsonNodeFactory.instance.objectNode();
    }

    /** The step to an item of a list. */
    static String item(SortedMap<String, JsonNode> keys) {
        return "k:" + JsonNodeFactory.instance.objectNode().setAll(keys);
    }

    /** Missing if the text is no JSON. */
    static JsonNode tree(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }

    /** As fieldsV1. */
    ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        if (here && steps.length > 0) {
            json.putObject(".");
        }
        for (int i = 0; i < steps.length; i++) {
            json.set(steps[i], below[i].json());
        }
        return json;
    }

    /** Writes fieldsV1. What is below the first steps is kept as bytes: it is mostly shared with other objects. */
    void write(ByteArrayOutputStream out) {
        for (int i = 0; i < steps.length; i++) {
            out.write(i == 0 ? '{' : ',');
            out.writeBytes(bytes(TextNode.valueOf(steps[i])));
            out.write(':');
            out.writeBytes(below[i].bytes());
        }
        if (steps.length == 0) {
            out.write('{');
        }
        out.write('}');
    }

    private byte[] bytes() {
        byte[] known = bytes;
        if (known == null) {
            known = bytes(json());
            bytes = known;
        }
        return known;
    }

    static byte[] bytes(JsonNode json) {
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** @return null if it is not fieldsV1 */
    public static @Nullable FieldSet parse(JsonNode json) {
        if (!(json instanceof ObjectNode object)) {
            return null;
        }
        SortedMap<String, FieldSet> below = new TreeMap<>();
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            if (entry.getKey().equals(".")) {
                continue;
            }
            FieldSet set = entry.getValue().isEmpty() ? HERE : parse(entry.getValue());
            String step = step(entry.getKey());
            if (set == null || step == null) {
                return null;
            }
            put(below, step, set);
        }
        return of(object.has("."), below);
    }

    /** A step as servers write it, which order the keys of an item by name; null if it is none. */
    private static @Nullable String step(String text) {
        if (!text.startsWith("k:")) {
            return text.matches("(?s)[fvi]:.*") ? text : null;
        }
        SortedMap<String, JsonNode> keys = new TreeMap<>();
        keys(text).properties().forEach(key -> keys.put(key.getKey(), key.getValue()));
        return keys.isEmpty() ? null : item(keys);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || other instanceof FieldSet set && hash == set.hash && here == set.here
                && Arrays.equals(steps, set.steps) && Arrays.equals(below, set.below);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return json().toString();
    }
}
