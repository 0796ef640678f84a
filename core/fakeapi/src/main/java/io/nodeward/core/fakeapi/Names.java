package io.nodeward.core.fakeapi;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Which names, label keys and label values Kubernetes takes, and what it says of the others. */
final class Names {
    private static final String NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String SUBDOMAIN = LABEL + "(\\." + LABEL + ")*";
    private static final Pattern NAME_PATTERN = Pattern.compile(NAME);
    private static final Pattern SUBDOMAIN_PATTERN = Pattern.compile(SUBDOMAIN);
    private static final String NAME_RULE =
            "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
                    + "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '" + NAME
                    + "')";
    private static final String VALUE_RULE =
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start "
                    + "and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used "
                    + "for validation is '(" + NAME + ")?')";
    private static final String SUBDOMAIN_RULE =
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start "
                    + "and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '"
                    + SUBDOMAIN + "')";

    private Names() {}

    /** What is wrong with a label, annotation or taint key; empty if nothing. */
    static List<String> key(String key) {
        String[] parts = key.split("/", -1);
        if (parts.length > 2) {
            return List.of("a valid label key " + NAME_RULE + " with an optional DNS subdomain prefix and '/' (e.g. "
                    + "'example.com/MyName')");
        }
        List<String> wrong = new ArrayList<>();
        if (parts.length == 2) {
            if (parts[0].isEmpty()) {
                wrong.add("prefix part must be non-empty");
            } else {
                subdomain(parts[0]).forEach(w -> wrong.add("prefix part " + w));
            }
        }
        String name = parts[parts.length - 1];
        if (name.isEmpty()) {
            wrong.add("name part must be non-empty");
        } else if (name.length() > 63) {
            wrong.add("name part must be no more than 63 bytes");
        }
        if (!NAME_PATTERN.matcher(name).matches()) {
            wrong.add("name part " + NAME_RULE);
        }
        return wrong;
    }

    static List<String> value(String value) {
        List<String> wrong = new ArrayList<>();
        if (value.length() > 63) {
            wrong.add("must be no more than 63 bytes");
        }
        if (!value.isEmpty() && !NAME_PATTERN.matcher(value).matches()) {
            wrong.add(VALUE_RULE);
        }
        return wrong;
    }

    static List<String> subdomain(String name) {
        List<String> wrong = new ArrayList<>();
        if (name.length() > 253) {
            wrong.add("must be no more than 253 bytes");
        }
        if (!SUBDOMAIN_PATTERN.matcher(name).matches()) {
            wrong.add(SUBDOMAIN_RULE);
        }
        return wrong;
    }
}
