package io.nodeward.cli.device;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.cli.device.Device.Tainted;
import io.nodeward.cli.device.DeviceList.Row;
import java.time.Instant;

/** Devices for programs; docs/guide/cli.md describes the fields. */
public final class DeviceListJson {
    private DeviceListJson() {}

    public static ObjectNode of(DeviceList list) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode devices = json.putArray("devices");
        list.rows().forEach(row -> row(devices.addObject(), row, list.unknownUse().isEmpty()));
        json.put("published", list.published());
        ArrayNode idle = json.putArray("rulesWithoutDevices");
        list.idle().forEach(rule -> origin(idle.addObject(), rule));
        list.warnings().forEach(json.putArray("warnings")::add);
        return json;
    }

    private static void row(ObjectNode json, Row row, boolean usersKnown) {
        device(json, row.device());
        ArrayNode taints = json.putArray("taints");
        row.taints().forEach(taint -> taint(taints.addObject(), taint));
        ArrayNode errors = json.putArray("errors");
        row.unknown().forEach(answer -> rule(errors.addObject(), answer));
        if (usersKnown) {
            claims(json, row.device());
        }
    }

    static void claims(ObjectNode json, Device device) {
        ArrayNode claims = json.putArray("claims");
        device.claims().forEach(claim -> {
            ObjectNode entry = claims.addObject().put("claim", claim.key().toString());
            ArrayNode pods = entry.putArray("pods");
            claim.reservedFor().forEach(pod -> pods.add(claim.key().namespace() + "/" + pod.name()));
            if (!claim.podGroups().isEmpty()) {
                ArrayNode groups = entry.putArray("podGroups");
                claim.podGroups().forEach(group -> groups.add(claim.key().namespace() + "/" + group));
            }
        });
    }

    static void device(ObjectNode json, Device device) {
        json.put("driver", device.name().driver()).put("pool", device.name().pool())
                .put("device", device.name().device());
        if (!device.node().isEmpty()) {
            json.put("node", device.node());
        }
        device.source().ifPresent(source -> json.put("resourceSlice", source.slice()));
    }

    static void taint(ObjectNode json, Tainted taint) {
        json.put("taint", taint.text()).put("key", taint.taint().key()).put("value", taint.taint().value())
                .put("effect", taint.taint().effect()).put("from", taint.from());
        taint.evictedBy().ifPresent(evicting -> json.put("evictedBy", evicting));
        taint.rule().ifPresent(rule -> origin(json, rule));
        taint.rule().flatMap(Rule::created).ifPresent(created -> json.put("ruleCreated", created.toString()));
        taint.rule().flatMap(Rule::author).ifPresent(author -> json.put("declaredBy", author));
        taint.rule().map(rule -> rule.spec().taint()).ifPresent(declared -> {
            if (!declared.description().isEmpty()) {
                json.put("description", declared.description());
            }
            if (declared.data().bytes() > 0) {
                json.put("data", declared.data().shown()).put("dataBytes", declared.data().bytes());
            }
        });
        if (!taint.taint().added().equals(Instant.EPOCH)) {
            json.put("timeAdded", taint.taint().added().toString());
        }
    }

    static void rule(ObjectNode json, Answer answer) {
        origin(json, answer.rule());
        json.put("because", answer.because());
    }

    private static void origin(ObjectNode json, Rule rule) {
        json.put(rule.isListed() ? "taintSlice" : "rule", rule.name()).put("group", rule.group());
        rule.listedDevice().ifPresent(device -> json.put("listedDevice", device));
    }
}
