package io.nodeward.backend.fabric8;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.nodeward.core.spi.Call;
import io.nodeward.core.spi.connect.BodyStream;
import io.nodeward.core.spi.connect.Failures;
import io.nodeward.core.spi.connect.Identity.Header;
import io.nodeward.core.spi.connect.LineTransport;
import io.nodeward.core.spi.connect.Lines;
import io.nodeward.core.spi.connect.Sent;
import io.nodeward.core.spi.connect.Sent.Head;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** Sends calls over fabric8's client. */
final class Fabric8Transport extends LineTransport<OwnLine> {
    Fabric8Transport(Lines<OwnLine> lines) {
        super(lines, System::nanoTime);
    }

    @Override
    protected Sent send(OwnLine line, Call call, String url, List<Header> headers, BodyStream body) {
        CompletableFuture<HttpResponse<AsyncBody>> answer = line.client().consumeBytes(
                request(line, call, url, headers), (buffers, rest) -> {
                    if (body.arrived(buffers)) {
                        rest.consume();
                    }
                });
        Runnable giveUp = line.givingUp();
        return new Sent(answer.thenApply(response -> head(response, body)), () -> {
            answer.cancel(true);
            giveUp.run();
        }, () -> false); // the JDK's client mends that itself
    }

    private static HttpRequest request(OwnLine line, Call call, String url, List<Header> headers) {
        HttpRequest.Builder request = line.client().newHttpRequestBuilder().uri(url);
        String contentType = call.headers().get("Content-Type");
        // Bytes can be given to a POST only; naming the method afterwards keeps them.
        call.body().ifPresent(bytes -> request.post(contentType, bytes));
        request.method(call.method(), contentType, (String) null);
        call.headers().forEach((name, value) -> {
            if (!name.equals("Content-Type")) {
                request.header(name, value);
            }
        });
        if (call.mayBeEncoded()) {
            request.header("Accept-Encoding", "gzip");
        }
        headers.forEach(header -> request.header(header.name(), header.value()));
        return request.build();
    }

    private static Head head(HttpResponse<AsyncBody> response, BodyStream body) {
        AsyncBody from = response.body();
        from.done().whenComplete(
                (nothing, failure) -> body.ended(Optional.ofNullable(failure).map(Failures::readable)));
        BodyStream.Source source = new BodyStream.Source() {
            @Override
            public void more() {
                from.consume();
            }

            @Override
            public void cancel() {
                from.cancel();
            }
        };
        boolean gzip = "gzip".equalsIgnoreCase(response.header("Content-Encoding"));
        UnaryOperator<InputStream> decoding = gzip ? GzipBody::new : UnaryOperator.identity();
        return new Head(response.code(), Optional.ofNullable(response.header("Retry-After")), source, decoding);
    }
}
