package io.nodeward.backend.official;

import io.nodeward.core.spi.Call;
import io.nodeward.core.spi.connect.BodyStream;
import io.nodeward.core.spi.connect.Identity.Header;
import io.nodeward.core.spi.connect.LineTransport;
import io.nodeward.core.spi.connect.Lines;
import io.nodeward.core.spi.connect.Sent;
import io.nodeward.core.spi.connect.Sent.Head;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/** Sends calls over OkHttp. */
final class OfficialTransport extends LineTransport<OkLine> {
    private final BiConsumer<Request.Builder, Call> owner;

    /** @param owner adds to a request what the client's owner wants said */
    OfficialTransport(Lines<OkLine> lines, BiConsumer<Request.Builder, Call> owner) {
        super(lines, System::nanoTime);
        this.owner = owner;
    }

    @Override
    protected Sent send(OkLine line, Call call, String url, List<Header> headers, BodyStream body)
            throws IOException {
        Attempt attempt = new Attempt(call.mayBeEncoded());
        okhttp3.Call sent = line.call(request(call, url, headers).tag(Attempt.class, attempt).build());
        Runnable ended = () -> line.ended(sent);
        CompletableFuture<Head> head = new CompletableFuture<>();
        Thread.ofVirtual().name("official call").start(() -> execute(call, sent, ended, body, head));
        return new Sent(head, () -> {
            sent.cancel();
            ended.run();
        }, attempt::metAnOldConnection);
    }

    // In a thread of its own: giving up must not wait for a socket, and interrupting must not close one.
    private static void execute(
            Call call, okhttp3.Call sent, Runnable ended, BodyStream stream, CompletableFuture<Head> head) {
        try {
            Response response = sent.execute();
            // A watch is read for minutes, a little now and then: there a platform thread takes less (docs/decisions/0009)
            Thread.Builder threads = call.streaming() ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
            OkBody body = new OkBody(sent, response, stream, threads, ended);
            Optional<String> wait = Optional.ofNullable(Attempt.retryAfter(response));
            if (!head.complete(new Head(response.code(), wait, body, UnaryOperator.identity()))) {
                body.cancel();
            }
        } catch (IOException | RuntimeException e) {
            head.completeExceptionally(e);
        }
    }

    private Request.Builder request(Call call, String url, List<Header> headers) {
        Request.Builder request = new Request.Builder().url(url);
        call.headers().forEach(request::header);
        headers.forEach(header -> request.addHeader(header.name(), header.value()));
        owner.accept(request, call);
        MediaType type = Optional.ofNullable(call.headers().get("Content-Type")).map(MediaType::get).orElse(null);
        return request.method(
                call.method(), call.body().map(bytes -> RequestBody.create(bytes, type)).orElse(null));
    }
}
