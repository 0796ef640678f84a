package io.nodeward.cli.device;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.cli.device.Device.Tainted;
import io.nodeward.cli.device.PodUse.Fate;
import io.nodeward.cli.explain.Words;

/** A device's taints for programs; docs/guide/cli.md describes the fields. */
public final class DeviceJson {
    private DeviceJson() {}

    public static ObjectNode of(DeviceExplanation explained) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        Device device = explained.device();
        DeviceListJson.device(json, device);
        ArrayNode taints = json.putArray("taints");
        explained.taints().forEach(taint -> taint(taints.addObject(), taint));
        ArrayNode rules = json.putArray("notSelectedBy");
        explained.others().forEach(answer -> {
            ObjectNode rule = rules.addObject();
            DeviceListJson.rule(rule, answer);
            rule.put("known", !answer.isUnknown());
        });
        if (explained.unknownUse().isEmpty()) {
            DeviceListJson.claims(json, device);
            ArrayNode pods = json.putArray("pods");
            explained.uses().forEach(use -> use(pods.addObject(), use));
        }
        explained.warnings().forEach(json.putArray("warnings")::add);
        return json;
    }

    private static void taint(ObjectNode json, Tainted taint) {
        DeviceListJson.taint(json, taint);
        taint.rule().ifPresent(rule -> json.put("because", rule.selection()));
    }

    private static void use(ObjectNode json, PodUse use) {
        json.put("pod", use.pod().toString()).put("claim", use.claim().toString())
                .put("state", Words.camel(use.standing()));
        ArrayNode evictions = json.putArray("evictions");
        use.fates().forEach(fate -> fate(evictions.addObject(), fate));
    }

    private static void fate(ObjectNode json, Fate fate) {
        json.put("taint", fate.taint().text()).put("from", fate.taint().from())
                .put("evicted", fate.seconds().isPresent());
        fate.seconds().ifPresent(seconds -> json.put("afterSeconds", seconds));
        fate.toleration().ifPresent(toleration -> json.put("toleratedBy", DeviceText.text(toleration)));
        fate.ignored().ifPresent(toleration -> json.put("ignored", DeviceText.text(toleration)));
    }
}
