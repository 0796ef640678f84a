package io.nodeward.backend.official;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.nodeward.core.spi.Call;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import okhttp3.Request;

/** Says with each request what the owner of a client wants said: credentials, default headers, cookies. */
final class Owner implements BiConsumer<Request.Builder, Call> {
    /** What the generated calls of the client ask for too. */
    private static final String[] AUTHENTICATION = {"BearerToken"};

    private final ApiClient client;

    Owner(ApiClient client) {
        this.client = client;
    }

    @Override
    public void accept(Request.Builder request, Call call) {
        Map<String, String> headers = new HashMap<>(call.headers());
        Map<String, String> cookies = new HashMap<>();
        try {
            URI uri = URI.create(client.getBasePath() + call.path());
            client.updateParamsForAuth(AUTHENTICATION, new ArrayList<>(), headers, cookies, "", call.method(), uri);
        } catch (ApiException e) {
            throw new IllegalStateException("the client's authentication failed");
        }
        client.processHeaderParams(headers, request);
        client.processCookieParams(cookies, request);
    }
}
