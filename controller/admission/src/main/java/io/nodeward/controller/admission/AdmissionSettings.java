package io.nodeward.controller.admission;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.controller.admission.AdmissionConfig.Mode;
import io.nodeward.core.rules.validation.AdmissionPolicy;
import io.nodeward.core.rules.validation.Enforcement;

/**
 * What the room is to do.
 *
 * @param propagates the gate MachineTaintPropagation
 * @param writes false: only log
 */
record AdmissionSettings(AdmissionConfig config, Own own, boolean propagates, boolean writes) {
    private static final String SYSTEM = "nodeward-system";

    boolean isWebhook() {
        return config.mode == Mode.WEBHOOK;
    }

    /** @param elsewhere whether a webhook of Cluster API validates the kind: then its own gate decides */
    AdmissionPolicy policy(boolean elsewhere) {
        return new AdmissionPolicy(propagates, config.faults, elsewhere ? Enforcement.OFF : config.gate);
    }

    /** Where the webhook's certificate is: the Secret that was named, or one of our own. */
    ObjectKey secret() {
        ObjectKey given = config.secret;
        String namespace =
                config.service instanceof CalledAt.InCluster service ? service.namespace() : SYSTEM;
        return given == null ? new ObjectKey(namespace, own.name("")) : given;
    }

    boolean isSelfIssued() {
        return config.secret == null;
    }
}
