package io.nodeward.core.rules.validation;

import java.util.Optional;
import java.util.OptionalLong;

/** Numbers of 64 bits in texts, as Kubernetes reads them. */
public final class DecimalInteger {
    private DecimalInteger() {}

    /** The number; empty if the text is not the one form a number may have in taints and tolerations. */
    public static OptionalLong canonical(String text) {
        return formFault(text).isEmpty() ? anyForm(text) : OptionalLong.empty();
    }

    /** The number, with leading zeros or a plus, or without; empty if it is none, or too large. */
    public static OptionalLong anyForm(String text) {
        return areDigits(text, signs(text)) ? parsed(text) : OptionalLong.empty();
    }

    /** What is wrong with the form: no leading zeros, no plus, no minus zero. */
    public static Optional<String> formFault(String text) {
        if (text.isEmpty()) {
            return Optional.of("must be non-empty");
        }
        int first = text.charAt(0) == '-' ? 1 : 0;
        boolean canonical = text.equals("0") || areDigits(text, first) && text.charAt(first) != '0';
        return canonical ? Optional.empty() : Optional.of("must be a valid decimal integer in canonical form");
    }

    /** What is wrong with the text as a number of any form. */
    public static Optional<String> numberFault(String text) {
        if (anyForm(text).isPresent()) {
            return Optional.empty();
        }
        String fault = areDigits(text, signs(text)) ? "value out of range" : "invalid syntax";
        return Optional.of("strconv.ParseInt: parsing " + Quoted.of(text) + ": " + fault);
    }

    private static int signs(String text) {
        return text.startsWith("-") || text.startsWith("+") ? 1 : 0;
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
