package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;

/** The table of a kind as {@code kubectl get} asks for it: NAME first, AGE last, unless the kind puts them elsewhere. */
final class Columns {
    static final Column AGE = Column.text("Age", o -> age(Json.text(o, "metadata", "creationTimestamp")));

    static final Column NAME = Column.at("Name", "metadata", "name");

    private Columns() {}

    static List<Column> of(Kind kind) {
        if (kind.columns().stream().anyMatch(c -> c.name().equals(NAME.name()))) {
            return kind.columns();
        }
        List<Column> columns = new ArrayList<>();
        columns.add(NAME);
        columns.addAll(kind.columns());
        if (!columns.contains(AGE)) {
            columns.add(AGE);
        }
        return columns;
    }

    static ArrayNode definitions(Kind kind) {
        ArrayNode definitions = Json.MAPPER.createArrayNode();
        for (Column column : of(kind)) {
            ObjectNode definition = definitions.addObject().put("name", column.name()).put("type", column.type());
            definition.put("format", column.name().equals(NAME.name()) ? "name" : "").put("description", column.name());
            definition.put("priority", column.priority());
        }
        return definitions;
    }

    static ArrayNode cells(Kind kind, JsonNode object) {
        ArrayNode cells = Json.MAPPER.createArrayNode();
        of(kind).forEach(c -> cells.add(c.cell().apply(object)));
        return cells;
    }

    /** Time since, in the words of kubectl. */
    static String age(String since) {
        try {
            return words(Duration.between(Instant.parse(since), Instant.now()));
        } catch (DateTimeParseException e) {
            return "<unknown>";
        }
    }

    static String words(Duration age) {
        long seconds = Math.max(0, age.toSeconds());
        long minutes = seconds / 60;
        long hours = minutes / 60;
        long days = hours / 24;
        if (seconds < 120) {
            return seconds + "s";
        } else if (minutes < 10) {
            return minutes + "m" + rest(seconds % 60, "s");
        } else if (minutes < 180) {
            return minutes + "m";
        } else if (hours < 8) {
            return hours + "h" + rest(minutes % 60, "m");
        } else if (hours < 48) {
            return hours + "h";
        } else if (days < 8) {
            return days + "d" + rest(hours % 24, "h");
        } else if (days < 730) {
            return days + "d";
        }
        return days / 365 + "y" + (days < 8 * 365 ? rest(days % 365, "d") : "");
    }

    private static String rest(long count, String unit) {
        return count == 0 ? "" : count + unit;
    }
}
