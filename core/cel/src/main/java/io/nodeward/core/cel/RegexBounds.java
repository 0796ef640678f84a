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

    /** Of what is compiled each takes some 60 bytes. */
    private static final long MOST_SIZE = 64 * 1024;

    private final String regex;
    private final Deque<Part> around = new ArrayDeque<>();
    /** The group that is open. */
    private Part ofGroup = Part.NONE;
    /** What comes just before, to which a repetition applies; the group has it already. */
    private Part ofAtom = Part.NONE;

    /**
     * A part of the expression.
     *
     * @param copies the most of anything in it
     * @param size how many characters and classes it has when all that is repeated is written out
     */
    private record Part(long copies, long size) {
        static final Part NONE = new Part(1, 0);
        static final Part ONE = new Part(1, 1);

        Part and(Part other) {
            return new Part(Math.max(copies, other.copies), size + other.size);
        }

        Part times(long count) {
            return new Part(copies * count, size * count);
        }
    }

    private RegexBounds(String regex) {
        this.regex = regex;
    }

    /**
     * Returns how many characters and classes it has when all that is repeated is written out.
     *
     * @throws IllegalArgumentException if it goes beyond the bounds; whether it is a regular expression at all is not looked at
     */
    static long size(String regex) {
        return new RegexBounds(regex).size();
    }

    private long size() {
        for (int i = 0; i < regex.length(); i++) {
            switch (regex.charAt(i)) {
                case '(' -> open();
                case ')' -> close();
                case '{' -> repeat(i);
                case '?', '*', '+' -> {}
                case '[' -> {
                    i = endOfClass(i);
                    atom(1);
                }
                case '\\' -> {
                    int end = regex.startsWith("Q", i + 1) ? endOfQuote(i) : i + 1;
                    atom(end - i);
                    i = end;
                }
                default -> atom(1);
            }
        }
        if (ofGroup.size() > MOST_SIZE) {
            throw new IllegalArgumentException("Illegal regex: expression too large");
        }
        return ofGroup.size();
    }

    private void atom(int size) {
        ofAtom = Part.ONE;
        ofGroup = ofGroup.and(new Part(1, size));
    }

    private void open() {
        around.push(ofGroup);
        if (around.size() > DEEPEST) {
            throw new IllegalArgumentException("Illegal regex: expression nests too deeply");
        }
        ofGroup = Part.NONE;
        ofAtom = Part.NONE;
    }

    private void close() {
        if (!around.isEmpty()) {
            ofAtom = ofGroup;
            ofGroup = around.pop().and(ofGroup);
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
            atom(1);
            return;
        }
        String most = bounds.length == 2 && !bounds[1].isEmpty() ? bounds[1] : bounds[0];
        long once = ofAtom.size();
        ofAtom = ofAtom.times(Math.max(1, Long.parseLong(most)));
        if (ofAtom.copies() > MOST_COPIES) {
            throw new IllegalArgumentException(
                    "Illegal regex: invalid repeat count: `" + regex.substring(start, end + 1) + "`");
        }
        ofGroup = ofGroup.and(new Part(ofAtom.copies(), ofAtom.size() - once));
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.length() <= 9 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
