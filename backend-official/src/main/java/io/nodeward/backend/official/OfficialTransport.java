package io.nodeward.backend.official;

import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.connect.BodyStream;
import io.nodeward.core.spi.connect.ConnectionPools;
import io.nodeward.core.spi.connect.Identity.Header;
import io.nodeward.core.spi.connect.InFlightRequest;
import io.nodeward.core.spi.connect.InFlightRequest.Head;
import io.nodeward.core.spi.connect.PooledTransport;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import okhttp3.MediaType;
import okhttp3.RequestBody;
import okhttp3.Response;

/** Sends calls over OkHttp. */
final class OfficialTransport extends PooledTransport<OkHttpPool> {
    private final BiConsumer<okhttp3.Request.Builder, Request> clientHeaders;

    /** @param clientHeaders adds to a request what the client's owner wants said */
    OfficialTransport(ConnectionPools<OkHttpPool> pools, BiConsumer<okhttp3.Request.Builder, Request> clientHeaders) {
        super(pools, System::nanoTime);
        this.clientHeaders = clientHeaders;
    }

    @Override
    protected InFlightRequest send(OkHttpPool pool, Request request, String url, List<Header> headers, BodyStream body)
            throws IOException {
        Attempt attempt = new Attempt(request.mayBeEncoded());
        okhttp3.Call sent = pool.call(builder(request, url, headers).tag(Attempt.class, attempt).build());
        Runnable ended = () -> pool.ended(sent);
        CompletableFuture<Head> head = new CompletableFuture<>();
        Thread.ofVirtual().name("nodeward-official-call").start(() -> execute(request, sent, ended, body, head));
        return new InFlightRequest(head, () -> {
            sent.cancel();
            ended.run();
        }, attempt::failed);
    }

    // In a thread of its own: giving up must not wait for a socket, and interrupting must not close one.
    private static void execute(
            Request request, okhttp3.Call sent, Runnable ended, BodyStream stream, CompletableFuture<Head> head) {
        try {
            Response response = sent.execute();
            // A watch is read for minutes, a little now and then: there a platform thread takes less (docs/decisions/0009)
            Thread.Builder threads = request.streaming() ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
            OkBody body = new OkBody(sent, response, stream, threads.name("nodeward-official-body"), ended);
            Optional<String> wait = Optional.ofNullable(Attempt.retryAfter(response));
            if (!head.complete(new Head(response.code(), wait, body, UnaryOperator.identity()))) {
                body.cancel();
            }
        } catch (IOException | RuntimeException e) {
            head.completeExceptionally(e);
        }
    }

    private okhttp3.Request.Builder builder(Request request, String url, List<Header> headers) {
        okhttp3.Request.Builder builder = new okhttp3.Request.Builder().url(url);
        request.headers().forEach(builder::header);
        headers.forEach(header -> builder.addHeader(header.name(), header.value()));
        clientHeaders.accept(builder, request);
        MediaType type = Optional.ofNullable(request.headers().get("Content-Type")).map(MediaType::get).orElse(null);
        return builder.method(
                request.method(), request.body().map(bytes -> RequestBody.create(bytes, type)).orElse(null));
    }
}
