package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.status.StatusDetails;
import io.nodeward.core.runtime.status.StatusDetails.Text;
import io.nodeward.core.runtime.time.Pacer;
import java.util.Optional;
import java.util.Set;

/**
 * Lets rules evict pods: first the status says it, and only when that is seen they do. So a process that comes after this one
 * knows that tokens may be gone.
 *
 * @param unenforced whether rules evict of which the scheduler does not know
 */
record RuleEvictions(
        DeviceScope scope, EvictingRules rules, ClaimBackoff backoff, Pacer<ObjectKey> pacer, boolean unenforced) {
    /** What the status of a rule shows; if it shows already that the rule evicts, it does from now on. */
    StatusDetails details(CustomResource<DeviceTaintRule> rule, RuleStatus status, Text enforced) {
        Text text = EvictionProgress.of(rule.spec(), status.match(), enforced, unenforced, rules.evicted(rule));
        if (!EvictionProgress.isInProgress(text) || rule.metadata().deleting()) {
            rules.stop(rule.key().name());
            return status.details(rule, enforced, text, Optional.empty());
        }
        Set<DeviceName> devices = scope.inUse(rule.key().name(), rule.spec());
        rules.announce(rule, !EvictionProgress.hasBegun(rule));
        if (EvictionProgress.isReported(rule)) {
            rules.act(rule, devices);
        } else {
            rules.stop(rule.key().name());
        }
        return status.details(rule, enforced, text, backoff.slowed(rules.claims(devices).toList()));
    }

    void stop(String rule) {
        rules.stop(rule);
    }

    void forget(String rule) {
        rules.forget(rule).ifPresent(pacer::forget);
    }
}
