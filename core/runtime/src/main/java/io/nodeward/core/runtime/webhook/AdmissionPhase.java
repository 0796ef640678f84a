package io.nodeward.core.runtime.webhook;

import io.nodeward.core.spi.Resource;
import java.util.Locale;

/** The two phases of admission; each has kinds of its own in {@code admissionregistration.k8s.io}. */
public enum AdmissionPhase {
    /** The object may be changed; comes first. */
    MUTATING("Mutating"),
    /** The object may be refused, as it will be stored. */
    VALIDATING("Validating");

    private static final String GROUP = "admissionregistration.k8s.io";

    private final String word;

    AdmissionPhase(String word) {
        this.word = word;
    }

    public Resource webhookConfigurations() {
        return resource("webhookconfigurations");
    }

    public Resource policies() {
        return resource("admissionpolicies");
    }

    public Resource policyBindings() {
        return resource("admissionpolicybindings");
    }

    String webhookConfigurationKind() {
        return word + "WebhookConfiguration";
    }

    String policyKind() {
        return word + "AdmissionPolicy";
    }

    private Resource resource(String suffix) {
        return new Resource(GROUP, "v1", word.toLowerCase(Locale.ROOT) + suffix, false);
    }
}
