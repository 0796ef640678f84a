package io.nodeward.backend.official;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.nodeward.core.spi.Call;
import io.nodeward.core.spi.connect.Identity;
import io.nodeward.core.spi.connect.OwnLines;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import okhttp3.OkHttpClient;
import okhttp3.Request;

/** Lines derived from a client that stays its owner's. */
final class BorrowedLines implements Lines {
    /** The client says who asks. */
    private static final Identity NOBODY = new Identity(List.of(), Optional.empty());

    /** What the generated calls of the client ask for too. */
    private static final String[] AUTHENTICATION = {"BearerToken"};

    private final ApiClient client;
    private final String server;
    private final OwnLines<OkLine> lines;

    BorrowedLines(ApiClient client) {
        this.client = client;
        this.server = client.getBasePath().replaceFirst("/$", "");
        OkHttpClient theirs = client.getHttpClient();
        this.lines = new OwnLines<>(Optional.empty(), certificate -> new OkLine(theirs));
    }

    @Override
    public String server() {
        return server;
    }

    @Override
    public Identity identity() {
        return NOBODY;
    }

    @Override
    public void refused(Identity who) {
        // its owner's interceptors know
    }

    @Override
    public OkLine of(Call call, Identity who) {
        return lines.line(call.streaming(), who.certificate());
    }

    @Override
    public void prepare(Request.Builder request, Call call, Identity who) {
        Map<String, String> headers = new HashMap<>(call.headers());
        Map<String, String> cookies = new HashMap<>();
        try {
            URI uri = URI.create(server + call.path());
            client.updateParamsForAuth(AUTHENTICATION, new ArrayList<>(), headers, cookies, "", call.method(), uri);
        } catch (ApiException e) {
            throw new IllegalStateException("the client's authentication failed");
        }
        client.processHeaderParams(headers, request);
        client.processCookieParams(cookies, request);
    }

    @Override
    public void retire(OkLine line) {
        lines.retire(line);
    }

    @Override
    public void close() {
        lines.close();
    }
}
