package io.nodeward.controller.admission;

import io.nodeward.controller.admission.AdmissionConfig.Mode;
import io.nodeward.core.rules.validation.AdmissionPolicy;
import io.nodeward.core.rules.validation.Enforcement;
import io.nodeward.core.runtime.webhook.AdmissionPhase;
import io.nodeward.core.runtime.webhook.ManagedObjects;
import java.util.Set;

/**
 * What the controller is to do.
 *
 * @param propagates the gate MachineTaintPropagation
 * @param writes false: only log
 */
record AdmissionSettings(AdmissionConfig config, ManagedObjects objects, boolean propagates, boolean writes) {
    static ManagedObjects objects(String watchFilter) {
        return new ManagedObjects("admission", watchFilter, Set.of(AdmissionPhase.VALIDATING));
    }

    boolean isWebhook() {
        return config.mode == Mode.WEBHOOK;
    }

    /** @param elsewhere whether a webhook of Cluster API validates the kind: then its own gate decides */
    AdmissionPolicy policy(boolean elsewhere) {
        return new AdmissionPolicy(propagates, config.enforcement, elsewhere ? Enforcement.Off : config.gate);
    }
}
