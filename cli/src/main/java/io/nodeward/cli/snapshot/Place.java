package io.nodeward.cli.snapshot;

/** The place in a file at which a field or an item of a list begins, counted from 1. */
public record Place(int line, int column) {
    /** Returns the path of a field, as servers write it: {@code metadata.annotations[example.com/a]}. */
    public static String field(String parent, String name) {
        if (name.indexOf('.') >= 0 || name.indexOf('/') >= 0) {
            return parent + '[' + name + ']';
        }
        return parent.isEmpty() ? name : parent + '.' + name;
    }

    @Override
    public String toString() {
        return "line " + line + ", column " + column;
    }
}
