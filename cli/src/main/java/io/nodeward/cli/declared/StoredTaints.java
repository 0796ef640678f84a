package io.nodeward.cli.declared;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.machine.MachineTaint;
import java.util.List;

/** A list of declared taints as a server stored it. */
public final class StoredTaints {
    private StoredTaints() {}

    public static List<MachineTaint> of(JsonNode list) {
        return list.valueStream().map(taint -> new MachineTaint(taint.path("key").asText(),
                taint.path("value").asText(), taint.path("effect").asText(), taint.path("propagation").asText()))
                .toList();
    }

    /** {@code key[=value]:effect}, and how it is carried if that is not always. */
    public static String text(MachineTaint taint) {
        return taint.key() + (taint.value().isEmpty() ? "" : "=" + taint.value()) + ":" + taint.effect()
                + (taint.propagation().isEmpty() || taint.propagation().equals(MachineTaint.ALWAYS)
                        ? ""
                        : ":" + taint.propagation());
    }
}
