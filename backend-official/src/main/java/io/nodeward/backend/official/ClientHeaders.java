package io.nodeward.backend.official;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.nodeward.core.spi.Request;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/** Adds to each request what its client is configured with: credentials, default headers, cookies. */
record ClientHeaders(ApiClient client) implements BiConsumer<okhttp3.Request.Builder, Request> {
    /** What the generated calls of the client ask for too. */
    private static final String[] AUTHENTICATION = {"BearerToken"};

    @Override
    public void accept(okhttp3.Request.Builder builder, Request request) {
        Map<String, String> headers = new HashMap<>(request.headers());
        Map<String, String> cookies = new HashMap<>();
        try {
            URI uri = URI.create(client.getBasePath() + request.path());
            client.updateParamsForAuth(AUTHENTICATION, new ArrayList<>(), headers, cookies, "", request.method(), uri);
        } catch (ApiException e) {
            throw new IllegalStateException("the client's authentication failed");
        }
        client.processHeaderParams(headers, builder);
        client.processCookieParams(cookies, builder);
    }
}
