package io.nodeward.core.cel;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The formats of texts that have names in expressions. */
enum NamedFormat {
    DNS_1123_LABEL("dns1123Label", "not a DNS label of RFC 1123", text -> label(text)),
    DNS_1123_SUBDOMAIN("dns1123Subdomain", "not a DNS subdomain of RFC 1123", text -> subdomain(text)),
    DNS_1035_LABEL("dns1035Label", "not a DNS label of RFC 1035", text -> label1035(text)),
    QUALIFIED_NAME("qualifiedName", "not a qualified name", text -> qualifiedName(text)),
    DNS_1123_LABEL_PREFIX("dns1123LabelPrefix", "not a prefix of a DNS label of RFC 1123", text -> label(masked(text))),
    DNS_1123_SUBDOMAIN_PREFIX("dns1123SubdomainPrefix", "not a prefix of a DNS subdomain of RFC 1123",
            text -> subdomain(masked(text))),
    DNS_1035_LABEL_PREFIX("dns1035LabelPrefix", "not a prefix of a DNS label of RFC 1035",
            text -> label1035(masked(text))),
    LABEL_VALUE("labelValue", "not a value of a label", text -> text.isEmpty() || name(text)),
    URI("uri", "not a URI", Url::isUrl),
    UUID("uuid", "does not match the UUID format", Patterns.UUID.asMatchPredicate()),
    BYTE("byte", "invalid base64", Patterns.BASE64.asMatchPredicate()),
    DATE("date", "invalid date", text -> date(text)),
    DATETIME("datetime", "invalid datetime", text -> dateTime(text));

    private final String nameInExpressions;
    private final String fault;
    private final Predicate<String> rule;

    NamedFormat(String nameInExpressions, String fault, Predicate<String> rule) {
        this.nameInExpressions = nameInExpressions;
        this.fault = fault;
        this.rule = rule;
    }

    private static final class Patterns {
        private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
        private static final Pattern LABEL_1035 = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");
        private static final Pattern NAME = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
        private static final Pattern UUID = Pattern.compile(
                "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}");
        private static final Pattern BASE64 = Pattern.compile(
                "(?:[A-Za-z0-9+/]{4})*+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?(?<!^)");
        private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
        private static final Pattern TIME = Pattern.compile(
                "([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})");
    }

    static Optional<NamedFormat> named(String name) {
        return Arrays.stream(values()).filter(format -> format.nameInExpressions.equals(name)).findFirst();
    }

    String nameInExpressions() {
        return nameInExpressions;
    }

    /** Why a text is not in this format; empty if it is. */
    Optional<String> fault(String text) {
        return rule.test(text) ? Optional.empty() : Optional.of(fault);
    }

    private static boolean label(String text) {
        return text.length() <= 63 && Patterns.LABEL.matcher(text).matches();
    }

    private static boolean label1035(String text) {
        return text.length() <= 63 && Patterns.LABEL_1035.matcher(text).matches();
    }

    private static boolean subdomain(String text) {
        return text.length() <= 253
                && Arrays.stream(text.split("\\.", -1)).allMatch(part -> Patterns.LABEL.matcher(part).matches());
    }

    private static boolean name(String text) {
        return text.length() <= 63 && Patterns.NAME.matcher(text).matches();
    }

    private static boolean qualifiedName(String text) {
        String[] parts = text.split("/", -1);
        return parts.length == 1 ? name(text) : parts.length == 2 && subdomain(parts[0]) && name(parts[1]);
    }

    /** What is generated follows the dash. */
    private static String masked(String text) {
        return text.length() > 1 && text.endsWith("-") ? text.substring(0, text.length() - 2) + "a" : text;
    }

    private static boolean date(String text) {
        if (!Patterns.DATE.matcher(text).matches()) {
            return false;
        }
        try {
            LocalDate.parse(text);
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static boolean dateTime(String text) {
        String[] parts = text.toLowerCase(Locale.ROOT).split("t", -1);
        if (parts.length < 2 || !date(parts[0])) {
            return false;
        }
        Matcher time = Patterns.TIME.matcher(parts[1]);
        return time.matches() && time.group(1).compareTo("23") <= 0 && time.group(2).compareTo("59") <= 0
                && time.group(3).compareTo("59") <= 0;
    }
}
