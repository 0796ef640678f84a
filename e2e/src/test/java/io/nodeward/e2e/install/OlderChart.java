package io.nodeward.e2e.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The chart as it once was: without leader election, and with a CRD that lacks a column. */
final class OlderChart {
    private OlderChart() {}

    /** Writes it into a new folder of the directory, which it returns. */
    static Path in(Path directory) throws IOException {
        Path copy = Files.createDirectory(directory.resolve("chart"));
        try (Stream<Path> files = Files.walk(Shape.CHART)) {
            for (Path file : files.skip(1).toList()) {
                Files.copy(file, copy.resolve(Shape.CHART.relativize(file)));
            }
        }
        replace(copy.resolve("files/crds/dedicatednodes.yaml"),
                "    - {name: Taint, type: string, jsonPath: .spec.taint.key}\n", "");
        replace(copy.resolve("templates/deployment.yaml"), "{{- if include \"nodeward.recreates\" . }}",
                "{{- if true }}");
        replace(copy.resolve("templates/_helpers.tpl"), """
                - --leader-election
                - --leader-election-id={{ include "nodeward.fullname" . }}
                - --leader-election-namespace={{ .Release.Namespace }}
                """, "");
        return copy;
    }

    private static void replace(Path file, String part, String by) throws IOException {
        String text = Files.readString(file);
        assertThat(text).contains(part);
        Files.writeString(file, text.replace(part, by));
    }
}
