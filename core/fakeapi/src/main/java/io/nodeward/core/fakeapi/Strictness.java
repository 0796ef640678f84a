package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The parameter {@code fieldValidation}. kubectl sends Strict with most writes. This server looks at the fields of metadata,
 * and of a Node at those on top, of its spec and of its taints. What is deeper in metadata or in a Node's spec and what is
 * in its status it lets through without a word; that of other kinds it knows metadata alone, it says in a warning.
 */
final class Strictness {
    private static final String NAME = "fieldValidation";
    private static final List<String> VALUES = List.of("", "Ignore", "Strict", "Warn");

    private Strictness() {}

    /** @param options the kind of the options it is part of */
    static void requireKnown(Exchange exchange, String options) {
        String value = exchange.query(NAME);
        if (!VALUES.contains(value)) {
            throw Refusal.invalid("meta.k8s.io", options, "",
                    List.of(Violation.unsupported(NAME, value, "Ignore", "Strict", "Warn")));
        }
    }

    /** @param refusal made of the error if there is one */
    static void require(Exchange exchange, Kind kind, ObjectNode given, Function<String, Refusal> refusal) {
        if (!exchange.query(NAME).equals("Strict")) {
            return;
        }
        List<String> unknown = new ArrayList<>(kind.rules().unknown(given));
        addUnknown(unknown, "metadata.", given.path("metadata"), Metadata.KNOWN);
        if (!unknown.isEmpty()) {
            throw refusal.apply("strict decoding error: unknown field \""
                    + String.join("\", unknown field \"", unknown) + "\"");
        }
        if (!kind.plural().equals("nodes")) {
            exchange.setHeader("Warning",
                    "299 - \"fieldValidation=Strict: this server looks at the fields of metadata "
                            + "only, and refuses no others of " + kind.plural() + "\"");
        }
    }

    /** @param at of the object, with a dot at its end, or empty */
    static void addUnknown(List<String> unknown, String at, JsonNode object, List<String> known) {
        object.fieldNames().forEachRemaining(field -> {
            if (!known.contains(field)) {
                unknown.add(at + field);
            }
        });
    }
}
