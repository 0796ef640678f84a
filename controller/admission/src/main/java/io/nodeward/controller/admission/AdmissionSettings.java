package io.nodeward.controller.admission;

import io.nodeward.controller.admission.AdmissionConfig.Mode;
import io.nodeward.core.rules.validation.AdmissionPolicy;
import io.nodeward.core.rules.validation.Enforcement;
import io.nodeward.core.runtime.webhook.AdmissionPhase;
import java.util.Set;

/**
 * What the controller is to do.
 *
 * @param propagates the gate MachineTaintPropagation
 * @param deviceTaints the gate DeviceTaints
 * @param listAttributes whether expressions may ask for attributes of devices that are lists
 */
record AdmissionSettings(AdmissionConfig config, boolean propagates, boolean deviceTaints, boolean listAttributes) {
    static final String COMPONENT = "admission";
    static final Set<AdmissionPhase> PHASES = Set.of(AdmissionPhase.VALIDATING);

    boolean isWebhook() {
        return config.mode == Mode.webhook;
    }

    /** @param elsewhere whether a webhook of Cluster API validates the kind: then its own gate decides */
    AdmissionPolicy policy(boolean elsewhere) {
        return new AdmissionPolicy(propagates, config.enforcement, elsewhere ? Enforcement.Off : config.gate);
    }
}
