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
final class WatchConnection implements AutoCloseable {
    private static final String QUERY = "?watch=true&allowWatchBookmarks=true&timeoutSeconds=43200"
            + "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";

    private final HttpsURLConnection connection;

    private WatchConnection(HttpsURLConnection connection) {
        this.connection = connection;
    }

    /** Nothing is sent yet. */
    static WatchConnection to(Kubeconfig kubeconfig, String collection) throws IOException {
        URI uri = URI.create(kubeconfig.server() + collection + QUERY);
        HttpsURLConnection connection = (HttpsURLConnection) uri.toURL().openConnection();
        connection.setSSLSocketFactory(TlsContext.of(kubeconfig).getSocketFactory());
        connection.setRequestProperty("Accept", "application/json");
        return new WatchConnection(connection);
    }

    /** Events that begin with what is there, one JSON object in each line. */
    InputStream events() throws IOException {
        return connection.getInputStream();
    }

    @Override
    public void close() {
        connection.disconnect();
    }
}
