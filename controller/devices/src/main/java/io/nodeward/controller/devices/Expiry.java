package io.nodeward.controller.devices;

import io.nodeward.api.core.Event;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.validation.Quoted;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.ObjectKind;
import io.nodeward.core.runtime.controller.ObjectUpdate;
import io.nodeward.core.runtime.controller.Result;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Deletes rules when the time comes that their annotation gives, and only in the version that gives it. */
final class Expiry implements Function<ObjectKey, Result> {
    static final String NAME = DevicesModule.NAME + "-expiry";
    private static final ObjectKind KIND = ObjectKind.of(DeviceTaintRule.DEFINITION);
    private static final String FIELD_MANAGER = ControllerContext.fieldManager(NAME);
    /** A time that is far away is looked at again before. */
    private static final Duration LONGEST = Duration.ofHours(1);

    private final ObjectCache<CustomResource<DeviceTaintRule>> rules;
    private final ControllerContext context;

    Expiry(ObjectCache<CustomResource<DeviceTaintRule>> rules, ControllerContext context) {
        this.rules = rules;
        this.context = context;
    }

    @Override
    public Result apply(ObjectKey key) {
        return rules.get(key).map(CustomResource::metadata).filter(rule -> !rule.deleting()).map(this::expire)
                .orElseGet(Result::done);
    }

    private Result expire(Metadata rule) {
        Optional<String> text = Optional.ofNullable(rule.annotations().get(DeviceTaintRule.EXPIRES));
        Optional<Instant> expires = text.flatMap(Expiry::time);
        context.events().report(NAME,
                new Event.Regarding(DeviceTaintRule.DEFINITION.group() + "/" + DeviceTaintRule.DEFINITION.version(),
                        KIND.kind(), rule.key(), rule.uid(), rule.resourceVersion()),
                text.filter(any -> expires.isEmpty()).map(Expiry::invalid).orElse(Map.of()));
        if (expires.isEmpty()) {
            return Result.done();
        }
        Duration left = Duration.between(context.clock().instant(), expires.get());
        if (left.isPositive()) {
            return Result.requeueAfter(left.compareTo(LONGEST) < 0 ? left : LONGEST, "the end of its time");
        }
        if (context.writer().apply(ObjectUpdate.delete(KIND, rule).seenIn(rules), FIELD_MANAGER,
                false) instanceof Applied.Outdated outdated) {
            throw outdated.failure();
        }
        return Result.done();
    }

    private static Map<String, String> invalid(String text) {
        return Map.of("InvalidExpiry", "metadata.annotations[" + DeviceTaintRule.EXPIRES + "]: Invalid value: "
                + Quoted.of(text.length() <= 64 ? text : text.substring(0, 64) + "...")
                + ": must be a time as in RFC 3339; the rule stays");
    }

    private static Optional<Instant> time(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
