package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.admission.WebhookConfiguration;
import io.nodeward.api.admission.WebhookConfiguration.Rule;
import io.nodeward.api.admission.WebhookConfiguration.Webhook;
import io.nodeward.api.meta.Metadata;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

final class WebhookConfigurationReader implements Projection.Reader<WebhookConfiguration> {
    @Override
    public WebhookConfiguration read(JsonParser p) throws IOException {
        Metadata[] metadata = {MetadataReader.absent()};
        List<Webhook> webhooks = new ArrayList<>(1);
        Json.fields(p, (field, value) -> {
            switch (field) {
                case "metadata" -> metadata[0] = MetadataReader.read(value);
                case "webhooks" -> Json.elements(value, webhook -> webhooks.add(webhook(webhook)));
                default -> value.skipChildren();
            }
        });
        return new WebhookConfiguration(metadata[0], webhooks);
    }

    private static Webhook webhook(JsonParser p) throws IOException {
        String[] path = {""};
        List<Rule> rules = new ArrayList<>(1);
        Json.fields(p, (field, value) -> {
            switch (field) {
                case "clientConfig" -> Json.fields(value, (name, v) -> client(name, v, path));
                case "rules" -> Json.elements(value, rule -> rules.add(rule(rule)));
                default -> value.skipChildren();
            }
        });
        return new Webhook(path[0], rules);
    }

    private static void client(String field, JsonParser p, String[] path) throws IOException {
        switch (field) {
            case "url" -> path[0] = Json.text(p).replaceFirst("^[a-z]+://[^/]*", "");
            case "service" -> Json.fields(p, (name, value) -> {
                if (name.equals("path")) {
                    path[0] = Json.text(value);
                } else {
                    value.skipChildren();
                }
            });
            default -> p.skipChildren();
        }
    }

    private static Rule rule(JsonParser p) throws IOException {
        Map<String, List<String>> lists = new HashMap<>();
        Json.fields(p, (field, value) -> {
            List<String> texts = new ArrayList<>();
            Json.elements(value, text -> texts.add(Json.text(text)));
            lists.put(field, texts);
        });
        return new Rule(lists.getOrDefault("apiGroups", List.of()), lists.getOrDefault("operations", List.of()),
                lists.getOrDefault("resources", List.of()));
    }
}
