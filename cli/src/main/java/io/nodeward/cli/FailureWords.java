package io.nodeward.cli;

import io.nodeward.cli.live.LiveFailure;
import io.nodeward.cli.terminal.Harmless;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What a user reads of a command that failed: what is wrong, what to do about it, and nothing of Java. */
final class FailureWords {
    private static final String OURS = "io.nodeward.";

    private FailureWords() {}

    static List<String> of(Throwable failure) {
        return switch (failure) {
            case LiveFailure live -> live.lines();
            case UncheckedIOException wrapped when wrapped.getCause() instanceof IOException inner -> of(inner);
            case FileSystemException file -> List.of(line(named(file)));
            case InterruptedIOException e -> List.of(line("interrupted"));
            case IOException e -> List.of(line(Optional.ofNullable(e.getMessage())
                    .orElse("a file or stream cannot be read or written")));
            case IllegalArgumentException wrong -> List.of(line(String.valueOf(wrong.getMessage())));
            default -> List.of(line("internal error at " + place(failure)
                    + "; please report it with what was typed: it is not of your making"));
        };
    }

    /** Their messages are names, and then perhaps why. */
    private static String named(FileSystemException failure) {
        String why = Optional.ofNullable(failure.getReason()).orElse("cannot be read or written");
        return failure.getFile() + ": " + switch (failure) {
            case NoSuchFileException e -> "there is no such file";
            case AccessDeniedException e -> "must not be read";
            default -> why;
        };
    }

    private static String place(Throwable failure) {
        return Arrays.stream(failure.getStackTrace()).filter(frame -> frame.getClassName().startsWith(OURS)).findFirst()
                .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                .orElse("an unknown place");
    }

    private static String line(String words) {
        return "error: " + Harmless.lines(words);
    }
}
