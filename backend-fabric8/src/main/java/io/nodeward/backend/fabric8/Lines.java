package io.nodeward.backend.fabric8;

import io.fabric8.kubernetes.client.http.HttpRequest;
import io.nodeward.core.spi.Call;
import java.io.IOException;

/** Where a transport's calls go. */
interface Lines extends AutoCloseable {
    /** URL without a slash at its end. */
    String server();

    Line of(Call call);

    /** Adds what these lines' own client does not add by itself. */
    void prepare(HttpRequest.Builder request, Call call) throws IOException;

    /**
     * Called when a call got no answer in time. An HTTP/2 connection that died without a word would swallow all that
     * follow, so they go over a new one; what is in flight on the old one may still end.
     */
    void retire(Line line);

    @Override
    void close();
}
