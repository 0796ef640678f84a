package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads trees of one document, so many values of it and no more: each takes far more memory than its bytes did. */
final class TreeReader {
    /** Far more than any object has; what is deeper is absent. */
    private static final int DEEPEST = 100;

    private final int most;
    private final boolean lenient;
    private int read;

    /** @param most values: objects, arrays and scalars */
    TreeReader(int most) {
        this(most, false);
    }

    private TreeReader(int most, boolean lenient) {
        this.most = most;
        this.lenient = lenient;
    }

    /** Of an object in a stream, which must go on after it: an array of too many elements is absent. */
    static TreeReader lenient() {
        return new TreeReader(Integer.MAX_VALUE, true);
    }

    /** @throws IOException also if there are too many values */
    Tree read(JsonParser p, Shape shape) throws IOException {
        return read(p, shape, 1);
    }

    private Tree read(JsonParser p, Shape shape, int depth) throws IOException {
        if (depth > DEEPEST) {
            p.skipChildren();
            return Tree.ABSENT;
        }
        if (++read > most) {
            throw new IOException("more than " + most + " values");
        }
        return switch (p.currentToken()) {
            case START_OBJECT -> fields(p, shape, depth);
            case START_ARRAY -> items(p, shape, depth);
            case VALUE_STRING -> new Tree.Text(p.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Tree.Other("number", p.getText());
            case VALUE_TRUE, VALUE_FALSE -> new Tree.Other("boolean", p.getText());
            default -> Tree.ABSENT;
        };
    }

    private Tree fields(JsonParser p, Shape shape, int depth) throws IOException {
        Map<String, Tree> fields = new HashMap<>();
        Json.fields(p, (field, value) -> {
            Optional<Shape> part = shape.at(field);
            if (part.isPresent()) {
                fields.put(field, read(value, part.get(), depth + 1));
            } else {
                value.skipChildren();
            }
        });
        return new Tree.Fields(fields);
    }

    private Tree items(JsonParser p, Shape shape, int depth) throws IOException {
        List<Tree> items = new ArrayList<>();
        if (!lenient) {
            Json.elements(p, element -> items.add(read(element, shape, depth + 1)));
            return new Tree.Items(items);
        }
        boolean[] tooMany = {false};
        Json.endless(p, element -> {
            tooMany[0] |= items.size() == Json.MOST_ELEMENTS;
            if (tooMany[0]) {
                element.skipChildren();
            } else {
                items.add(read(element, shape, depth + 1));
            }
        });
        return tooMany[0] ? Tree.ABSENT : new Tree.Items(items);
    }
}
