package io.nodeward.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.cli.text.Structured;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How objects of a cluster are printed, in the words of kubectl. */
final class Output {
    enum Format {
        text,
        wide,
        json,
        yaml,
        name
    }

    @Option(names = {"-o",
            "--output"}, paramLabel = "FORMAT", defaultValue = "text", description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    Format format = Format.text;

    /** Of the command that has these options. */
    @Spec(Spec.Target.MIXEE)
    @Nullable
    CommandSpec spec;

    boolean isWide() {
        return format == Format.wide;
    }

    boolean isName() {
        return format == Format.name;
    }

    /** @param text in the format that was asked for, if it is one for people */
    void print(List<String> warnings, Supplier<ObjectNode> json, Supplier<String> text) throws IOException {
        if (spec != null) {
            boolean structured = format == Format.json || format == Format.yaml;
            new Printing(spec).print(warnings, switch (format) {
                case json -> Structured.json(json.get());
                case yaml -> Structured.yaml(json.get());
                case text, wide, name -> text.get();
            }, structured);
        }
    }
}
