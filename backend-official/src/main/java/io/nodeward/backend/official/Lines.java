package io.nodeward.backend.official;

import io.nodeward.core.spi.Call;
import io.nodeward.core.spi.connect.Identity;
import java.io.IOException;
import okhttp3.Request;

/** Where a transport's calls go. */
interface Lines extends AutoCloseable {
    /** URL without a slash at its end. */
    String server();

    /** Who asks now. */
    Identity identity() throws IOException, InterruptedException;

    /** Called when the server answered 401. */
    void refused(Identity who);

    OkLine of(Call call, Identity who);

    /** Adds what says who asks, and what the client's owner wants said. */
    void prepare(Request.Builder request, Call call, Identity who);

    /** Called when a call got no answer in time. */
    void retire(OkLine line);

    @Override
    void close();
}
