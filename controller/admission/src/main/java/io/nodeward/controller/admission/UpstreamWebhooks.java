package io.nodeward.controller.admission;

import io.nodeward.api.admission.WebhookConfiguration;
import io.nodeward.api.admission.WebhookConfiguration.Rule;
import io.nodeward.api.admission.WebhookConfiguration.Webhook;
import io.nodeward.core.rules.validation.DeclaringKind;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kinds that a webhook of Cluster API validates, whatever its configuration is called and wherever it is served: it has
 * a rule for the kind, and the path that controller-runtime gives to a kind's validation. Policy engines have rules for
 * such kinds too, but other paths.
 */
final class UpstreamWebhooks {
    private static final Logger LOG = LoggerFactory.getLogger(UpstreamWebhooks.class);

    private volatile Set<DeclaringKind> validated = EnumSet.noneOf(DeclaringKind.class);

    boolean validate(DeclaringKind kind) {
        return validated.contains(kind);
    }

    /** The other kinds. */
    List<DeclaringKind> unvalidated() {
        Set<DeclaringKind> now = validated;
        return Arrays.stream(DeclaringKind.values()).filter(kind -> !now.contains(kind)).toList();
    }

    /** Takes all that there are now; returns whether that makes a difference. */
    synchronized boolean look(Collection<WebhookConfiguration> configurations) {
        Set<DeclaringKind> now = Arrays.stream(DeclaringKind.values())
                .filter(kind -> configurations.stream().anyMatch(c -> validates(c, kind)))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(DeclaringKind.class)));
        if (now.equals(validated)) {
            return false;
        }
        LOG.info("webhooks of Cluster API validate {}", now.stream().map(DeclaringKind::kind).toList());
        validated = now;
        return true;
    }

    private static boolean validates(WebhookConfiguration configuration, DeclaringKind kind) {
        return configuration.webhooks().stream().anyMatch(webhook -> validates(webhook, kind));
    }

    private static boolean validates(Webhook webhook, DeclaringKind kind) {
        String path = "/validate-" + kind.group().replace('.', '-') + "-v[0-9a-z]+-"
                + kind.kind().toLowerCase(Locale.ROOT);
        return webhook.path().matches(path) && webhook.rules().stream().anyMatch(rule -> has(rule, kind));
    }

    private static boolean has(Rule rule, DeclaringKind kind) {
        return rule.groups().contains(kind.group()) && rule.resources().contains(kind.plural())
                && rule.operations().stream().anyMatch(List.of("CREATE", "UPDATE", "*")::contains);
    }
}
