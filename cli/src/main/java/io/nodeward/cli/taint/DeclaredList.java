package io.nodeward.cli.taint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.node.Taint;
import io.nodeward.cli.declared.StoredTaints;
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

    /** What they say, whatever else is in their JSON. */
    static List<MachineTaint> machineTaints(List<Taint> taints) {
        return taints.stream().map(DeclaredList::machineTaint).toList();
    }

    /** As {@link StoredTaints#text}; of a Node's taint as well. */
    static String text(Taint taint) {
        return StoredTaints.text(machineTaint(taint));
    }

    private static MachineTaint machineTaint(Taint taint) {
        return new MachineTaint(taint.key(), taint.value(), taint.effect(), propagation(taint));
    }

    private static String propagation(Taint taint) {
        return Trees.read(taint.json()).path(PROPAGATION).asText();
    }
}
