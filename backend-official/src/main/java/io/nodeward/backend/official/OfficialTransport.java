package io.nodeward.backend.official;

import io.nodeward.core.spi.Answer;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Call;
import io.nodeward.core.spi.Transport;
import io.nodeward.core.spi.connect.BodyStream;
import io.nodeward.core.spi.connect.Failures;
import io.nodeward.core.spi.connect.Identity;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/** Sends each call once over OkHttp. */
final class OfficialTransport implements Transport {
    private static final String CLOSED = "the transport was closed";
    private static final int UNAUTHORIZED = 401;

    private final Lines lines;
    private final Set<CompletableFuture<?>> waiting = ConcurrentHashMap.newKeySet();
    private final Set<BodyStream> arriving = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    OfficialTransport(Lines lines) {
        this.lines = lines;
    }

    @Override
    public Answer exchange(Call call) {
        long end = System.nanoTime() + call.timeout().toNanos();
        try {
            Attempt first = new Attempt(call.streaming());
            try {
                return send(call, first, end);
            } catch (ExecutionException e) {
                // Servers close idle connections whenever they like, and a read is safe to repeat.
                if (closed || !call.method().equals("GET") || !first.metAnOldConnection()) {
                    throw e;
                }
                return send(call, new Attempt(call.streaming()), end);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable(call, "interrupted", e);
        } catch (TimeoutException e) {
            throw unreachable(call, "no answer within " + call.timeout().toMillis() + " ms", e);
        } catch (ExecutionException | IOException | RuntimeException e) {
            throw unreachable(call, closed ? CLOSED : Failures.words(e), e);
        }
    }

    private Answer send(Call call, Attempt attempt, long end)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        if (closed) {
            throw new IOException(CLOSED);
        }
        Identity who = lines.identity();
        OkLine line = lines.of(call, who);
        okhttp3.Call sent = line.call(request(call, attempt, who));
        CompletableFuture<Response> head = new CompletableFuture<>();
        waiting.add(head);
        boolean answered = false;
        try {
            if (closed) {
                head.cancel(true);
            }
            Thread.ofVirtual().name("official call").start(() -> execute(sent, head));
            Response response = head.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            answered = true;
            if (response.code() == UNAUTHORIZED) {
                lines.refused(who);
            }
            return answer(call, end, line, sent, response);
        } catch (TimeoutException e) {
            lines.retire(line);
            throw e;
        } finally {
            waiting.remove(head);
            if (!answered) {
                head.cancel(true); // an answer that comes all the same is dropped
                sent.cancel();
                line.ended(sent);
            }
        }
    }

    // In a thread of its own: giving up must not wait for a socket, and interrupting must not close one.
    private static void execute(okhttp3.Call sent, CompletableFuture<Response> head) {
        try {
            Response response = sent.execute();
            if (!head.complete(response)) {
                sent.cancel();
                new OkBody(sent, response, new BodyStream(ended -> {})).release();
            }
        } catch (IOException | RuntimeException e) {
            head.completeExceptionally(e);
        }
    }

    private Answer answer(Call call, long end, OkLine line, okhttp3.Call sent, Response response) {
        BodyStream body = new BodyStream(ended -> {
            line.ended(sent);
            arriving.remove(ended);
        });
        if (!call.streaming()) {
            body.endWhen(() -> end - System.nanoTime(), () -> lines.retire(line));
        }
        arriving.add(body);
        body.start(new OkBody(sent, response, body));
        if (closed) {
            body.close(CLOSED);
        }
        return new Answer(response.code(), Optional.ofNullable(Attempt.retryAfter(response)), body);
    }

    private Request request(Call call, Attempt attempt, Identity who) {
        Request.Builder request = new Request.Builder().url(lines.server() + call.path()).tag(Attempt.class, attempt);
        call.headers().forEach(request::header);
        lines.prepare(request, call, who);
        MediaType type = Optional.ofNullable(call.headers().get("Content-Type")).map(MediaType::get).orElse(null);
        request.method(call.method(), call.body().map(bytes -> RequestBody.create(bytes, type)).orElse(null));
        return request.build();
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
        return "OfficialTransport[" + lines.server() + "]";
    }
}
