package io.nodeward.cli.live;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as kubectl's flags have them: {@code 1h30m}, {@code 1.5s}; a number alone is seconds. */
public final class GoDuration {
    private static final Pattern PART = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(ms|s|m|h)");
    private static final Pattern WHOLE = Pattern.compile("(?:" + PART.pattern() + ")+");
    private static final int LONGEST_TEXT = 20;
    private static final BigDecimal LONGEST = BigDecimal.valueOf(Duration.ofDays(365).toMillis());

    private GoDuration() {}

    /** @throws IllegalArgumentException naming the flag, if it is none */
    public static Duration parse(String flag, String text) {
        String withUnit = text.matches("[0-9]+") ? text + "s" : text;
        if (text.length() > LONGEST_TEXT || !WHOLE.matcher(withUnit).matches()) {
            throw new IllegalArgumentException(flag + " " + text
                    + " is no duration; 30s, 5m, 1h30m and 24h (a day) are, and 0 is without end");
        }
        BigDecimal millis = BigDecimal.ZERO;
        for (Matcher part = PART.matcher(withUnit); part.find();) {
            millis = millis.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(millis(part.group(2)))));
        }
        if (millis.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    flag + " " + text + " is too long: at most 8760h, which is 365 days");
        }
        return Duration.ofMillis(millis.longValue());
    }

    private static long millis(String unit) {
        return switch (unit) {
            case "ms" -> 1;
            case "s" -> 1_000;
            case "m" -> 60_000;
            default -> 3_600_000;
        };
    }
}
