package io.nodeward.core.runtime.webhook;

import io.nodeward.api.json.kubeconfig.PemCertificates;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.https.Rollover;
import io.nodeward.core.runtime.informer.Resources;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The webhook configurations, one for each phase that has webhooks. */
record WebhookRegistration(
        AdmissionRegistration registration, List<Webhook> wanted, Registrar registrar, WebhookServer server,
        Rollover rollover, InstantSource clock)
        implements
        Registration {
    /** Seconds. An answer takes milliseconds; a connection that hangs holds up every write for as long. */
    private static final int TIMEOUT = 3;
    private static final Map<String, Object> DEFAULTS = Map.of(
            "admissionReviewVersions", List.of("v1"),
            // A rule that names any version gets each object in the version in which it was sent.
            "matchPolicy", "Equivalent",
            "sideEffects", "None",
            "timeoutSeconds", TIMEOUT);

    @Override
    public Ensured ensure() {
        if (!server.isOpen()) {
            return new Ensured(false, false, false, Result.waiting("the webhook to be served"));
        }
        server.answer(wanted); // before any of them is called
        List<X509Certificate> trusted = rollover.trusted();
        List<Ensured> results = new ArrayList<>();
        for (AdmissionPhase phase : phases()) {
            List<Map<String, Object>> webhooks = wanted.stream()
                    .filter(webhook -> webhook.phase() == phase)
                    .map(webhook -> fields(webhook, trusted))
                    .toList();
            results.add(registrar.ensure(phase.webhookConfigurations(), phase.webhookConfigurationKind(), name(),
                    Map.of("webhooks", webhooks)));
        }
        Ensured ensured = Ensured.of(results);
        if (ensured.accepted()) { // in a dry run, the steps of a rotation are made as if it were written
            rollover.told(trusted, clock.instant());
        }
        return ensured;
    }

    private List<AdmissionPhase> phases() {
        return wanted.stream().map(Webhook::phase).distinct().sorted().toList();
    }

    private String name() {
        return registration.objects().name("");
    }

    private Map<String, Object> fields(Webhook webhook, List<X509Certificate> trusted) {
        Map<String, Object> fields = new TreeMap<>(DEFAULTS);
        fields.putAll(registration.objects().selecting(webhook.fields()));
        fields.put("name", webhook.name());
        fields.put("clientConfig", client(webhook.path(), trusted));
        return fields;
    }

    private Map<String, Object> client(String path, List<X509Certificate> trusted) {
        Map<String, Object> client = new HashMap<>(registration.serving().clientConfig().client(path));
        if (!trusted.isEmpty()) {
            byte[] pem = PemCertificates.written(trusted).getBytes(StandardCharsets.US_ASCII);
            client.put("caBundle", Base64.getEncoder().encodeToString(pem));
        }
        return client;
    }

    @Override
    public Set<Needed> needed() {
        Set<Needed> needed = new HashSet<>();
        phases().forEach(
                phase -> needed.add(new Needed(phase.webhookConfigurations(), ObjectKey.clusterScoped(name()))));
        // Also one that a flag names: the component may have made it, and it has the labels then.
        needed.add(new Needed(Resources.SECRETS, registration.secret()));
        return needed;
    }
}
