package io.nodeward.cli.eval;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.device.DeviceFacts;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.core.cel.Compilation;
import io.nodeward.core.cel.DeviceExpressions;
import io.nodeward.core.cel.DeviceSelectors;
import io.nodeward.core.cel.DeviceVariable;
import io.nodeward.core.cel.SelectorFeatures;
import io.nodeward.core.rules.device.DeviceMatch;
import io.nodeward.core.rules.device.DeviceTaints;
import io.nodeward.core.rules.device.Pools;
import io.nodeward.core.rules.device.SelectorMatch;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

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
        return switch (match(c, c, DeviceFields.name(device), DeviceFields.facts(device))) {
            case DeviceMatch.Known(boolean holds) -> Answers.object().put("matches", holds);
            case DeviceMatch.Unknown(var why) -> Answers.object().put("result", "error").put("message", why);
        };
    }

    /** Of the selector that a rule has, with the classes that the case has. */
    private static DeviceMatch match(JsonNode c, JsonNode rule, DeviceName name, DeviceFacts device) {
        DeviceExpressions expressions = DeviceExpressions.of(features(c));
        var facts = new SelectorMatch.Facts() {
            @Override
            public DeviceMatch ofClass(String className) {
                Optional<JsonNode> known = Fields.objects(c, "deviceClasses", object -> object).stream()
                        .filter(object -> Fields.text(object.path("metadata"), "name").equals(className)).findFirst();
                return known.map(object -> DeviceFields.expressions(object.path("spec")))
                        .map(all -> SelectorMatch.of(Optional.of(new DeviceTaintSelector(Optional.empty(),
                                Optional.empty(), Optional.empty(), Optional.empty(), all)), name, this))
                        .orElseGet(() -> new DeviceMatch.Unknown("there is no DeviceClass " + className));
            }

            @Override
            public DeviceMatch of(String expression) {
                return expressions.match(expression, device);
            }
        };
        return SelectorMatch.of(DeviceFields.selector(rule), name, facts);
    }

    private static ObjectNode merge(JsonNode c) {
        Pools<DeviceFacts> pools = new Pools<>();
        Set<String> names = new HashSet<>();
        for (JsonNode slice : Fields.objects(c, "slices", object -> object)) {
            String name = Fields.text(slice.path("metadata"), "name");
            if (!names.add(name)) {
                throw new UnusableCaseException("slices have one name twice");
            }
            pools.slice(name, Optional.of(DeviceFields.slice(Fields.object(slice, "spec"))));
        }
        Map<DeviceTaints.Rule, JsonNode> specs = new IdentityHashMap<>();
        List<DeviceTaints.Rule> rules = Fields.objects(c, "rules", object -> {
            JsonNode spec = Fields.object(object, "spec");
            DeviceTaints.Rule rule = new DeviceTaints.Rule(
                    DeviceFields.selector(spec), DeviceFields.taint(Fields.object(spec, "taint")));
            specs.put(rule, spec);
            return rule;
        });
        Map<DeviceName, Pools.Device<DeviceFacts>> published = pools.published();
        return switch (DeviceTaints.of(published, rules, (rule, name) -> match(
                c, Objects.requireNonNull(specs.get(rule)), name,
                Objects.requireNonNull(published.get(name)).facts()))) {
            case DeviceTaints.Result.Known(var taints) -> merged(taints);
            case DeviceTaints.Result.Unknown(var device, var why) -> Answers.object().put("result", "error")
                    .put("message", device + ": " + why);
        };
    }

    private static ObjectNode merged(Map<DeviceName, List<DeviceTaint>> taints) {
        ObjectNode effective = Answers.object();
        taints.forEach((device, list) -> {
            ArrayNode array = effective.putArray(device.toString());
            list.forEach(taint -> array.add(DeviceFields.json(taint)));
        });
        ObjectNode result = Answers.object();
        result.set("effectiveTaints", effective);
        return result;
    }
}
