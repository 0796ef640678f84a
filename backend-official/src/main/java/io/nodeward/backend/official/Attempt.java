package io.nodeward.backend.official;

import io.nodeward.core.spi.connect.InFlightRequest.Failed;
import java.io.IOException;
import java.net.Proxy;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import okhttp3.Connection;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** What became of one sending of a call, as seen next to the network. */
final class Attempt {
    /** Where the wait asked for is kept from OkHttp, which sends a call again that is answered 503 and to wait 0 s. */
    static final String RETRY_AFTER = "Nodeward-Retry-After";

    /**
     * What OkHttp says if the server refused one stream more: OkHttp may open too many before it has read how many a new connection
     * takes. Go's server calls it a protocol error once OkHttp has confirmed the number.
     */
    private static final Set<String> UNSENT =
            Set.of("stream was reset: REFUSED_STREAM", "stream was reset: PROTOCOL_ERROR");

    private final boolean encoded;
    private final AtomicBoolean sent = new AtomicBoolean();
    private volatile boolean reused;
    private volatile boolean answered;
    private volatile boolean refused;

    /** @param encoded whether the answer may be */
    Attempt(boolean encoded) {
        this.encoded = encoded;
    }

    /** Returns how far a call came that has failed. */
    Failed failed() {
        if (refused) {
            return Failed.UNSENT;
        }
        return reused && !answered ? Failed.UNANSWERED : Failed.SENT;
    }

    /** Last before the network. */
    static final class Watcher implements Interceptor {
        private final Set<Connection> seen =
                Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

        @Override
        public Response intercept(Chain chain) throws IOException {
            Attempt attempt = chain.request().tag(Attempt.class);
            Connection connection = chain.connection();
            if (attempt == null || connection == null) {
                return chain.proceed(chain.request());
            }
            if (!attempt.sent.compareAndSet(false, true)) {
                throw new IOException("an interceptor would have sent it again");
            }
            attempt.reused = !seen.add(connection);
            Response response = attempt.proceed(chain, connection);
            String wait = response.header("Retry-After");
            return wait == null ? response
                    : response.newBuilder().removeHeader("Retry-After").header(RETRY_AFTER, wait).build();
        }
    }

    private Response proceed(Interceptor.Chain chain, Connection connection) throws IOException {
        try {
            Response response = chain.proceed(sent(chain.request(), connection));
            answered = true;
            return response;
        } catch (IOException e) {
            refused = UNSENT.contains(String.valueOf(e.getMessage()));
            throw e;
        }
    }

    private Request sent(Request request, Connection connection) {
        Request.Builder sent = request.newBuilder();
        if (!encoded) {
            sent.removeHeader("Accept-Encoding"); // OkHttp asks for it in any case, and decodes what comes
        }
        if (!request.isHttps() && connection.route().proxy().type() == Proxy.Type.HTTP) {
            // Such a proxy may close after each answer, which OkHttp sees too late to keep a write from running into it.
            sent.header("Connection", "close");
        }
        return sent.build();
    }

    static @Nullable String retryAfter(Response response) {
        return response.header(RETRY_AFTER);
    }
}
