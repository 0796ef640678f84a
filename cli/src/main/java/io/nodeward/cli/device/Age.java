package io.nodeward.cli.device;

import java.time.Duration;
import java.time.Instant;

/** How long ago, as kubectl shows it. */
final class Age {
    private Age() {}

    static String between(Instant from, Instant to) {
        Duration age = Duration.between(from, to);
        long seconds = Math.max(0, age.toSeconds());
        if (seconds < 120) {
            return seconds + "s";
        }
        if (seconds < 600) {
            return joined(seconds / 60, "m", seconds % 60, "s");
        }
        if (seconds < 3 * 3600) {
            return seconds / 60 + "m";
        }
        if (seconds < 8 * 3600) {
            return joined(seconds / 3600, "h", seconds / 60 % 60, "m");
        }
        if (seconds < 48 * 3600) {
            return seconds / 3600 + "h";
        }
        long days = seconds / 86_400;
        if (days < 8) {
            return joined(days, "d", seconds / 3600 % 24, "h");
        }
        if (days < 2 * 365) {
            return days + "d";
        }
        return days < 8 * 365 ? joined(days / 365, "y", days % 365, "d") : days / 365 + "y";
    }

    private static String joined(long much, String unit, long little, String smaller) {
        return much + unit + (little == 0 ? "" : little + smaller);
    }
}
