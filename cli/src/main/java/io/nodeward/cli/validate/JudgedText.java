package io.nodeward.cli.validate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.cli.explain.Words;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.text.Cell;
import io.nodeward.cli.text.Screen;
import io.nodeward.cli.text.Style;
import io.nodeward.cli.text.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Findings for people and for programs; docs/guide/cli.md describes the fields. */
public final class JudgedText {
    private JudgedText() {}

    public static String terminal(Judged judged, Screen screen) {
        StringBuilder text = new StringBuilder();
        byDocument(judged).forEach((manifest, findings) -> {
            text.append(screen.paragraph(manifest.source() + ": " + manifest.id(), Style.STRONG));
            Table table = new Table(2);
            findings.forEach(finding -> table.row(
                    finding.error() ? new Cell("error", Style.BAD) : new Cell("warning", Style.DOUBTFUL),
                    Cell.of(finding.manifest().place(finding.field()).map(place -> place + ": ").orElse("")
                            + (finding.field().isEmpty() ? "" : finding.field() + ": ") + finding.message())));
            text.append(table.text(screen)).append('\n');
        });
        return text + screen.paragraph(sum(judged), Style.PLAIN);
    }

    public static String json(Judged judged) {
        ObjectNode json = JsonNodeFactory.instance.objectNode()
                .put("objects", judged.objects()).put("judged", judged.judged())
                .put("errors", judged.errors()).put("warnings", judged.warnings());
        ArrayNode findings = json.putArray("findings");
        judged.findings().forEach(finding -> {
            Manifest.Id id = finding.manifest().id();
            ObjectNode one = findings.addObject().put("severity", finding.error() ? "error" : "warning")
                    .put("source", finding.manifest().source());
            finding.manifest().place(finding.field())
                    .ifPresent(place -> one.put("line", place.line()).put("column", place.column()));
            one
                    .put("group", id.group()).put("kind", id.kind())
                    .put("namespace", id.key().namespace()).put("name", id.key().name())
                    .put("field", finding.field()).put("message", finding.message());
        });
        return json.toPrettyString() + "\n";
    }

    /** Returns the findings of each document: one object may be in two files. */
    private static Map<Manifest, List<Finding>> byDocument(Judged judged) {
        return judged.findings().stream().collect(
                Collectors.groupingBy(Finding::manifest, LinkedHashMap::new, Collectors.toList()));
    }

    private static String sum(Judged judged) {
        return judged.judged() + " of " + Words.counted(judged.objects(), "object") + " judged: "
                + Words.counted(judged.errors(), "error") + ", " + Words.counted(judged.warnings(), "warning");
    }
}
