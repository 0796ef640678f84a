package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Places in an object, as a tree of steps in the form of fieldsV1: {@code f:name}, {@code k:{"key":"value"}},
 * {@code v:"value"}. Never changes, so that objects can share one.
 */
final class FieldSet {
    private static final String[] NO_STEPS = {};
    private static final FieldSet[] NOTHING_BELOW = {};

    static final FieldSet NONE = new FieldSet(false, NO_STEPS, NOTHING_BELOW);
    /** The place itself and nothing below it. */
    static final FieldSet HERE = new FieldSet(true, NO_STEPS, NOTHING_BELOW);

    private enum Operation {
        EITHER,
        BOTH,
        FIRST_ONLY
    }

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

    boolean isEmpty() {
        return !here && steps.length == 0;
    }

    boolean here() {
        return here;
    }

    FieldSet below(String step) {
        int at = Arrays.binarySearch(steps, step);
        return at < 0 ? NONE : below[at];
    }

    FieldSet plus(FieldSet other) {
        return combine(this, other, Operation.EITHER);
    }

    /** Takes the places of the other set away, and leaves those below them. */
    FieldSet minus(FieldSet other) {
        return combine(this, other, Operation.FIRST_ONLY);
    }

    FieldSet and(FieldSet other) {
        return combine(this, other, Operation.BOTH);
    }

    private static FieldSet combine(FieldSet a, FieldSet b, Operation operation) {
        if (a.isEmpty() || b.isEmpty()) {
            return operation == Operation.BOTH || a.isEmpty() && operation == Operation.FIRST_ONLY ? NONE
                    : a.isEmpty() ? b : a;
        }
        boolean here = switch (operation) {
            case EITHER -> a.here || b.here;
            case BOTH -> a.here && b.here;
            case FIRST_ONLY -> a.here && !b.here;
        };
        SortedMap<String, FieldSet> below = new TreeMap<>();
        for (int i = 0; i < a.steps.length; i++) {
            put(below, a.steps[i], combine(a.below[i], b.below(a.steps[i]), operation));
        }
        if (operation == Operation.EITHER) {
            for (int i = 0; i < b.steps.length; i++) {
                below.putIfAbsent(b.steps[i], b.below[i]);
            }
        }
        return of(here, below);
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

    /** What a function makes of each set one step below. */
    interface Below {
        FieldSet apply(String step, FieldSet set);
    }

    FieldSet each(boolean nowHere, Below change) {
        SortedMap<String, FieldSet> changed = new TreeMap<>();
        for (int i = 0; i < steps.length; i++) {
            put(changed, steps[i], change.apply(steps[i], below[i]));
        }
        return of(nowHere, changed);
    }

    /** The same set with the sets below it replaced by equal ones. */
    FieldSet sharing(UnaryOperator<FieldSet> shared) {
        FieldSet[] same = below.clone();
        Arrays.setAll(same, i -> shared.apply(below[i]));
        return steps.length == 0 ? this : new FieldSet(here, steps, same);
    }

    /** As people read them, for example {@code .status.conditions[type="Ready"].status}. */
    List<String> shown() {
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

    static String shown(String step) {
        String rest = step.substring(2);
        if (step.startsWith("f:")) {
            return "." + rest;
        }
        if (step.startsWith("v:")) {
            return "[=" + rest + "]";
        }
        List<String> keys = new ArrayList<>();
        for (Map.Entry<String, JsonNode> key : Json.parse(rest.getBytes(StandardCharsets.UTF_8))
                .properties()) {
            keys.add(key.getKey() + "=" + key.getValue());
        }
        return "[" + String.join(",", keys) + "]";
    }

    /** As fieldsV1. */
    ObjectNode json() {
        ObjectNode json = Json.object();
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
            out.writeBytes(Json.bytes(TextNode.valueOf(steps[i])));
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
            known = Json.bytes(json());
            bytes = known;
        }
        return known;
    }

    /** @return null if it is not fieldsV1 */
    static @Nullable FieldSet parse(JsonNode json) {
        if (!(json instanceof ObjectNode object)) {
            return null;
        }
        SortedMap<String, FieldSet> below = new TreeMap<>();
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            if (entry.getKey().equals(".")) {
                continue;
            }
            FieldSet set = entry.getValue().isEmpty() ? HERE : parse(entry.getValue());
            if (set == null || !entry.getKey().matches("(?s)[fkvi]:.*")) {
                return null;
            }
            put(below, entry.getKey(), set);
        }
        return of(object.has("."), below);
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
