package io.nodeward.e2e.bench.report;

import io.nodeward.e2e.bench.Sample;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What a run found, for the terminal and as files. */
public final class Report {
    private static final String RESULTS = "results.json";

    private Report() {}

    /** Returns lines of at most so many columns: the figures of all scenarios, and each goal met, missed or not measured. */
    public static String table(List<Sample> samples, int width) {
        return TextTable.of(new Samples(samples), width);
    }

    /** What was written once. */
    public record Earlier(List<Sample> samples, Map<String, String> facts) {}

    /** What {@link #write} has left in the directory; nothing if it has not. */
    public static Earlier read(Path directory) {
        Path file = directory.resolve(RESULTS);
        try {
            return Files.exists(file) ? ResultsJson.read(Files.readString(file)) : new Earlier(List.of(), Map.of());
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
    }

    /**
     * Writes {@code results.json} with all that is given, and a page, {@code README.md}, with its plots. The same samples
     * and facts make the same files.
     *
     * @param directory created if it is not there
     */
    public static void write(List<Sample> samples, Map<String, String> facts, Path directory) {
        Samples all = new Samples(samples);
        List<Plot> plots = Plot.of(all);
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve(RESULTS), ResultsJson.of(samples, facts));
            Files.writeString(directory.resolve("README.md"), Page.of(all, facts, plots));
            for (Plot plot : plots) {
                Files.writeString(directory.resolve(plot.file()), Svg.of(plot));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the report cannot be written", e);
        }
    }
}
