package io.nodeward.cli.text;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.CharConversionException;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** Says why a text is no JSON or YAML. The messages of the libraries name their own classes and options, and some give two positions. */
public final class SyntaxFault {
    /** What a Java program could set. */
    private static final String OPTION = ", from `[^`]*`|: enable `[^`]*` to allow.*";
    private static final String BEGIN = " \\(start marker at .*line: (\\d+), column: \\d+\\]\\)";

    private SyntaxFault() {}

    /** Returns the position in the file, where it is known, and the fault: {@code bad.yaml, line 2, column 5: expected ...}. */
    public static String inFile(String file, JsonProcessingException e) {
        if (Stream.iterate((Throwable) e, Objects::nonNull, Throwable::getCause)
                .anyMatch(CharConversionException.class::isInstance)) {
            return file + ": is not UTF-8";
        }
        Optional<Mark> mark = Optional.ofNullable(e.getCause()).filter(MarkedYAMLException.class::isInstance)
                .map(cause -> ((MarkedYAMLException) cause).getProblemMark());
        return file + mark.map(at -> position(at.getLine() + 1, at.getColumn() + 1))
                .or(() -> Optional.ofNullable(e.getLocation()).map(at -> position(at.getLineNr(), at.getColumnNr())))
                .orElse("") + ": " + of(e);
    }

    private static String position(int line, int column) {
        return ", line " + line + ", column " + column;
    }

    /** Returns the fault in one line. */
    public static String of(JsonProcessingException e) {
        return e.getCause() instanceof MarkedYAMLException yaml && yaml.getProblem() != null
                ? yaml.getProblem()
                : e.getOriginalMessage().replaceAll(OPTION, "").replaceAll(BEGIN, ", which begins in line $1")
                        .replace("VALUE_STRING", "a string").replace("FIELD_NAME", "the name of a field");
    }
}
