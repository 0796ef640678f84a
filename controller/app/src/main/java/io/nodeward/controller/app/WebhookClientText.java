package io.nodeward.controller.app;

import io.nodeward.core.runtime.webhook.WebhookClientConfig;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Where API servers reach a webhook: {@code NAMESPACE/NAME[:PORT]} or {@code https://HOST:PORT}. */
final class WebhookClientText implements ITypeConverter<WebhookClientConfig> {
    @Override
    public WebhookClientConfig convert(String text) {
        try {
            return WebhookClientConfig.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
