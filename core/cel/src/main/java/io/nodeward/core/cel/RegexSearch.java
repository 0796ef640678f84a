package io.nodeward.core.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Searches by regular expressions of RE2, which take time linear in the text. */
final class RegexSearch {
    /** Longer than any that is written in an expression; one can be computed. */
    private static final int LONGEST = 64 * 1024;
    /** So many characters and classes, repeated ones counted each time, are kept compiled: some 16 MB. */
    private static final long MOST_KEPT = 256 * 1024;
    /** So many characters one call searches in all: each match may look at all that follows it. */
    private static final long MOST_SEARCHED = 64 * 1024;
    private static final Map<String, Pattern> COMPILED = new ConcurrentHashMap<>();
    private static final AtomicLong KEPT = new AtomicLong();

    private RegexSearch() {}

    /** @throws IllegalArgumentException if it is no regular expression, or too large a one */
    static Pattern compile(String regex) {
        Pattern known = COMPILED.get(regex);
        if (known != null) {
            return known;
        }
        if (regex.length() > LONGEST) {
            throw new IllegalArgumentException("Illegal regex: expression too large");
        }
        long size = RegexBounds.size(regex);
        Pattern compiled = compiled(regex);
        if (KEPT.addAndGet(size) > MOST_KEPT) {
            COMPILED.clear();
            KEPT.set(size);
        }
        COMPILED.put(regex, compiled);
        return compiled;
    }

    private static Pattern compiled(String regex) {
        try {
            return Pattern.compile(regex);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("Illegal regex: " + e.getMessage(), e);
        }
    }

    static boolean matches(String text, String regex) {
        return compile(regex).matcher(text).find();
    }

    /** The first match, or an empty text. */
    static String first(String text, String regex) {
        Matcher matcher = compile(regex).matcher(text);
        return matcher.find() ? matcher.group() : "";
    }

    /** Up to so many matches, or all if it is negative. An empty one that touches the one before is none, as in Go. */
    static List<String> all(String text, String regex, long limit) {
        Matcher matcher = compile(regex).matcher(text);
        List<String> found = new ArrayList<>();
        int end = -1;
        long searched = 0;
        while ((limit < 0 || found.size() < limit) && matcher.find()) {
            searched += text.length() - Math.max(0, end);
            if (searched > MOST_SEARCHED) {
                throw new CostMeter.Exceeded(CostMeter.TOO_LARGE);
            }
            if (matcher.start() < matcher.end()
                    || matcher.start() != end && !isWithinCharacter(text, matcher.start())) {
                found.add(matcher.group());
            }
            end = matcher.end();
        }
        return found;
    }

    private static boolean isWithinCharacter(String text, int index) {
        return index > 0 && index < text.length()
                && Character.isSurrogatePair(text.charAt(index - 1), text.charAt(index));
    }
}
