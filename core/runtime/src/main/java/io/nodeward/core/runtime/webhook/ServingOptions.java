package io.nodeward.core.runtime.webhook;

import io.nodeward.api.meta.ObjectKey;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * How a component's webhooks are served.
 *
 * @param address to listen on
 * @param clientConfig where API servers reach it
 * @param secret with a certificate that somebody else keeps; empty for one that the component issues itself
 */
public record ServingOptions(
        InetSocketAddress address, WebhookClientConfig clientConfig, Optional<ObjectKey> secret) {}
