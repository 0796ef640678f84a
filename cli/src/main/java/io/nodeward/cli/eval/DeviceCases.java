package io.nodeward.cli.eval;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.device.DeviceFacts;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaint;
import io.nodeward.core.cel.Compilation;
import io.nodeward.core.cel.DeviceExpressions;
import io.nodeward.core.cel.DeviceSelectors;
import io.nodeward.core.cel.DeviceVariable;
import io.nodeward.core.cel.SelectorFeatures;
import io.nodeward.core.rules.device.DeviceMatch;
import io.nodeward.core.rules.device.Pools;
import io.nodeward.core.rules.device.Pools.Device;
import io.nodeward.core.rules.device.TaintedDevices;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Which devices are selected, by expressions and by rules, and which taints they have. */
final class DeviceCases {
    private DeviceCases() {}

    static ObjectNode result(JsonNode c) {
        String kind = Fields.text(c, "kind");
        return switch (kind) {
            case "cel" -> cel(c);
            case "rule" -> rule(c);
            case "merge" -> merge(c);
            default -> throw new UnusableCaseException("unknown kind: \"" + kind + "\"");
        };
    }

    private static ObjectNode cel(JsonNode c) {
        DeviceSelectors selectors = DeviceSelectors.of(features(c));
        DeviceVariable device = selectors.variable(DeviceFields.facts(Fields.object(c, "device")));
        List<String> texts = Fields.texts(c, "celExpressions");
        for (int i = 0; i < texts.size(); i++) {
            ObjectNode end = switch (selectors.compile(texts.get(i))) {
                case Compilation.CompileError error -> ended("compileError", i).put("message", error.toString());
                case Compilation.Compiled(var selector) -> switch (selector.select(device)) {
                    case DeviceMatch.Known(boolean holds) -> holds ? null : ended("noMatch", i);
                    case DeviceMatch.Unknown(var why) -> ended("runtimeError", i).put("message", why);
                };
            };
            if (end != null) {
                return end;
            }
        }
        return Answers.object().put("result", "match");
    }

    /** The feature gates of a case. */
    private static SelectorFeatures features(JsonNode c) {
        return new SelectorFeatures(
                !Fields.isTrue(c, "consumableCapacityGateOff"), Fields.isTrue(c, "listTypeAttributesGate"));
    }

    private static ObjectNode ended(String result, int expression) {
        return Answers.object().put("result", result).put("expression", expression);
    }

    private static ObjectNode rule(JsonNode c) {
        JsonNode device = Fields.object(c, "device");
        DeviceName name = DeviceFields.name(device);
        return switch (of(name, matches(c, List.of(c),
                Map.of(name, DeviceFields.device(name.driver(), device))).get(0))) {
            case DeviceMatch.Known(boolean holds) -> told(Answers.object().put("matches", holds), c, List.of(c));
            case DeviceMatch.Unknown(var why) -> error(why);
        };
    }

    private static ObjectNode merge(JsonNode c) {
        Pools<DeviceFacts> pools = new Pools<>();
        Set<String> names = new HashSet<>();
        for (JsonNode slice : Fields.objects(c, "slices", object -> object)) {
            String name = Fields.text(slice.path("metadata"), "name");
            if (!names.add(name)) {
                throw new UnusableCaseException("slices have one name twice");
            }
            pools.slice(name, Optional.of(DeviceFields.slice(slice)));
        }
        List<JsonNode> rules = Fields.objects(c, "rules", object -> Fields.object(object, "spec"));
        List<DeviceTaint> taints =
                rules.stream().map(rule -> DeviceFields.taint(Fields.object(rule, "taint"))).toList();
        Map<DeviceName, Device<DeviceFacts>> published = new TreeMap<>(Comparator.comparing(DeviceName::toString));
        published.putAll(pools.published());
        return told(merged(published, taints, matches(c, rules, published)), c, rules);
    }

    /** Those of its slice, then one of each rule that selects it: no taint replaces another one. */
    private static ObjectNode merged(Map<DeviceName, Device<DeviceFacts>> devices, List<DeviceTaint> taints,
            List<Map<DeviceName, DeviceMatch>> matches) {
        ObjectNode result = Answers.object();
        ObjectNode effective = result.putObject("effectiveTaints");
        for (Map.Entry<DeviceName, Device<DeviceFacts>> device : devices.entrySet()) {
            ArrayNode all = effective.putArray(device.getKey().toString());
            device.getValue().taints().forEach(taint -> all.add(DeviceFields.json(taint)));
            for (int i = 0; i < taints.size(); i++) {
                switch (of(device.getKey(), matches.get(i))) {
                    case DeviceMatch.Known(boolean holds) when holds -> all.add(DeviceFields.json(taints.get(i)));
                    case DeviceMatch.Known not -> {}
                    case DeviceMatch.Unknown(var why) -> {
                        return error(device.getKey() + ": " + why);
                    }
                }
            }
        }
        return result;
    }

    /** With the first rule that selects nothing as its class is missing. */
    private static ObjectNode told(ObjectNode result, JsonNode c, List<JsonNode> rules) {
        Set<String> classes = Set.copyOf(Fields.objects(c, "deviceClasses",
                object -> Fields.text(object.path("metadata"), "name")));
        rules.stream().flatMap(rule -> DeviceFields.selector(rule).stream())
                .flatMap(selector -> selector.deviceClassName().stream()).filter(name -> !classes.contains(name))
                .findFirst().ifPresent(name -> result.put("message", "there is no DeviceClass " + name
                        + ", so that the rule selects no device"));
        return result;
    }

    private static DeviceMatch of(DeviceName name, Map<DeviceName, DeviceMatch> matches) {
        return matches.getOrDefault(name, DeviceMatch.NO);
    }

    private static ObjectNode error(String why) {
        return Answers.object().put("result", "error").put("message", why);
    }

    /** The devices that each rule selects or may select, with the classes that the case has, as the controller knows them. */
    private static List<Map<DeviceName, DeviceMatch>> matches(
            JsonNode c, List<JsonNode> rules, Map<DeviceName, Device<DeviceFacts>> devices) {
        DeviceExpressions expressions = DeviceExpressions.of(features(c));
        TaintedDevices<Device<DeviceFacts>> tainted = new TaintedDevices<>(
                (expression, device) -> expressions.match(expression, device.facts()), Device::taints);
        Fields.objects(c, "deviceClasses", object -> object).forEach(
                object -> tainted.deviceClass(Fields.text(object.path("metadata"), "name"),
                        Optional.of(DeviceFields.expressions(object.path("spec")))));
        devices.forEach((name, device) -> tainted.device(name, Optional.of(device), false));
        return rules.stream().map(rule -> {
            tainted.rule("rule", DeviceFields.selector(rule));
            tainted.evaluate(() -> false);
            Map<DeviceName, DeviceMatch> selected = new HashMap<>();
            tainted.forEachDevice("rule", (name, answer) -> selected.put(name,
                    answer.selected() ? DeviceMatch.YES : tainted.ask("rule", name)));
            return selected;
        }).toList();
    }
}
