package io.nodeward.core.cel;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What Go refuses of regular expressions and re2j does not: what is repeated more than a thousand times, one repetition within
 * another, since each is a copy of its own.
 */
final class RegexBounds {
    private static final long MOST_COPIES = 1000;
    private static final int DEEPEST = 1000;

    private final String regex;
    private final Deque<Long> around = new ArrayDeque<>();
    /** The most copies of anything in the group that is open. */
    private long ofGroup = 1;
    /** The most copies of anything in what comes just before, to which a repetition applies. */
    private long ofAtom = 1;

    private RegexBounds(String regex) {
        this.regex = regex;
    }

    /** @throws IllegalArgumentException if it goes beyond them; whether it is a regular expression at all is not looked at */
    static void check(String regex) {
        new RegexBounds(regex).check();
    }

    private void check() {
        for (int i = 0; i < regex.length(); i++) {
            switch (regex.charAt(i)) {
                case '(' -> open();
                case ')' -> close();
                case '{' -> repeat(i);
                case '?', '*', '+' -> ofAtom = Math.max(1, ofAtom);
                case '[' -> {
                    i = endOfClass(i);
                    ofAtom = 1;
                }
                case '\\' -> {
                    i = regex.startsWith("Q", i + 1) ? endOfQuote(i) : i + 1;
                    ofAtom = 1;
                }
                default -> ofAtom = 1;
            }
        }
    }

    private void open() {
        around.push(ofGroup);
        if (around.size() > DEEPEST) {
            throw new IllegalArgumentException("Illegal regex: expression nests too deeply");
        }
        ofGroup = 1;
        ofAtom = 1;
    }

    private void close() {
        if (!around.isEmpty()) {
            ofAtom = ofGroup;
            ofGroup = Math.max(ofGroup, around.pop());
        }
    }

    private int endOfClass(int start) {
        int i = start + 1;
        i += regex.startsWith("^", i) ? 1 : 0;
        i += regex.startsWith("]", i) ? 1 : 0;
        while (i < regex.length() && regex.charAt(i) != ']') {
            boolean named = regex.startsWith("[:", i) && regex.indexOf(":]", i) > 0;
            i = named ? regex.indexOf(":]", i) + 2 : regex.charAt(i) == '\\' ? i + 2 : i + 1;
        }
        return i;
    }

    private int endOfQuote(int start) {
        int end = regex.indexOf("\\E", start);
        return end < 0 ? regex.length() : end + 1;
    }

    /** {@code {2}}, {@code {2,}} or {@code {2,5}}; other braces are themselves. */
    private void repeat(int start) {
        int end = regex.indexOf('}', start);
        String[] bounds =
                end < 0 ? new String[0] : regex.substring(start + 1, Math.min(end, start + 32)).split(",", -1);
        boolean isRepetition = bounds.length == 1 && isNumber(bounds[0])
                || bounds.length == 2 && isNumber(bounds[0]) && (bounds[1].isEmpty() || isNumber(bounds[1]));
        if (!isRepetition) {
            ofAtom = 1;
            return;
        }
        String most = bounds.length == 2 && !bounds[1].isEmpty() ? bounds[1] : bounds[0];
        ofAtom *= Math.max(1, Long.parseLong(most));
        if (ofAtom > MOST_COPIES) {
            throw new IllegalArgumentException(
                    "Illegal regex: invalid repeat count: `" + regex.substring(start, end + 1) + "`");
        }
        ofGroup = Math.max(ofGroup, ofAtom);
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.length() <= 9 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
