package io.nodeward.cli.eval;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.core.cel.Compilation;
import io.nodeward.core.cel.DeviceVariable;
import io.nodeward.core.cel.Selection;
import io.nodeward.core.rules.device.DeviceMatch;
import io.nodeward.core.rules.device.SelectorMatch;
import io.nodeward.core.rules.device.DeviceTaints;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

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
        Expressions expressions = Expressions.of(c);
        DeviceVariable device = expressions.variable(DeviceFields.facts(Fields.object(c, "device")));
        List<String> texts = Fields.texts(c, "celExpressions");
        for (int i = 0; i < texts.size(); i++) {
            ObjectNode end = switch (expressions.compile(texts.get(i))) {
                case Compilation.CompileError error -> ended("compileError", i).put("message", error.toString());
                case Compilation.Compiled(var selector) -> switch (selector.select(device)) {
                    case Selection.Selected() -> null;
                    case Selection.NotSelected() -> ended("noMatch", i);
                    case Selection.EvaluationError(var message) -> ended("runtimeError", i).put("message", message);
                };
            };
            if (end != null) {
                return end;
            }
        }
        return Answers.object().put("result", "match");
    }

    private static ObjectNode ended(String result, int expression) {
        return Answers.object().put("result", result).put("expression", expression);
    }

    private static ObjectNode rule(JsonNode c) {
        JsonNode device = Fields.object(c, "device");
        return switch (match(c, c, device, DeviceFields.name(device))) {
            case DeviceMatch.Known(boolean holds) -> Answers.object().put("matches", holds);
            case DeviceMatch.Unknown(var why) -> Answers.object().put("result", "error").put("message", why);
        };
    }

    /** Of the selector that a rule has, with the classes that the case has. */
    private static DeviceMatch match(JsonNode c, JsonNode rule, JsonNode device, DeviceName name) {
        Expressions expressions = Expressions.of(c);
        var facts = new SelectorMatch.Facts() {
            private Optional<DeviceVariable> variable = Optional.empty();

            private DeviceVariable variable() {
                variable = variable.or(() -> Optional.of(expressions.variable(DeviceFields.facts(device))));
                return variable.get();
            }

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
                return switch (expressions.compile(expression)) {
                    case Compilation.CompileError error -> new DeviceMatch.Unknown(error.toString());
                    case Compilation.Compiled(var selector) -> switch (selector.select(variable())) {
                        case Selection.Selected() -> DeviceMatch.YES;
                        case Selection.NotSelected() -> DeviceMatch.NO;
                        case Selection.EvaluationError(var message) -> new DeviceMatch.Unknown(message);
                    };
                };
            }
        };
        return SelectorMatch.of(DeviceFields.selector(rule), name, facts);
    }

    private static ObjectNode merge(JsonNode c) {
        Map<DeviceName, JsonNode> published = new HashMap<>();
        List<DeviceTaints.Published> devices = new ArrayList<>();
        for (JsonNode slice : Fields.objects(c, "slices", object -> Fields.object(object, "spec"))) {
            String driver = Fields.text(slice, "driver");
            JsonNode pool = Fields.object(slice, "pool");
            for (JsonNode device : Fields.objects(slice, "devices", object -> object)) {
                DeviceName name = new DeviceName(driver, Fields.text(pool, "name"), Fields.text(device, "name"));
                ObjectNode full = ((ObjectNode) device.deepCopy()).put("driver", driver);
                published.put(name, full);
                devices.add(new DeviceTaints.Published(name, pool.path("generation").asLong(),
                        Fields.objects(device, "taints", DeviceFields::taint)));
            }
        }
        Map<DeviceTaints.Rule, JsonNode> specs = new IdentityHashMap<>();
        List<DeviceTaints.Rule> rules = Fields.objects(c, "rules", object -> {
            JsonNode spec = Fields.object(object, "spec");
            DeviceTaints.Rule rule = new DeviceTaints.Rule(
                    DeviceFields.selector(spec), DeviceFields.taint(Fields.object(spec, "taint")));
            specs.put(rule, spec);
            return rule;
        });
        return switch (DeviceTaints.of(devices, rules, (rule, device) -> match(
                c, Objects.requireNonNull(specs.get(rule)), Objects.requireNonNull(published.get(device.name())),
                device.name()))) {
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
