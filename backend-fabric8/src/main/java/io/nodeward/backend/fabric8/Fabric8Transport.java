package io.nodeward.backend.fabric8;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.nodeward.core.spi.Answer;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Call;
import io.nodeward.core.spi.Transport;
import io.nodeward.core.spi.connect.BodyStream;
import io.nodeward.core.spi.connect.Failures;
import io.nodeward.core.spi.connect.Identity;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends each call once over fabric8's client. */
final class Fabric8Transport implements Transport {
    private static final String CLOSED = "the transport was closed";

    private static final int UNAUTHORIZED = 401;

    private final Lines lines;
    private final Set<CompletableFuture<?>> waiting = ConcurrentHashMap.newKeySet();
    private final Set<BodyStream> arriving = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Fabric8Transport(Lines lines) {
        this.lines = lines;
    }

    @Override
    public Answer exchange(Call call) {
        BodyStream body = new BodyStream(arriving::remove);
        long deadline = System.nanoTime() + call.timeout().toNanos();
        try {
            Identity who = identity();
            OwnLine line = lines.of(call, who);
            if (!call.streaming()) {
                body.endWhen(() -> deadline - System.nanoTime(), () -> lines.retire(line));
            }
            HttpResponse<AsyncBody> head = send(line, who, call, body);
            arriving.add(body);
            start(body, head.body());
            if (closed) {
                body.close(CLOSED);
            }
            return new Answer(head.code(), Optional.ofNullable(head.header("Retry-After")), decoded(head, body));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable(call, "interrupted", e);
        } catch (TimeoutException e) {
            throw unreachable(call, "no answer within " + call.timeout().toMillis() + " ms", e);
        } catch (ExecutionException | IOException | RuntimeException e) {
            throw unreachable(call, closed ? CLOSED : Failures.words(e), e);
        }
    }

    private static void start(BodyStream body, AsyncBody from) {
        from.done().whenComplete(
                (nothing, failure) -> body.ended(Optional.ofNullable(failure).map(Failures::readable)));
        body.start(new BodyStream.Source() {
            @Override
            public void more() {
                from.consume();
            }

            @Override
            public void cancel() {
                from.cancel();
            }
        });
    }

    private Identity identity() throws IOException, InterruptedException {
        if (closed) {
            throw new IOException(CLOSED);
        }
        return lines.identity();
    }

    private HttpResponse<AsyncBody> send(OwnLine line, Identity who, Call call, BodyStream body)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        CompletableFuture<HttpResponse<AsyncBody>> head = line.client().consumeBytes(
                request(line, call, who), (buffers, more) -> body.arrived(buffers));
        Runnable giveUp = line.givingUp();
        waiting.add(head);
        boolean answered = false;
        try {
            if (closed) {
                head.cancel(true);
            }
            HttpResponse<AsyncBody> answer = head.get(call.timeout().toNanos(), TimeUnit.NANOSECONDS);
            answered = true;
            if (answer.code() == UNAUTHORIZED) {
                lines.refused(who);
            }
            return answer;
        } catch (TimeoutException e) {
            lines.retire(line);
            throw e;
        } finally {
            waiting.remove(head);
            if (!answered) {
                head.cancel(true); // an answer that comes all the same is dropped
                giveUp.run();
                body.close();
            }
        }
    }

    private HttpRequest request(OwnLine line, Call call, Identity who) {
        HttpRequest.Builder request = line.client().newHttpRequestBuilder().uri(lines.server() + call.path());
        String contentType = call.headers().get("Content-Type");
        // Bytes can be given to a POST only; naming the method afterwards keeps them.
        call.body().ifPresent(bytes -> request.post(contentType, bytes));
        request.method(call.method(), contentType, (String) null);
        call.headers().forEach((name, value) -> {
            if (!name.equals("Content-Type")) {
                request.header(name, value);
            }
        });
        if (call.streaming()) {
            request.header("Accept-Encoding", "gzip"); // lists are large; servers do not encode watches
        }
        who.headers().forEach(header -> request.header(header.name(), header.value()));
        return request.build();
    }

    private static InputStream decoded(HttpResponse<?> head, BodyStream body) {
        return "gzip".equalsIgnoreCase(head.header("Content-Encoding")) ? new GzipBody(body) : body;
    }

    private static ApiFailure unreachable(Call call, String why, Exception cause) {
        return ApiFailure.unreachable(call.method() + " " + call.path(), why, Failures.withoutSecrets(cause));
    }

    @Override
    public void close() {
        closed = true;
        waiting.forEach(head -> head.cancel(true));
        arriving.forEach(body -> body.close(CLOSED));
        lines.close();
    }

    /** Never shows credentials. */
    @Override
    public String toString() {
        return "Fabric8Transport[" + lines.server() + "]";
    }
}
