package io.nodeward.cli.eval;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.cli.text.SyntaxFault;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The rules that can be asked, each with cases in the shape of the conformance vectors of its name. */
public enum CaseEvaluator {
    PROPAGATE("propagate", PropagateCases::result),
    VALIDATE("validate", ValidateCases::result),
    CAPACITY("capacity", CapacityCases::result),
    TOLERATE("tolerate", TolerateCases::result),
    TAINT_COMMAND("taint-command", TaintCommandCases::result),
    DEVICE("device", DeviceCases::result);

    private static final JsonMapper LENIENT = new JsonMapper();
    private static final JsonMapper STRICT = JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    private final String ruleName;
    private final Function<JsonNode, ObjectNode> rule;

    CaseEvaluator(String ruleName, Function<JsonNode, ObjectNode> rule) {
        this.ruleName = ruleName;
        this.rule = rule;
    }

    /** The one with this name; empty if there is no such rule. */
    public static Optional<CaseEvaluator> of(String ruleName) {
        return Arrays.stream(values()).filter(evaluator -> evaluator.ruleName.equals(ruleName)).findFirst();
    }

    /** The names of all rules. */
    public static List<String> ruleNames() {
        return Arrays.stream(values()).map(evaluator -> evaluator.ruleName).toList();
    }

    /**
     * Evaluates one case; its expectation, if it is there, is not looked at.
     *
     * @return a JSON object in one line: {@code name} or {@code id} of the case and {@code result} in the shape of an
     *     expectation, or {@code name}, {@code id} if the case has one, and {@code error} if it cannot be evaluated
     */
    public String evaluate(CaseLines.Line line) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        if (line.fault().isEmpty()) {
            answer(line.text(), answer);
        } else {
            fail(answer, "not a JSON object: " + line.fault());
        }
        return answer.toString();
    }

    private void answer(String text, ObjectNode answer) {
        try {
            answer(STRICT.readTree(text), answer);
        } catch (JsonProcessingException e) {
            named(text, answer);
            fail(answer, "not a JSON object: " + SyntaxFault.of(e));
        }
    }

    /** What has a name twice has one that can be read all the same. */
    private static void named(String text, ObjectNode answer) {
        try {
            JsonNode c = LENIENT.readTree(text);
            copy(c, "name", answer);
            copy(c, "id", answer);
        } catch (JsonProcessingException e) {
            return; // and what cannot be read at all has none
        }
    }

    private void answer(JsonNode c, ObjectNode answer) {
        if (!c.isObject()) {
            fail(answer, c.isMissingNode() ? "not a JSON object: the line is empty" : "not a JSON object");
            return;
        }
        copy(c, "name", answer);
        copy(c, "id", answer);
        try {
            answer.set("result", rule.apply(c));
        } catch (UnusableCaseException e) {
            fail(answer, String.valueOf(e.getMessage()));
        } catch (RuntimeException | StackOverflowError e) { // whatever a case hits upon, the next one is answered too
            fail(answer, "an error of nodeward itself"
                    + Optional.ofNullable(e.getMessage()).map(message -> ": " + message).orElse(""));
        }
    }

    private static void copy(JsonNode from, String field, ObjectNode to) {
        JsonNode value = from.get(field);
        if (value != null) {
            to.set(field, value);
        }
    }

    private static void fail(ObjectNode answer, String error) {
        if (!answer.has("name")) {
            JsonNode id = answer.get("id");
            answer.set("name", id == null ? JsonNodeFactory.instance.nullNode() : id);
        }
        answer.put("error", error);
    }
}
