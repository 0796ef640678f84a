package io.nodeward.e2e.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Samples as they come: each is said, kept, and at once written, so that a run that is stopped leaves what it has. */
final class Results implements Consumer<Sample> {
    private static final JsonMapper JSON = new JsonMapper();

    private final Path file;
    private final Consumer<String> say;
    private final List<Sample> samples = new ArrayList<>();

    /** @param kept of an earlier run */
    Results(Path directory, List<Sample> kept, Consumer<String> say) {
        this.say = say;
        try {
            this.file = Files.createDirectories(directory).resolve("samples.jsonl");
            Files.writeString(file, "");
        } catch (IOException e) {
            throw new UncheckedIOException(directory + " cannot be written to", e);
        }
        kept.forEach(this::keep);
    }

    @Override
    public void accept(Sample sample) {
        say.accept("%s  pair %d  %s  %s".formatted(
                sample.scenario(), sample.pair(), sample.contender(), words(sample.figures())));
        keep(sample);
    }

    private void keep(Sample sample) {
        samples.add(sample);
        try {
            Files.writeString(file, JSON.writeValueAsString(sample) + "\n", StandardOpenOption.APPEND);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a sample has no JSON form", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Sample> samples() {
        return List.copyOf(samples);
    }

    private static String words(Map<String, Double> figures) {
        return figures.entrySet().stream()
                .map(figure -> figure.getKey() + "=" + String.format(Locale.ROOT, "%.4g", figure.getValue()))
                .collect(Collectors.joining(" "));
    }
}
