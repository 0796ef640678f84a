package io.nodeward.core.spi.connect;

import io.nodeward.core.spi.connect.BodyStream.Source;
import java.io.InputStream;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A request that is on its way.
 *
 * @param head of its answer, to come
 * @param giveUp ends the request that has got no answer; an answer that comes all the same is dropped
 * @param failed how far it came, once it has failed
 */
public record InFlightRequest(Future<Head> head, Runnable giveUp, Supplier<Failed> failed) {
    /** How far a request came that failed. */
    public enum Failed {
        /** The server may have answered it. */
        SENT,
        /** It was not answered a byte, for a reason that a new connection removes. */
        UNANSWERED,
        /** Its pool did not send it, or the server refused it: there were too many at once. */
        UNSENT
    }

    /**
     * What comes before an answer's body.
     *
     * @param retryAfter value of the header, if sent
     * @param body where its bytes come from
     * @param decoding of those bytes, so that they are plain
     */
    public record Head(int status, Optional<String> retryAfter, Source body, UnaryOperator<InputStream> decoding) {}
}
