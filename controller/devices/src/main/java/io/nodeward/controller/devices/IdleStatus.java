package io.nodeward.controller.devices;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.CustomResourceDefinition;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.StatusDetails;
import io.nodeward.core.runtime.status.Target;
import java.time.Duration;

/** The status of rules and taint slices while the feature gate is off: what an earlier process wrote would say for ever that they act. */
final class IdleStatus {
    private static final String FIELD_MANAGER = ControllerContext.fieldManager(DevicesModule.NAME);
    private static final String GATE = "the feature gate DeviceTaints";
    /** A process that is being replaced may write conditions meanwhile. */
    private static final Duration ONCE_MORE = Duration.ofMinutes(1);

    private final HomeCluster home;
    private final Conditions ready;
    private boolean repeated;

    IdleStatus(HomeCluster home, Conditions conditions) {
        this.home = home;
        this.ready = conditions.ready(TaintStatus.PARTS);
    }

    /** Sets all conditions that an earlier process has written to Unknown. */
    Result show() {
        Duration ofRules = show(DeviceTaintRule.DEFINITION, DeviceTaintRule.PROJECTION);
        Duration ofSlices = show(DeviceTaintSlice.DEFINITION, DeviceTaintSlice.PROJECTION);
        Duration left = ofRules.compareTo(ofSlices) > 0 ? ofRules : ofSlices;
        if (left.isPositive()) {
            return Result.requeueAfter(left, "conditions that are not Unknown yet");
        }
        boolean again = !repeated;
        repeated = true;
        return again ? Result.requeueAfter(ONCE_MORE, "a process that still writes them to end") : Result.done();
    }

    private <S> Duration show(CustomResourceDefinition definition, Projection<CustomResource<S>> projection) {
        Duration left = Duration.ZERO;
        for (CustomResource<S> object : home.listOwn(definition, projection)) {
            if (object.conditions().stream().anyMatch(one -> one.type().equals(Condition.READY))) {
                Duration wait = ready.waiting(
                        idle(Target.of(definition, object)), GATE + ", which is off", FIELD_MANAGER);
                left = wait.compareTo(left) > 0 ? wait : left;
            }
        }
        return left;
    }

    /** Returns the status without conditions. It keeps recording that the burst has been taken, for when the gate is on again. */
    private static Target idle(Target target) {
        StatusDetails details = StatusDetails.NONE;
        for (String field : TaintStatus.PARTS.fields()) {
            Tree value = target.status().at(field);
            details = value.equals(Tree.ABSENT) ? details : details.withField(field, value);
        }
        for (Condition condition : target.conditions()) {
            if (TaintStatus.PARTS.conditions().contains(condition.type())) {
                details = details.withCondition(condition.type(), Condition.UNKNOWN, Reason.FEATURE_GATE_OFF,
                        GATE + " is off: nothing acts on this object");
            }
        }
        return target.with(details);
    }
}
