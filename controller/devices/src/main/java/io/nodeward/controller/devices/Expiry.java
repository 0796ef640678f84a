package io.nodeward.controller.devices;

import io.nodeward.api.core.Event;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.rules.validation.Quoted;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectKind;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.status.Target;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes rules when the time comes that their annotation gives, and only in the version that gives it.
 *
 * @param server the clock of the API server, which is asked before a rule is deleted: the clock of this process may be ahead
 */
record Expiry(ObjectCache<CustomResource<DeviceTaintRule>> rules, InstantSource server, ControllerContext context)
        implements Function<ObjectKey, Result> {
    private static final Logger LOG = LoggerFactory.getLogger(Expiry.class);
    static final String NAME = DevicesModule.NAME + "-expiry";
    private static final ObjectKind KIND = ObjectKind.of(DeviceTaintRule.DEFINITION);
    private static final String FIELD_MANAGER = ControllerContext.fieldManager(NAME);

    @Override
    public Result apply(ObjectKey key) {
        return rules.get(key).filter(rule -> !rule.metadata().deleting()).map(this::expire)
                .orElseGet(Result::done);
    }

    private Result expire(CustomResource<DeviceTaintRule> rule) {
        Optional<String> text = Optional.ofNullable(rule.metadata().annotations().get(DeviceTaintRule.EXPIRES));
        Optional<Instant> expires = text.flatMap(Expiry::time);
        if (expires.isEmpty()) {
            text.ifPresent(invalid -> warn(rule, invalid));
            return Result.done();
        }
        Instant now = context.clock().instant();
        if (expires.get().isAfter(now)) {
            return Result.requeueAt(expires.get(), now, "the end of its time");
        }
        Instant ofServer = server.instant();
        if (expires.get().isAfter(ofServer)) {
            LOG.warn("the clock of this process is {} ahead of the API server's: {} stays until {}",
                    Duration.between(ofServer, now), rule.key(), expires.get());
            return Result.requeueAt(expires.get(), ofServer, "the end of its time by the clock of the API server");
        }
        if (context.writer().apply(ObjectChange.delete(KIND, rule.metadata()).seenIn(rules), FIELD_MANAGER,
                false) instanceof Applied.Failed failed) {
            throw failed.failure();
        }
        return Result.done();
    }

    private void warn(CustomResource<DeviceTaintRule> rule, String text) {
        Event.Regarding regarding = Target.of(DeviceTaintRule.DEFINITION, rule).regarding();
        context.events().warn(regarding, Reason.INVALID_EXPIRY.text(),
                "metadata.annotations[" + DeviceTaintRule.EXPIRES + "]: Invalid value: "
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
