package io.nodeward.api.admission;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import java.util.List;

/** A ValidatingWebhookConfiguration, as far as it tells what is validated elsewhere. */
public record WebhookConfiguration(Metadata metadata, List<Webhook> webhooks) implements KubernetesObject {
    public WebhookConfiguration {
        webhooks = List.copyOf(webhooks);
    }

    @Override
    public WebhookConfiguration withResourceVersion(String resourceVersion) {
        return new WebhookConfiguration(metadata.withResourceVersion(resourceVersion), webhooks);
    }

    /** Only the same version: what is not looked at here may be what changed. */
    @Override
    public boolean sameState(KubernetesObject other) {
        return equals(other);
    }

    /**
     * One of its webhooks.
     *
     * @param path that is called, of a Service or a URL
     */
    public record Webhook(String path, List<Rule> rules) {
        public Webhook {
            rules = List.copyOf(rules);
        }
    }

    /** What is sent to it. */
    public record Rule(List<String> groups, List<String> operations, List<String> resources) {
        public Rule {
            groups = List.copyOf(groups);
            operations = List.copyOf(operations);
            resources = List.copyOf(resources);
        }
    }
}
