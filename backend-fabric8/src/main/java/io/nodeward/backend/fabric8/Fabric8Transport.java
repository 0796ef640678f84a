package io.nodeward.backend.fabric8;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.connect.BodyStream;
import io.nodeward.core.spi.connect.ConnectionPools;
import io.nodeward.core.spi.connect.Failures;
import io.nodeward.core.spi.connect.Identity.Header;
import io.nodeward.core.spi.connect.InFlightRequest;
import io.nodeward.core.spi.connect.InFlightRequest.Failed;
import io.nodeward.core.spi.connect.InFlightRequest.Head;
import io.nodeward.core.spi.connect.PooledTransport;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Sends calls over fabric8's client. */
final class Fabric8Transport extends PooledTransport<JdkHttpPool> {
    /**
     * What the JDK's client says if the server allows no more streams on its one connection, or if it was shut down. The client may
     * open too many streams before it has read how many the server allows. The server resets them: as not processed, or, once the
     * client has confirmed the number, for a protocol error.
     */
    private static final Set<String> UNSENT = Set.of("too many concurrent streams", "closed",
            "Received RST_STREAM: Stream not processed", "Received RST_STREAM: Protocol error");

    Fabric8Transport(ConnectionPools<JdkHttpPool> pools) {
        super(pools, System::nanoTime);
    }

    @Override
    protected InFlightRequest send(JdkHttpPool pool, Request request, String url, List<Header> headers,
            BodyStream body) {
        CompletableFuture<HttpResponse<AsyncBody>> answer = pool.client().consumeBytes(
                request(pool, request, url, headers), (buffers, rest) -> {
                    if (body.arrived(buffers)) {
                        rest.consume();
                    }
                });
        Runnable giveUp = pool.givingUp();
        CompletableFuture<Head> head = answer.handle((response, failure) -> {
            if (failure != null) {
                throw new CompletionException(pool.explain(failure));
            }
            return head(response, body);
        });
        return new InFlightRequest(head, () -> {
            answer.cancel(true);
            giveUp.run();
        }, () -> isUnsent(answer) ? Failed.UNSENT : Failed.SENT); // it connects again by itself
    }

    static boolean isUnsent(CompletableFuture<?> answer) {
        return answer.state() == Future.State.FAILED && Stream.iterate(answer.exceptionNow(), Objects::nonNull,
                Throwable::getCause).anyMatch(cause -> UNSENT.contains(String.valueOf(cause.getMessage())));
    }

    private static HttpRequest request(JdkHttpPool pool, Request request, String url, List<Header> headers) {
        HttpRequest.Builder builder = pool.client().newHttpRequestBuilder().uri(url);
        String contentType = request.headers().get("Content-Type");
        // Bytes can be given to a POST only; naming the method afterwards keeps them.
        request.body().ifPresent(bytes -> builder.post(contentType, bytes));
        builder.method(request.method(), contentType, (String) null);
        request.headers().forEach((name, value) -> {
            if (!name.equals("Content-Type")) {
                builder.header(name, value);
            }
        });
        if (request.mayBeEncoded()) {
            builder.header("Accept-Encoding", "gzip");
        }
        headers.forEach(header -> builder.header(header.name(), header.value()));
        return builder.build();
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
