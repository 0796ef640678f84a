package io.nodeward.backend.fabric8;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.nodeward.core.spi.Call;
import io.nodeward.core.spi.connect.Identity;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The one line of a client that stays its owner's. */
final class BorrowedLines implements Lines {
    /** Its owner's interceptors say who asks. */
    private static final Identity NOBODY = new Identity(List.of(), Optional.empty());

    private final Config config;
    private final Line line;

    BorrowedLines(KubernetesClient client) {
        this.config = client.getConfiguration();
        HttpClient once = client.getHttpClient().newBuilder().tag(once(config.getRequestConfig())).build();
        this.line = new Line() {
            @Override
            public HttpClient client() {
                return once;
            }

            @Override
            public Runnable givingUp() {
                return () -> {}; // the request's own timeout does
            }
        };
    }

    // fabric8 retries as often as the tag of this type says.
    private static RequestConfig once(RequestConfig theirs) {
        RequestConfig once = new RequestConfigBuilder(theirs).withRequestRetryBackoffLimit(0).build();
        once.setImpersonateUsername(theirs.getImpersonateUsername());
        once.setImpersonateGroups(theirs.getImpersonateGroups());
        once.setImpersonateExtras(theirs.getImpersonateExtras());
        return once;
    }

    @Override
    public String server() {
        return config.getMasterUrl().replaceFirst("/$", "");
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
    public Line of(Call call, Identity who) {
        return line;
    }

    @Override
    public void prepare(HttpRequest.Builder request, Call call) {
        request.timeout(call.timeout().toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void retire(Line dead) {
        // its owner's to replace
    }

    @Override
    public void close() {
        // its owner's to close
    }
}
