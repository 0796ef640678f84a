package io.nodeward.core.rules.selector;

import io.nodeward.core.rules.selector.LabelSelector.Operator;
import io.nodeward.core.rules.selector.LabelSelector.Requirement;
import io.nodeward.core.rules.selector.SelectorLexer.Kind;
import io.nodeward.core.rules.selector.SelectorLexer.Token;
import io.nodeward.core.rules.validation.DecimalInteger;
import io.nodeward.core.rules.validation.FieldFault;
import io.nodeward.core.rules.validation.NameFaults;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Reads a selector as the API server does, with its words for what is wrong. */
final class SelectorParser {
    private final List<Token> tokens;
    private int at;

    SelectorParser(String text) {
        tokens = SelectorLexer.tokens(text);
    }

    List<Requirement> parse() {
        List<Requirement> requirements = new ArrayList<>();
        if (startsRequirement()) {
            requirements.add(requirement());
            while (peek() == Kind.COMMA) {
                take();
                if (!startsRequirement()) {
                    throw found("', expected: identifier after ','");
                }
                requirements.add(requirement());
            }
            if (peek() != Kind.END) {
                throw found("', expected: ',' or 'end of string'");
            }
        } else if (peek() != Kind.END) {
            throw found("', expected: !, identifier, or 'end of string'");
        }
        return requirements;
    }

    private boolean startsRequirement() {
        return peek() == Kind.WORD || peek() == Kind.NOT;
    }

    private Requirement requirement() {
        try {
            return readRequirement();
        } catch (SelectorException e) {
            throw new SelectorException("unable to parse requirement: " + e.getMessage());
        }
    }

    private Requirement readRequirement() {
        boolean negated = peek() == Kind.NOT;
        if (negated) {
            take();
        }
        if (peek() != Kind.WORD) {
            throw found("', expected: identifier");
        }
        String key = take().text();
        List<String> faults = NameFaults.ofKey(key);
        if (!faults.isEmpty()) {
            throw new SelectorException(FieldFault.invalid("<nil>", key, String.join("; ", faults)).text());
        }
        if (negated) {
            return new Requirement(key, Operator.DOES_NOT_EXIST, List.of());
        }
        return peek() == Kind.END || peek() == Kind.COMMA
                ? new Requirement(key, Operator.EXISTS, List.of())
                : compared(key);
    }

    private Requirement compared(String key) {
        // Here, and only here, "in" and "notin" are words of the language.
        Operator operator = switch (tokens.get(at).kind()) {
            case IN, EQUALS, DOUBLE_EQUALS -> Operator.IN;
            case NOT_IN, NOT_EQUALS -> Operator.NOT_IN;
            case GREATER -> Operator.GREATER;
            case LESS -> Operator.LESS;
            default -> throw found("', expected: in, notin, =, ==, !=, gt, lt");
        };
        Kind kind = take().kind();
        List<String> values = kind == Kind.IN || kind == Kind.NOT_IN ? set() : List.of(value());
        check(key, operator, values);
        return new Requirement(key, operator, values);
    }

    private String value() {
        if (peek() == Kind.END || peek() == Kind.COMMA) {
            return "";
        }
        if (peek() != Kind.WORD) {
            throw found("', expected: identifier");
        }
        return take().text();
    }

    /** Between two commas, and before the first or after the last, is the empty value. */
    private List<String> set() {
        if (peek() != Kind.OPEN) {
            throw found("' expected: '('");
        }
        take();
        if (peek() != Kind.WORD && peek() != Kind.COMMA && peek() != Kind.CLOSE) {
            throw found("', expected: ',', ')' or identifier");
        }
        TreeSet<String> values = new TreeSet<>();
        values.add(member());
        while (peek() == Kind.COMMA) {
            take();
            values.add(member());
        }
        take();
        return List.copyOf(values);
    }

    private String member() {
        if (peek() == Kind.COMMA || peek() == Kind.CLOSE) {
            return "";
        }
        if (peek() != Kind.WORD) {
            throw found("', expected: ',', or identifier");
        }
        String member = take().text();
        if (peek() != Kind.COMMA && peek() != Kind.CLOSE) {
            throw found("', expected: ',' or ')'");
        }
        return member;
    }

    private static void check(String key, Operator operator, List<String> values) {
        List<String> faults = new ArrayList<>();
        if (operator == Operator.GREATER || operator == Operator.LESS) {
            if (DecimalInteger.anyForm(values.get(0)).isEmpty()) {
                faults.add(FieldFault.invalid(
                        "values[0]", values.get(0), "for 'Gt', 'Lt' operators, the value must be an integer").text());
            }
        }
        for (int i = 0; i < values.size(); i++) {
            List<String> value = NameFaults.ofValue(values.get(i));
            if (!value.isEmpty()) {
                faults.add(FieldFault.invalid(
                        "values[" + i + "][" + key + "]", values.get(i), String.join("; ", value)).text());
            }
        }
        if (faults.size() == 1) {
            throw new SelectorException(faults.get(0));
        } else if (!faults.isEmpty()) {
            throw new SelectorException("[" + String.join(", ", faults) + "]");
        }
    }

    private Kind peek() {
        return tokens.get(at).asValue();
    }

    private Token take() {
        return tokens.get(at++);
    }

    private SelectorException found(String expected) {
        return new SelectorException("found '" + tokens.get(at).text() + expected);
    }
}
