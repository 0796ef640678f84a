package io.nodeward.core.rules.toleration;

import io.nodeward.core.rules.validation.Quoted;
import java.util.Optional;
import java.util.OptionalLong;

/** Numbers in the values of taints and tolerations: 64 bits, in decimal, in one form only. */
final class DecimalInteger {
    private DecimalInteger() {}

    /** The number; empty if the text is not the one form of a number of 64 bits. */
    static OptionalLong of(String text) {
        return formFault(text).isEmpty() ? parsed(text) : OptionalLong.empty();
    }

    /** What is wrong with the form: no leading zeros, no plus, no minus zero. */
    static Optional<String> formFault(String text) {
        if (text.isEmpty()) {
            return Optional.of("must be non-empty");
        }
        int first = text.charAt(0) == '-' ? 1 : 0;
        boolean canonical = text.equals("0")
                || areDigits(text, first) && text.charAt(first) != '0';
        return canonical ? Optional.empty() : Optional.of("must be a valid decimal integer in canonical form");
    }

    /** What is wrong with the text as a number of any form, or with its size. */
    static Optional<String> sizeFault(String text) {
        int first = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
        if (!areDigits(text, first)) {
            return Optional.of("strconv.ParseInt: parsing " + Quoted.of(text) + ": invalid syntax");
        }
        return parsed(text).isPresent()
                ? Optional.empty()
                : Optional.of("strconv.ParseInt: parsing " + Quoted.of(text) + ": value out of range");
    }

    private static boolean areDigits(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return false;
            }
        }
        return from < text.length();
    }

    /** Of digits with a sign or without. */
    private static OptionalLong parsed(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException tooLarge) {
            return OptionalLong.empty();
        }
    }
}
