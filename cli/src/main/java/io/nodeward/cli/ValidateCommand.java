package io.nodeward.cli;

import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.Manifests;
import io.nodeward.cli.terminal.Terminal;
import io.nodeward.cli.text.Screen;
import io.nodeward.cli.validate.Judged;
import io.nodeward.cli.validate.JudgedText;
import io.nodeward.core.rules.validation.AdmissionPolicy;
import io.nodeward.core.rules.validation.Enforcement;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code nodeward validate}: what admission would say, where no server can be asked yet. */
@Command(name = "validate", sortOptions = false, description = {
        "Says which objects in files the admission of Nodeward would refuse, and of which it would warn: by the same"
                + " rules, without a server.",
        "And what of Cluster API's and Nodeward's kinds a server would not store: unknown fields, kinds and versions, and"
                + " wrong types. By CRDs in the files they are errors, by those that come with the command warnings.",
        "Exit codes: 0 all may be stored, 3 there is what --fail-on names, 1 wrong usage, a file"
                + " cannot be read, or a document is no object."
})
final class ValidateCommand implements Callable<Integer> {
    private static final int FAILED_ON = 3;

    enum Format {
        text,
        wide,
        json
    }

    enum FailOn {
        nothing,
        errors,
        warnings
    }

    private final InputStream in;
    private final Terminal terminal;

    @Option(names = {"-f", "--filename"}, paramLabel = "FILE", required = true, description = "YAML or JSON of any"
            + " objects; a directory, or - for standard input. Those of Cluster API and Nodeward are judged")
    List<String> files = new ArrayList<>();

    @Option(names = {"-R", "--recursive"}, description = "Directories with all that is below them")
    boolean recursive;

    @Option(names = "--before", paramLabel = "FILE", description = "The objects as they are stored: what was there before"
            + " is not judged again. Without it, each is judged as if it were created")
    List<String> before = new ArrayList<>();

    @Option(names = {"-n", "--namespace"}, paramLabel = "NAMESPACE", defaultValue = "", description = "Of objects that"
            + " name none")
    String namespace = "";

    @Mixin
    GateSwitches gates = new GateSwitches();

    @Option(names = "--admission-enforcement", paramLabel = "MODE", defaultValue = "Enforce", description = "As the controller"
            + " is started with: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    Enforcement enforcement = Enforcement.Enforce;

    @Option(names = "--admission-gate", paramLabel = "MODE", defaultValue = "Enforce", description = "Likewise,"
            + " while the gate is off: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    Enforcement gate = Enforcement.Enforce;

    @Option(names = {"-o",
            "--output"}, paramLabel = "FORMAT", defaultValue = "text", description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    Format format = Format.text;

    @Option(names = "--fail-on", paramLabel = "WHAT", defaultValue = "errors", description = "Exit with 3 on ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    FailOn failOn = FailOn.errors;

    @Spec
    @Nullable
    CommandSpec spec;

    ValidateCommand(InputStream in, Terminal terminal) {
        this.in = in;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        if (Stream.concat(files.stream(), before.stream()).filter("-"::equals).count() > 1) {
            throw new IllegalArgumentException("standard input can be read once: give - once");
        }
        AdmissionPolicy policy = new AdmissionPolicy(gates.propagates(), enforcement, gate);
        Manifests.Reading reading = new Manifests.Reading(namespace, recursive, in).withPlaces();
        List<Manifest> manifests = Manifests.read(files, reading);
        if (manifests.isEmpty()) {
            throw new IllegalArgumentException("there is no object in " + String.join(", ", files)
                    + (recursive ? ""
                            : "; of a directory the files that are right in it are read, and with -R all below"));
        }
        Judged judged = Judged.of(manifests, Manifests.read(before, reading), policy);
        if (spec != null) {
            new Printing(spec).print(List.of(), text(judged), false);
        }
        return switch (failOn) {
            case nothing -> 0;
            case errors -> judged.errors() > 0 ? FAILED_ON : 0;
            case warnings -> judged.findings().isEmpty() ? 0 : FAILED_ON;
        };
    }

    private String text(Judged judged) {
        Screen screen = Screen.of(terminal);
        return switch (format) {
            case text -> JudgedText.terminal(judged, screen);
            case wide -> JudgedText.terminal(judged, screen.unlimited());
            case json -> JudgedText.json(judged);
        };
    }
}
