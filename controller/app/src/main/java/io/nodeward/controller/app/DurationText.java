package io.nodeward.controller.app;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as Kubernetes writes them: {@code 90s}, {@code 1m30s}, {@code 2h}. */
final class DurationText implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
        try {
            Duration duration = Duration.parse("PT" + text);
            if (!duration.isNegative()) {
                return duration;
            }
        } catch (DateTimeParseException e) {
            // said below, in words
        }
        throw new TypeConversionException("'" + text + "' is no duration like 90s, 1m30s or 2h");
    }
}
