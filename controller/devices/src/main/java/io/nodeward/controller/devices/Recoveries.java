package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.core.rules.device.DeviceKey;
import io.nodeward.core.rules.device.RecoveringDevices;
import io.nodeward.core.rules.device.TaintSource;
import io.nodeward.core.runtime.controller.Result;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** Remembers which devices recover, by the rules that no longer select them. For one rule, one thread at a time. */
final class Recoveries {
    private final Map<DeviceKey, RecoveringDevices> rules = new ConcurrentHashMap<>();
    private final LongSupplier ticker;

    /** @param ticker nanoseconds since any one moment */
    Recoveries(LongSupplier ticker) {
        this.ticker = ticker;
    }

    /**
     * Returns which devices recover now.
     *
     * @param owned the server's rules that the object owns
     */
    Optional<RecoveringDevices> next(TaintSource source, Collection<CustomResource<DeviceTaintRule>> owned) {
        if (!(source.object().spec() instanceof DeviceTaintRule rule) || rule.untaintAfter().isEmpty()
                || !source.isValid()) {
            forget(source.key());
            return Optional.empty();
        }
        RecoveringDevices before = Optional.ofNullable(rules.get(source.key())).orElseGet(() -> RecoveringDevices
                .start(rule, isEnforced(source.object()) ? owned : List.of()));
        RecoveringDevices now = before.next(rule, source, owned, ticker.getAsLong());
        rules.put(source.key(), now);
        return Optional.of(now);
    }

    /** Returns whether the server's rules stand for the newest spec, and not for one that was edited while no controller ran. */
    private static boolean isEnforced(CustomResource<?> rule) {
        return rule.conditions().stream().anyMatch(condition -> condition.type().equals(ServerRules.CONDITION)
                && condition.status().equals(Condition.TRUE) && condition.observedGeneration() == rule.generation());
    }

    /** Returns when the next device of a rule is to lose its taint. */
    Optional<Result.RequeueAfter> recheck(DeviceKey key) {
        return Optional.ofNullable(rules.get(key)).flatMap(rule -> rule.left(ticker.getAsLong()))
                .map(left -> new Result.RequeueAfter(left, "untaintAfter"));
    }

    void forget(DeviceKey key) {
        rules.remove(key);
    }
}
