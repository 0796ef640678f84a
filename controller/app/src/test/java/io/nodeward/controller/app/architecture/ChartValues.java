package io.nodeward.controller.app.architecture;

import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;

/** The values of the chart, from their file: each is a line, and says in the comment above what it is. */
final class ChartValues {
    private final StringBuilder table = new StringBuilder("| value | default | is |\n|---|---|---|\n");
    private final String[] path = new String[4];
    private StringJoiner comment = new StringJoiner(" ");

    private ChartValues() {}

    static String table(List<String> lines) {
        ChartValues values = new ChartValues();
        lines.forEach(values::line);
        return values.table.toString();
    }

    private void line(String line) {
        String text = line.strip();
        if (text.startsWith("# ")) {
            comment.add(text.substring(2));
        } else if (!text.isEmpty()) {
            value((line.length() - line.stripLeading().length()) / 2, text);
            comment = new StringJoiner(" ");
        }
    }

    private void value(int depth, String text) {
        int colon = text.indexOf(':');
        path[depth] = text.substring(0, colon);
        String value = text.substring(colon + 1).strip();
        if (!value.isEmpty()) {
            String name = String.join(".", Arrays.asList(path).subList(0, depth + 1));
            table.append("| `%s` | `%s` | %s |%n".formatted(name, value, comment));
        }
    }
}
