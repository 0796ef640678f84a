package com.example.nodequota;

import io.nodeward.core.runtime.webhook.WebhookClientConfig;
import java.net.InetSocketAddress;
import picocli.CommandLine.Option;

/** Flags of the NodeQuota controller. */
public final class NodeQuotaConfig {
    private static final int PORT = 9444;

    @Option(names = "--nodequota-webhook-address", paramLabel = "HOST:PORT", defaultValue = ":9444", description = "Serves the webhook of NodeQuotas (default: ${DEFAULT-VALUE})")
    InetSocketAddress address = new InetSocketAddress(PORT);

    @Option(names = "--nodequota-webhook-service", paramLabel = "WHERE", defaultValue = "nodeward-system/nodeward-nodequota", description = "Where API servers reach the webhook: a Service as NAMESPACE/NAME[:PORT], or"
            + " https://HOST:PORT (default: ${DEFAULT-VALUE})")
    WebhookClientConfig service = WebhookClientConfig.parse("nodeward-system/nodeward-nodequota");
}
