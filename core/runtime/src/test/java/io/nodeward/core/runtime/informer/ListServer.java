package io.nodeward.core.runtime.informer;

import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.InputStream;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A server without WatchList: it answers with the lists that a test gives it, and its watches are silent. */
final class ListServer implements Transport {
    private final Queue<HeldBody> next = new ConcurrentLinkedQueue<>();
    private final Queue<HeldBody> all = new ConcurrentLinkedQueue<>();
    private volatile String then = list(1);

    static String list(int version, String... names) {
        StringBuilder items = new StringBuilder();
        for (String name : names) {
            items.append(items.isEmpty() ? "" : ",")
                    .append("{'metadata':{'resourceVersion':'" + version + "','name':'" + name + "'}}");
        }
        return "{'metadata':{'resourceVersion':'" + version + "'},'items':[" + items + "]}";
    }

    /** The answer once there is no {@link #next} one. */
    void lists(String list) {
        then = list;
    }

    void next(HeldBody body) {
        all.add(body);
        next.add(body);
    }

    /** The next list. No close cuts it short. */
    HeldBody held(String list) {
        HeldBody body = new HeldBody(list);
        next(body);
        return body;
    }

    /** The next list never comes: its reader waits until somebody closes it. */
    HeldBody heldUntilClosed() {
        HeldBody body = silence();
        next(body);
        return body;
    }

    /** Everything comes to its end. */
    void release() {
        all.forEach(HeldBody::release);
    }

    private HeldBody silence() {
        HeldBody body = new HeldBody("") {
            @Override
            public void close() {
                release();
            }
        };
        all.add(body);
        return body;
    }

    @Override
    public Response exchange(Request call) {
        if (call.path().contains("sendInitialEvents=true")) {
            return new Response(400, Optional.empty(), InputStream.nullInputStream());
        }
        HeldBody body = call.path().contains("watch=true") ? silence() : next.poll();
        if (body == null) {
            body = new HeldBody(then);
            body.release();
        }
        return new Response(200, Optional.empty(), body);
    }

    @Override
    public void close() {}
}
