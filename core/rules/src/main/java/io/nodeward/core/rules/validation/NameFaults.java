package io.nodeward.core.rules.validation;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What Kubernetes says is wrong with a key or a value, in its words and its order. Nothing is said of exactly those
 * texts that {@link NodeAcceptance} takes.
 */
public final class NameFaults {
    private static final String NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String NAME_RULE =
            "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric"
                    + " character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '" + NAME
                    + "')";
    private static final String VALUE_RULE =
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must"
                    + " start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345',"
                    + " regex used for validation is '(" + NAME + ")?')";
    private static final String DOMAIN_RULE =
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must"
                    + " start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is"
                    + " '" + LABEL + "(\\." + LABEL + ")*')";
    private static final String LABEL_RULE =
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end"
                    + " with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '"
                    + LABEL
                    + "')";
    private static final String EMPTY = "must be non-empty";

    private NameFaults() {}

    /** Of a key of a label, an annotation or a taint. */
    public static List<String> ofKey(String key) {
        if (NodeAcceptance.isQualifiedName(key)) {
            return List.of();
        }
        int slash = key.indexOf('/');
        if (slash != key.lastIndexOf('/')) {
            return List.of("a valid label key " + NAME_RULE
                    + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
        }
        List<String> faults = new ArrayList<>();
        if (slash >= 0) {
            domain(key.substring(0, slash), faults);
        }
        name(key.substring(slash + 1), faults);
        return faults;
    }

    /** Of a value of a label or a taint. */
    public static List<String> ofValue(String value) {
        if (NodeAcceptance.isLabelValue(value)) {
            return List.of();
        }
        List<String> faults = new ArrayList<>();
        if (bytes(value) > NodeAcceptance.MAX_NAME) {
            faults.add(tooLong(NodeAcceptance.MAX_NAME));
        }
        if (!NodeAcceptance.hasNameForm(value, 0)) {
            faults.add(VALUE_RULE);
        }
        return faults;
    }

    /** Of a name of an object that is a DNS subdomain, and in some places shorter than that may be. */
    public static List<String> ofSubdomain(String name, int most) {
        if (name.isEmpty()) {
            return List.of(EMPTY);
        }
        List<String> faults = new ArrayList<>(0);
        if (bytes(name) > most) {
            faults.add(tooLong(most));
        }
        if (!NodeAcceptance.hasDomainForm(name, name.length())) {
            faults.add(DOMAIN_RULE);
        }
        return faults;
    }

    /** Of a name that is one label of DNS. */
    public static List<String> ofLabel(String name) {
        List<String> faults = new ArrayList<>(0);
        if (bytes(name) > NodeAcceptance.MAX_NAME) {
            faults.add(tooLong(NodeAcceptance.MAX_NAME));
        }
        if (!NodeAcceptance.hasDomainForm(name, name.length())) {
            faults.add(LABEL_RULE);
        } else if (name.indexOf('.') >= 0) {
            faults.add("must not contain dots");
        }
        return faults;
    }

    private static void domain(String domain, List<String> faults) {
        ofSubdomain(domain, NodeAcceptance.MAX_DOMAIN).forEach(fault -> faults.add("prefix part " + fault));
    }

    private static void name(String name, List<String> faults) {
        String part = "name part ";
        if (name.isEmpty()) {
            faults.add(part + EMPTY);
        } else if (bytes(name) > NodeAcceptance.MAX_NAME) {
            faults.add(part + tooLong(NodeAcceptance.MAX_NAME));
        }
        if (!NodeAcceptance.hasNameForm(name, 0)) {
            faults.add(part + NAME_RULE);
        }
    }

    private static String tooLong(int most) {
        return "must be no more than " + most + " bytes";
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
