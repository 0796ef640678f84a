package io.nodeward.core.fakeapi;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The way of every request: planned fault, token, router. An IOException from here closes the connection. */
record Handler(Router router, RequestLog requestLog, Authorizer authorizer) implements HttpHandler {
    @Override
    public void handle(HttpExchange http) throws IOException {
        Exchange exchange = new Exchange(http, requestLog);
        switch (requestLog.fault(exchange.request()).orElse(null)) {
            case Fault.Answer answer ->
                    exchange.answer(answer.code(), answer.headers(), answer.body().getBytes(StandardCharsets.UTF_8));
            case Fault.Delay delay -> {
                pause(delay);
                serve(exchange);
            }
            case Fault.Cut cut -> {
                exchange.cutAfter(cut.bodyBytes());
                serve(exchange);
            }
            case null -> serve(exchange);
        }
        http.close();
    }

    private void serve(Exchange exchange) throws IOException {
        try {
            authorizer.require(exchange);
            if (!exchange.request().method().equals("GET")) {
                requestLog.begin(exchange);
            }
            router.serve(exchange);
        } catch (Refusal refusal) {
            exchange.refuse(refusal);
        } catch (RuntimeException bug) {
            exchange.refuse(Refusal.of(500, "InternalError", "Internal error occurred: " + bug));
        } finally {
            requestLog.end(exchange);
        }
    }

    private static void pause(Fault.Delay delay) throws IOException {
        try {
            Thread.sleep(delay.pause());
        } catch (InterruptedException e) {
            throw new IOException("the server stops", e);
        }
    }
}
