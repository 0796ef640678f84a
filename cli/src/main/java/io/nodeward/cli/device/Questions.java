package io.nodeward.cli.device;

import io.nodeward.api.device.DeviceFacts;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.core.cel.DeviceExpressions;
import io.nodeward.core.rules.device.DeviceMatch;
import io.nodeward.core.rules.device.SelectorMatch;
import io.nodeward.core.rules.device.SelectorMatch.Obstacle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What rules ask about one device. The same expression is asked once. */
final class Questions implements SelectorMatch.Facts {
    private final DeviceName name;
    private final Optional<DeviceFacts> facts;
    private final Classes classes;
    private final DeviceExpressions expressions;
    private final Map<String, DeviceMatch> known = new HashMap<>();

    /**
     * The DeviceClasses that there are.
     *
     * @param all the expressions of each
     * @param gap why they are not known
     */
    record Classes(Map<String, List<String>> all, Optional<String> gap) {}

    /** @param facts empty if no slice publishes the device */
    Questions(DeviceName name, Optional<DeviceFacts> facts, Classes classes, DeviceExpressions expressions) {
        this.name = name;
        this.facts = facts;
        this.classes = classes;
        this.expressions = expressions;
    }

    Answer ask(Rule rule) {
        return new Answer(rule, rule.selector()
                .map(selector -> SelectorMatch.obstacle(selector, name, this))
                .orElseGet(() -> Optional.of(new Obstacle("", "", DeviceMatch.NO))));
    }

    @Override
    public DeviceMatch ofClass(String className) {
        return classes.gap().<DeviceMatch>map(DeviceMatch.Unknown::new).orElseGet(
                () -> SelectorMatch.ofClass(className, Optional.ofNullable(classes.all().get(className)), this));
    }

    @Override
    public DeviceMatch of(String expression) {
        return facts.map(published -> known.computeIfAbsent(expression, any -> expressions.match(any, published)))
                .orElse(DeviceMatch.NOT_PUBLISHED);
    }

    /** Why the rule selects the device, or does not, in words. */
    String because(Answer answer) {
        return answer.obstacle().map(obstacle -> because(answer.rule(), obstacle))
                .orElseGet(() -> answer.rule().spec().selector().map(Questions::parts).orElse(""));
    }

    private static String parts(DeviceTaintSelector selector) {
        List<String> parts = new ArrayList<>();
        selector.driver().ifPresent(text -> parts.add("driver " + text));
        selector.pool().ifPresent(text -> parts.add("pool " + text));
        selector.device().ifPresent(text -> parts.add("device " + text));
        selector.deviceClassName().ifPresent(text -> parts.add("DeviceClass " + text + ", whose selectors hold"));
        parts.addAll(selector.expressions());
        return parts.isEmpty() ? "its selector is empty, which selects every device" : String.join("; ", parts);
    }

    private String because(Rule rule, Obstacle obstacle) {
        return switch (obstacle.field()) {
            case "" -> rule.isInvalid() ? "it is invalid: " + rule.faultText() : "it has no deviceSelector";
            case "driver", "pool", "device" -> "it is for " + obstacle.field() + " " + obstacle.wanted();
            case "deviceClassName" -> ofClass(obstacle);
            default -> expression(obstacle);
        };
    }

    private String ofClass(Obstacle obstacle) {
        if (classes.gap().isPresent()) {
            return classes.gap().get();
        }
        return SelectorMatch.obstacle(classes.all().getOrDefault(obstacle.wanted(), List.of()), this)
                .map(within -> "DeviceClass " + obstacle.wanted() + ": " + expression(within))
                .orElse("there is no DeviceClass " + obstacle.wanted());
    }

    private static String expression(Obstacle obstacle) {
        return obstacle.field() + switch (obstacle.match()) {
            case DeviceMatch.Unknown(String why) -> " cannot be evaluated (" + why + "): ";
            case DeviceMatch.Known holds -> " does not hold: ";
        } + obstacle.wanted();
    }
}
