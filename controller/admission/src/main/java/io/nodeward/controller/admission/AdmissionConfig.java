package io.nodeward.controller.admission;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.validation.Enforcement;
import io.nodeward.core.runtime.webhook.ManagedObjects;
import io.nodeward.core.runtime.webhook.WebhookClientConfig;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Flags of the admission controller. Needs converters of {@link InetSocketAddress} and {@link WebhookClientConfig}. */
public final class AdmissionConfig {
    private static final int PORT = 9443;
    private static final String SERVICE = ManagedObjects.USUAL_SERVICE + AdmissionSettings.COMPONENT;

    @Option(names = "--admission-mode", paramLabel = "MODE", defaultValue = "webhook", description = "webhook, which this process answers; or policy, which API servers (1.30 and later) judge by"
            + " without it (default: ${DEFAULT-VALUE})")
    Mode mode = Mode.webhook;

    @Option(names = "--admission-enforcement", paramLabel = "MODE", defaultValue = "Enforce", description = "What becomes of taints that no Node would take, and of faulty DeviceTaintRules: Enforce refuses, Warn"
            + " warns, Off"
            + " (default: ${DEFAULT-VALUE})")
    Enforcement enforcement = Enforcement.Enforce;

    @Option(names = "--admission-gate", paramLabel = "MODE", defaultValue = "Enforce", description = "What becomes of setting taints while MachineTaintPropagation is off, where no webhook of Cluster"
            + " API validates the kind: Enforce, Warn or Off (default: ${DEFAULT-VALUE})")
    Enforcement gate = Enforcement.Enforce;

    @Option(names = "--admission-address", paramLabel = "HOST:PORT", defaultValue = ":9443", description = "Serves the webhook (default: ${DEFAULT-VALUE})")
    InetSocketAddress address = new InetSocketAddress(PORT);

    @Option(names = "--admission-service", paramLabel = "WHERE", defaultValue = SERVICE, description = "Where API servers reach the webhook: a Service as NAMESPACE/NAME[:PORT], or"
            + " https://HOST:PORT. A process that does not run this controller, and has a Service here on its command"
            + " line, deletes what is registered for it (default: ${DEFAULT-VALUE})")
    WebhookClientConfig service = WebhookClientConfig.parse(SERVICE);

    @Option(names = "--admission-secret", paramLabel = "NAMESPACE/NAME", converter = KeyText.class, description = "Secret with the webhook's tls.crt and tls.key, and with ca.crt of who signed it"
            + " (default: a certificate of our own, in a Secret of our own)")
    @Nullable
    ObjectKey secret;

    @Option(names = "--admission-failure-policy", paramLabel = "POLICY", defaultValue = "Ignore", description = "What API servers do while the webhook does not answer, or a policy cannot judge: Ignore stores,"
            + " Fail refuses"
            + " (default: ${DEFAULT-VALUE})")
    FailurePolicy failurePolicy = FailurePolicy.Ignore;

    enum Mode {
        webhook, policy
    }

    /** In the words of Kubernetes. */
    enum FailurePolicy {
        Ignore, Fail
    }

    static final class KeyText implements ITypeConverter<ObjectKey> {
        @Override
        public ObjectKey convert(String text) {
            String[] parts = text.split("/", -1);
            if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
                throw new TypeConversionException("'" + text + "' is not NAMESPACE/NAME");
            }
            return new ObjectKey(parts[0], parts[1]);
        }
    }
}
