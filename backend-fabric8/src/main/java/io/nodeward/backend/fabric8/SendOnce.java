package io.nodeward.backend.fabric8;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** An interceptor of a client's owner, which may learn from a failure for the next call, and not send this one again. */
record SendOnce(Interceptor theirs) implements Interceptor {
    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        theirs.before(builder, request, tags);
    }

    @Override
    public void after(HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        theirs.after(request, response, consumer);
    }

    @Override
    public AsyncBody.Consumer<List<ByteBuffer>> consumer(
            AsyncBody.Consumer<List<ByteBuffer>> consumer, HttpRequest request) {
        return theirs.consumer(consumer, request);
    }

    @Override
    public CompletableFuture<Boolean> afterFailure(BasicBuilder builder, HttpResponse<?> response, RequestTags tags) {
        return theirs.afterFailure(builder, response, tags).thenApply(again -> false);
    }

    @Override
    public CompletableFuture<Boolean> afterFailure(
            HttpRequest.Builder builder, HttpResponse<?> response, RequestTags tags) {
        return theirs.afterFailure(builder, response, tags).thenApply(again -> false);
    }

    @Override
    public void afterConnectionFailure(HttpRequest request, Throwable failure) {
        theirs.afterConnectionFailure(request, failure);
    }
}
