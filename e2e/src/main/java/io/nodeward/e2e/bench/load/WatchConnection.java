package io.nodeward.e2e.bench.load;

import io.nodeward.e2e.controlplane.Kubeconfig;
import io.nodeward.e2e.controlplane.TlsContext;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import javax.net.ssl.HttpsURLConnection;

/**
 * A watch on a connection of its own, read by the thread that wants it: HTTP/1.1, as every frame of HTTP/2 would wake
 * other threads, which takes CPU from those who are measured.
 */
record WatchConnection(HttpsURLConnection connection) implements AutoCloseable {
    private static final String QUERY = "?watch=true&allowWatchBookmarks=true&timeoutSeconds=43200";
    private static final String ALL = "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";

    /**
     * Nothing is sent yet.
     *
     * @param after the resourceVersion whose successors are wanted; 0 to begin with all there is
     */
    static WatchConnection to(Kubeconfig kubeconfig, String collection, long after) throws IOException {
        String from = after == 0 ? ALL : "&resourceVersion=" + after;
        URI uri = URI.create(kubeconfig.server() + collection + QUERY + from);
        HttpsURLConnection connection = (HttpsURLConnection) uri.toURL().openConnection();
        connection.setSSLSocketFactory(TlsContext.of(kubeconfig).getSocketFactory());
        connection.setRequestProperty("Accept", "application/json");
        return new WatchConnection(connection);
    }

    /** One JSON object in each line. */
    InputStream events() throws IOException {
        return connection.getInputStream();
    }

    @Override
    public void close() {
        connection.disconnect();
    }
}
