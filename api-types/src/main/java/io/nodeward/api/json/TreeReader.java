package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads trees of one document. A value takes far more memory than its bytes did, so each reader has a bound: so many values of a
 * document, or so many elements of each list.
 */
final class TreeReader {
    /** Far more than any object has; what is deeper is absent. */
    private static final int DEEPEST = 100;

    /** Characters of a text of an object that anybody may create: more than API servers store of an expression. */
    private static final int LONGEST_TEXT = 16 << 10;

    private final int most;
    private final Lists lists;
    private int read;

    /** How lists are read. */
    private enum Lists {
        WHOLE,
        /** The first elements of a list that is too long are read: one more than an object can have. */
        FIRST,
        /** A list that is too long is absent: the stream must go on after it. */
        WHOLE_OR_ABSENT,
        /** Equal elements are read once, and of a list that is too long only the first. */
        FIRST_DISTINCT
    }

    /** @param most values: objects, arrays and scalars */
    TreeReader(int most) {
        this(most, Lists.WHOLE);
    }

    private TreeReader(int most, Lists lists) {
        this.most = most;
        this.lists = lists;
    }

    /** Returns a reader for an object in a stream, which goes on after it: the elements that are too many are skipped. */
    static TreeReader first() {
        return new TreeReader(Integer.MAX_VALUE, Lists.FIRST);
    }

    /** Returns a reader for an object in a stream, which goes on after it: an array of too many elements is absent. */
    static TreeReader lenient() {
        return new TreeReader(Integer.MAX_VALUE, Lists.WHOLE_OR_ABSENT);
    }

    /**
     * Returns a reader for an object in a stream that anybody may create. Of each list it reads {@link Projection#MOST_PARTS}
     * distinct elements and one more, which says that there are too many; likewise of the fields of an object.
     */
    static TreeReader bounded() {
        return new TreeReader(Integer.MAX_VALUE, Lists.FIRST_DISTINCT);
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
            case VALUE_STRING -> lists == Lists.FIRST_DISTINCT ? shortText(p) : new Tree.Text(p.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Tree.Other("number", p.getText());
            case VALUE_TRUE, VALUE_FALSE -> new Tree.Other("boolean", p.getText());
            default -> Tree.ABSENT;
        };
    }

    private static Tree shortText(JsonParser p) throws IOException {
        return p.getTextLength() > LONGEST_TEXT ? Tree.ABSENT : new Tree.Text(MetadataReader.POOL.text(p));
    }

    private Tree fields(JsonParser p, Shape shape, int depth) throws IOException {
        Map<String, Tree> fields = new HashMap<>();
        Json.fields(p, (field, value) -> {
            Optional<Shape> part = shape.at(field);
            if (part.isPresent() && !(lists == Lists.FIRST_DISTINCT && fields.size() > Projection.MOST_PARTS)) {
                fields.put(field, read(value, part.get(), depth + 1));
            } else {
                value.skipChildren();
            }
        });
        return new Tree.Fields(fields);
    }

    private Tree items(JsonParser p, Shape shape, int depth) throws IOException {
        return switch (lists) {
            case WHOLE, FIRST -> whole(p, shape, depth);
            case WHOLE_OR_ABSENT -> wholeOrAbsent(p, shape, depth);
            case FIRST_DISTINCT -> firstDistinct(p, shape, depth);
        };
    }

    private Tree whole(JsonParser p, Shape shape, int depth) throws IOException {
        List<Tree> items = new ArrayList<>();
        Json.ElementReader element = each -> items.add(read(each, shape, depth + 1));
        if (lists == Lists.FIRST) {
            Json.firstElements(p, element);
        } else {
            Json.elements(p, element);
        }
        return new Tree.Items(items);
    }

    private Tree firstDistinct(JsonParser p, Shape shape, int depth) throws IOException {
        Set<Tree> items = new LinkedHashSet<>();
        Json.endless(p, element -> {
            if (items.size() > Projection.MOST_PARTS) {
                element.skipChildren();
            } else {
                items.add(read(element, shape, depth + 1));
            }
        });
        return new Tree.Items(List.copyOf(items));
    }

    private Tree wholeOrAbsent(JsonParser p, Shape shape, int depth) throws IOException {
        List<Tree> items = new ArrayList<>();
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
