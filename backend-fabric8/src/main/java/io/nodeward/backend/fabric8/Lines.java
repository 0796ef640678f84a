package io.nodeward.backend.fabric8;

import io.fabric8.kubernetes.client.http.HttpRequest;
import io.nodeward.core.spi.Call;
import io.nodeward.core.spi.connect.Identity;
import java.io.IOException;

/** Where a transport's calls go. */
interface Lines extends AutoCloseable {
    /** URL without a slash at its end. */
    String server();

    /** Who asks now. */
    Identity identity() throws IOException, InterruptedException;

    /** Called when the server answered 401. */
    void refused(Identity who);

    Line of(Call call, Identity who);

    /** Adds what these lines' own client does not add by itself. */
    void prepare(HttpRequest.Builder request, Call call);

    /** Called when a call got no answer in time. */
    void retire(Line line);

    @Override
    void close();
}
