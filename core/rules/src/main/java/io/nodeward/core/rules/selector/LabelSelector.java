package io.nodeward.core.rules.selector;

import io.nodeward.core.rules.validation.DecimalInteger;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Objects by their labels; what has no requirements selects everything. */
public record LabelSelector(List<Requirement> requirements) {
    public LabelSelector {
        requirements = List.copyOf(requirements);
    }

    /** What a requirement asks of a label. */
    public enum Operator {
        IN,
        /** Also met by what does not have the label. */
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST,
        /** The label's value is a number, and greater. */
        GREATER,
        LESS
    }

    /** @param values sorted; one for GREATER and LESS, none for EXISTS and DOES_NOT_EXIST */
    public record Requirement(String key, Operator operator, List<String> values) {
        public Requirement {
            values = List.copyOf(values);
        }

        boolean matches(Map<String, String> labels) {
            String value = labels.get(key);
            return switch (operator) {
                case IN -> value != null && values.contains(value);
                case NOT_IN -> value == null || !values.contains(value);
                case EXISTS -> value != null;
                case DOES_NOT_EXIST -> value == null;
                case GREATER -> compare(value) > 0;
                case LESS -> compare(value) < 0;
            };
        }

        /** 0 also for what cannot be compared. */
        private int compare(@Nullable String value) {
            OptionalLong limit = DecimalInteger.anyForm(values.get(0));
            OptionalLong number = value == null ? OptionalLong.empty() : DecimalInteger.anyForm(value);
            return limit.isPresent() && number.isPresent()
                    ? Long.compare(number.getAsLong(), limit.getAsLong())
                    : 0;
        }
    }

    /**
     * Reads what people write: {@code a=b,c!=d,e in (f,g),h notin (i),j,!k,l>1}.
     *
     * @throws SelectorException if it cannot be read
     */
    public static LabelSelector parse(String text) {
        return new LabelSelector(new SelectorParser(text).parse());
    }

    public boolean matches(Map<String, String> labels) {
        return requirements.stream().allMatch(requirement -> requirement.matches(labels));
    }
}
