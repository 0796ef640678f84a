package io.nodeward.backend.fabric8;

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

    OwnLine of(Call call, Identity who);

    /** Called when a call got no answer in time. */
    void retire(OwnLine line);

    @Override
    void close();
}
