package io.nodeward.cli.taint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.node.Taint;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Declared taints in JSON. Elements keep all that they have, known or not. */
final class DeclaredList {
    private static final String PROPAGATION = "propagation";

    private DeclaredList() {}

    static List<Taint> read(JsonNode list) {
        List<Taint> taints = new ArrayList<>();
        for (JsonNode element : list) {
            taints.add(new Taint(element.path("key").asText(), element.path("value").asText(),
                    element.path("effect").asText(), element.toString()));
        }
        return taints;
    }

    static ArrayNode written(List<Taint> taints) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        taints.forEach(taint -> list.add(Trees.read(taint.json())));
        return list;
    }

    /** Makes a Node's taint a declared one. */
    static UnaryOperator<Taint> with(String propagation) {
        return taint -> {
            String declared = Trees.object(taint.json()).put(PROPAGATION, propagation).toString();
            return new Taint(taint.key(), taint.value(), taint.effect(), declared);
        };
    }

    static boolean same(Taint one, Taint other) {
        return one.value().equals(other.value()) && propagation(one).equals(propagation(other));
    }

    static boolean isAlways(Taint taint) {
        return propagation(taint).equals(MachineTaint.ALWAYS);
    }

    /** {@code key[=value]:effect}, and how it is carried if that is not always; of a Node's taint as well. */
    static String text(Taint taint) {
        String propagation = propagation(taint);
        return taint.key() + (taint.value().isEmpty() ? "" : "=" + taint.value()) + ":" + taint.effect()
                + (propagation.isEmpty() || isAlways(taint) ? "" : ":" + propagation);
    }

    private static String propagation(Taint taint) {
        return Trees.read(taint.json()).path(PROPAGATION).asText();
    }
}
