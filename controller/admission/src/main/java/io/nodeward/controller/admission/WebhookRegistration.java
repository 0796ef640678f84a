package io.nodeward.controller.admission;

import io.nodeward.api.json.kubeconfig.PemCertificates;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.validation.DeclaringKind;
import io.nodeward.core.rules.validation.TaintPolicies;
import io.nodeward.core.runtime.cluster.Resources;
import io.nodeward.core.runtime.https.Rollover;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.spi.Resource;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The ValidatingWebhookConfiguration that has API servers ask. */
final class WebhookRegistration implements Registration {
    private static final String KIND = "ValidatingWebhookConfiguration";
    private static final String WEBHOOK = "machine-taints.nodeward.io";
    /** Seconds. An answer takes milliseconds; what hangs holds up every write for as long. */
    private static final int TIMEOUT = 3;

    private final AdmissionSettings settings;
    private final Registrar registrar;
    private final WebhookServer server;
    private final Rollover rollover;
    private final AdmissionMeters meters;
    private final InstantSource clock;

    WebhookRegistration(
            AdmissionSettings settings,
            Registrar registrar,
            WebhookServer server,
            Rollover rollover,
            AdmissionMeters meters,
            InstantSource clock) {
        this.settings = settings;
        this.registrar = registrar;
        this.server = server;
        this.rollover = rollover;
        this.meters = meters;
        this.clock = clock;
    }

    @Override
    public Result ensure() {
        if (!server.isOpen()) {
            meters.inForce(false);
            return Result.waiting("the webhook to be served");
        }
        List<X509Certificate> trusted = rollover.trusted();
        Registrar.Ended ended =
                registrar.ensure(Own.WEBHOOKS, KIND, name(), Map.of("webhooks", List.of(webhook(trusted))));
        meters.inForce(ended instanceof Registrar.Ended.InForce);
        return switch (ended) {
            case Registrar.Ended.InForce done -> told(trusted);
            case Registrar.Ended.Observed observed -> told(trusted); // steps are made as if it were written
            case Registrar.Ended.Foreign foreign -> Result.waiting(KIND + " " + name() + " to go");
            case Registrar.Ended.HeldBack held -> Result.requeueAfter(held.left(), "others to stop changing it");
        };
    }

    private Result told(List<X509Certificate> trusted) {
        rollover.told(trusted, clock.instant());
        return Result.done();
    }

    private String name() {
        return settings.own().name("");
    }

    private Map<String, Object> webhook(List<X509Certificate> trusted) {
        Map<String, Object> webhook = new TreeMap<>(Map.of(
                "name", WEBHOOK,
                "admissionReviewVersions", List.of("v1"),
                "clientConfig", client(trusted),
                "rules", TaintPolicies.resourceRules(List.of(DeclaringKind.values())),
                "failurePolicy", settings.config().failurePolicy.name(),
                // With any version in the rules, none is sent in another version's clothes.
                "matchPolicy", "Equivalent",
                "sideEffects", "None",
                "timeoutSeconds", TIMEOUT,
                "matchConditions", TaintPolicies.matchConditions()));
        settings.own().objects().ifPresent(selector -> webhook.put("objectSelector", selector));
        return webhook;
    }

    private Map<String, Object> client(List<X509Certificate> trusted) {
        Map<String, Object> client = new HashMap<>(settings.config().service.client(WebhookServer.PATH));
        if (!trusted.isEmpty()) {
            byte[] pem = PemCertificates.written(trusted).getBytes(StandardCharsets.US_ASCII);
            client.put("caBundle", Base64.getEncoder().encodeToString(pem));
        }
        return client;
    }

    @Override
    public Map<Resource, Set<ObjectKey>> needed() {
        return Map.of(
                Own.WEBHOOKS, Set.of(ObjectKey.clusterScoped(name())),
                Resources.SECRETS, settings.isSelfIssued() ? Set.of(settings.secret()) : Set.of());
    }
}
