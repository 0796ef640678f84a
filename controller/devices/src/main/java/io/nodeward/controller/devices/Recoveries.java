package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.core.rules.device.DeviceKey;
import io.nodeward.core.rules.device.RecoveringDevices;
import io.nodeward.core.rules.device.TaintSource;
import io.nodeward.core.runtime.controller.Result;
import java.time.Instant;
import java.util.Collection;
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
     * Looks again which devices of an object recover. Returns nothing if the object keeps no taints.
     *
     * @param owned the server's rules that the object owns
     */
    Optional<RecoveringDevices> look(
            TaintSource source, Collection<CustomResource<DeviceTaintRule>> owned, Instant now) {
        CustomResource<?> object = source.object();
        if (!(object.spec() instanceof DeviceTaintRule rule) || rule.untaintAfter().isEmpty() || !source.isValid()) {
            forget(source.key());
            return Optional.empty();
        }
        RecoveringDevices before = Optional.ofNullable(rules.get(source.key()))
                .orElseGet(() -> RecoveringDevices.start(object, rule, Trees.read(object.status()), owned));
        RecoveringDevices after = before.next(rule, source, owned, now, ticker.getAsLong());
        rules.put(source.key(), after);
        return Optional.of(after);
    }

    /** Returns when the next of these devices is to lose its taint. */
    Optional<Result.RequeueAfter> recheck(RecoveringDevices devices) {
        return devices.left(ticker.getAsLong()).map(left -> new Result.RequeueAfter(left, "untaintAfter"));
    }

    void forget(DeviceKey key) {
        rules.remove(key);
    }
}
