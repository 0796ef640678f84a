package io.nodeward.api.json;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.admission.WebhookConfiguration;
import io.nodeward.api.admission.WebhookConfiguration.Rule;
import io.nodeward.api.admission.WebhookConfiguration.Webhook;
import java.util.List;

/** Reads the paths and the rules of webhooks. */
final class WebhookConfigurationReader {
    static final Projection.Reader<WebhookConfiguration> CONFIGURATION = new ShapeReader<>(
            (metadata, object) -> new WebhookConfiguration(metadata, object.at("webhooks").elements().stream()
                    .map(WebhookConfigurationReader::webhook).toList()),
            "webhooks.clientConfig.url", "webhooks.clientConfig.service.path", "webhooks.rules");

    private WebhookConfigurationReader() {}

    private static Webhook webhook(Tree webhook) {
        Tree client = webhook.at("clientConfig");
        return new Webhook(
                Parts.either(Parts.scalar(client.at("service").at("path")),
                        Parts.scalar(client.at("url")).replaceFirst("^[a-z]+://[^/]*", "")),
                webhook.at("rules").elements().stream().map(rule -> new Rule(
                        texts(rule.at("apiGroups")), texts(rule.at("operations")), texts(rule.at("resources"))))
                        .toList());
    }

    private static List<String> texts(Tree list) {
        return list.elements().stream().map(Parts::scalar).toList();
    }
}
