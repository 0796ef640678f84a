package io.nodeward.core.rules.command;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Guesses which known name a user meant. */
public final class Nearest {
    private Nearest() {}

    /** Returns {@code "; did you mean 'x'?"}, or nothing if no known name is near. */
    public static String hint(String name, Collection<String> known) {
        Optional<String> nearest = known.stream().min(Comparator.comparingInt(k -> distance(name, k)));
        return nearest.filter(k -> distance(name, k) <= Math.min(k.length() - 1, Math.max(3, name.length() / 2)))
                .map(k -> "; did you mean '" + k + "'?")
                .orElse("");
    }

    /** Levenshtein distance, case ignored. */
    private static int distance(String one, String other) {
        String a = one.toLowerCase(Locale.ROOT);
        String b = other.toLowerCase(Locale.ROOT);
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
