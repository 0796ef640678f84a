package io.nodeward.cli.declared;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import io.nodeward.core.rules.validation.DeclaredTaint;
import io.nodeward.core.rules.validation.Given;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** A list of declared taints as somebody wrote it, whatever that is: to be validated. */
public final class GivenTaints {
    private GivenTaints() {}

    public static Given<List<Given<DeclaredTaint>>> of(JsonNode json) {
        return given(json, JsonNodeType.ARRAY, array -> {
            List<Given<DeclaredTaint>> items = new ArrayList<>();
            array.forEach(item -> items.add(given(item, JsonNodeType.OBJECT, GivenTaints::declared)));
            return items;
        });
    }

    private static DeclaredTaint declared(JsonNode item) {
        return new DeclaredTaint(
                text(item.path("key")), text(item.path("value")), text(item.path("effect")),
                text(item.path("propagation")));
    }

    private static Given<String> text(JsonNode json) {
        return given(json, JsonNodeType.STRING, JsonNode::textValue);
    }

    private static <T> Given<T> given(JsonNode json, JsonNodeType type, Function<JsonNode, T> read) {
        if (json.isMissingNode() || json.isNull()) {
            return Given.absent();
        }
        return json.getNodeType() == type
                ? Given.of(read.apply(json))
                : Given.wrongType(json.getNodeType().name().toLowerCase(Locale.ROOT));
    }
}
