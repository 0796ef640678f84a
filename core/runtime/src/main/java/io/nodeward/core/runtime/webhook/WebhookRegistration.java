package io.nodeward.core.runtime.webhook;

import io.nodeward.api.json.kubeconfig.PemCertificates;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.https.Rollover;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.spi.Resource;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The webhook configurations, one for each phase that has webhooks. */
final class WebhookRegistration implements Registration {
    /** Seconds. An answer takes milliseconds; a connection that hangs holds up every write for as long. */
    private static final int TIMEOUT = 3;
    private static final Map<String, Object> DEFAULTS = Map.of(
            "admissionReviewVersions", List.of("v1"),
            // A rule that names any version gets each object in the version in which it was sent.
            "matchPolicy", "Equivalent",
            "sideEffects", "None",
            "timeoutSeconds", TIMEOUT);

    private final AdmissionRegistration registration;
    private final Supplier<List<Webhook>> wanted;
    private final Registrar registrar;
    private final WebhookServer server;
    private final Rollover rollover;
    private final InstantSource clock;

    WebhookRegistration(
            AdmissionRegistration registration,
            Supplier<List<Webhook>> wanted,
            Registrar registrar,
            WebhookServer server,
            Rollover rollover,
            InstantSource clock) {
        this.registration = registration;
        this.wanted = wanted;
        this.registrar = registrar;
        this.server = server;
        this.rollover = rollover;
        this.clock = clock;
    }

    @Override
    public Registration now() {
        List<Webhook> now = wanted.get();
        return new WebhookRegistration(registration, () -> now, registrar, server, rollover, clock);
    }

    @Override
    public Ensured ensure() {
        if (!server.isOpen()) {
            return new Ensured(false, false, Result.waiting("the webhook to be served"));
        }
        List<Webhook> all = wanted.get();
        server.answer(all); // before any of them is called
        List<X509Certificate> trusted = rollover.trusted();
        List<Registrar.Result> results = new ArrayList<>();
        for (AdmissionPhase phase : phases(all)) {
            List<Map<String, Object>> webhooks = all.stream()
                    .filter(webhook -> webhook.phase() == phase)
                    .map(webhook -> fields(webhook, trusted))
                    .toList();
            results.add(registrar.ensure(phase.webhookConfigurations(), phase.webhookConfigurationKind(), name(),
                    Map.of("webhooks", webhooks)));
        }
        // In a dry run the steps of a rotation are made as if it were written.
        if (results.stream().allMatch(WebhookRegistration::isTold)) {
            rollover.told(trusted, clock.instant());
        }
        return Ensured.of(results);
    }

    private static boolean isTold(Registrar.Result result) {
        return result instanceof Registrar.Result.InForce || result instanceof Registrar.Result.DryRun;
    }

    private static List<AdmissionPhase> phases(List<Webhook> webhooks) {
        return webhooks.stream().map(Webhook::phase).distinct().sorted().toList();
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
    public Map<Resource, Set<ObjectKey>> needed() {
        Map<Resource, Set<ObjectKey>> needed = new HashMap<>();
        phases(wanted.get()).forEach(
                phase -> needed.put(phase.webhookConfigurations(), Set.of(ObjectKey.clusterScoped(name()))));
        // Also one that a flag names: the component may have made it, and it has the labels then.
        needed.put(Resources.SECRETS, Set.of(registration.secret()));
        return needed;
    }
}
