package io.nodeward.e2e.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A page of the guide.
 *
 * @param lines of it
 */
record Guide(List<String> lines) {
    static Guide of(String page) {
        Path file = Path.of("..", "docs", "guide", page);
        try {
            return new Guide(Files.readAllLines(file));
        } catch (IOException e) {
            throw new UncheckedIOException(file.toAbsolutePath() + ": run this from the folder e2e, as Maven does", e);
        }
    }

    /** Returns the commands of a section, without those of the sections in it; a command may go on after a backslash. */
    List<String> commands(String heading) {
        List<String> commands = new ArrayList<>();
        StringBuilder command = new StringBuilder();
        for (String line : section(heading)) {
            boolean goesOn = !command.isEmpty();
            if (goesOn || line.matches(" {4,}(kubectl|nodeward|helm) .*")) {
                command.append(goesOn ? " " : "").append(line.strip().replaceFirst(" *\\\\$", ""));
                if (!line.endsWith("\\")) {
                    commands.add(command.toString());
                    command.setLength(0);
                }
            }
        }
        assertThat(commands).as(heading).isNotEmpty();
        return commands;
    }

    /** Returns the first block of YAML in a section. */
    String yaml(String heading) {
        List<String> section = section(heading);
        int begin = section.indexOf("```yaml") + 1;
        assertThat(begin).as("YAML in " + heading).isPositive();
        List<String> rest = section.subList(begin, section.size());
        return String.join("\n", rest.subList(0, rest.indexOf("```"))) + "\n";
    }

    private List<String> section(String heading) {
        int begin = lines.indexOf(heading);
        assertThat(begin).as(heading).isNotNegative();
        List<String> rest = lines.subList(begin + 1, lines.size());
        int end = 0;
        while (end < rest.size() && !rest.get(end).matches("#+ .*")) {
            end++;
        }
        return rest.subList(0, end);
    }
}
