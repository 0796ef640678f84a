package io.nodeward.cli.completion;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** What a shell may offer of a command. */
final class Offer {
    private Offer() {}

    static List<OptionSpec> options(CommandSpec command) {
        return command.options().stream().filter(option -> !option.hidden()).toList();
    }

    /** Words that may stand where no option does, with blanks between them; none if they are not known. */
    static String words(CommandSpec command) {
        return command.positionalParameters().stream().map(PositionalParamSpec::completionCandidates)
                .map(Offer::words).filter(words -> !words.isEmpty()).collect(Collectors.joining(" "));
    }

    /** Words that an option takes; none if they are not known. */
    static String words(OptionSpec option) {
        return words(option.completionCandidates());
    }

    private static String words(@Nullable Iterable<String> candidates) {
        return candidates == null
                ? ""
                : StreamSupport.stream(candidates.spliterator(), false).collect(Collectors.joining(" "));
    }

    static boolean takesValue(OptionSpec option) {
        return option.arity().max() > 0;
    }

    static boolean takesFile(OptionSpec option) {
        return option.paramLabel().contains("FILE");
    }

    /** The first sentence says it; the list of candidates shows one line of it. */
    static String described(String[] description) {
        String text = description.length == 0 ? "" : description[0].strip();
        int end = text.indexOf(". ");
        return end < 0 ? text : text.substring(0, end);
    }
}
