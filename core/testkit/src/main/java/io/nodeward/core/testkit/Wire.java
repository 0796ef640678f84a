package io.nodeward.core.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A TCP line to a server that can be watched and can go dead. */
final class Wire implements AutoCloseable {
    private static final Pattern SERVER = Pattern.compile("(server\"?:\\s*[\"']?)(https?://[^\\s\"',}]+)");

    private final ServerSocket listener;
    private final URI server;
    private final String kubeconfig;
    private final List<Connection> connections = new CopyOnWriteArrayList<>();
    private final AtomicLong received = new AtomicLong();

    /** To the server of {@code kubeconfig}. */
    Wire(String kubeconfig) throws IOException {
        Matcher found = SERVER.matcher(kubeconfig);
        if (!found.find()) {
            throw new IllegalArgumentException("a kubeconfig without a server");
        }
        this.server = URI.create(found.group(2));
        this.listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        String path = server.getPath() == null ? "" : server.getPath();
        // By the same name: a certificate must still fit.
        this.kubeconfig = found.replaceFirst(
                found.group(1) + server.getScheme() + "://" + server.getHost() + ":" + listener.getLocalPort() + path);
        Thread.ofVirtual().name("wire").start(this::accept);
    }

    /** The same access, over this wire. */
    String kubeconfig() {
        return kubeconfig;
    }

    /** Connections that neither end has closed. */
    long open() {
        return connections.stream().filter(c -> !c.client.isClosed()).count();
    }

    /** Bytes that came from the server. */
    long received() {
        return received.get();
    }

    /** Closes all that is connected now; new connections work. */
    void cut() throws IOException {
        for (Connection connection : connections) {
            connection.close();
        }
    }

    /** All that is connected now goes silent and stays connected; new connections work. */
    void goDead() {
        connections.forEach(c -> c.dead = true);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                int port = server.getPort() < 0 ? server.getScheme().equals("https") ? 443 : 80 : server.getPort();
                Connection connection = new Connection(client, new Socket(server.getHost(), port));
                connections.add(connection);
                connection.start();
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private final class Connection implements AutoCloseable {
        private final Socket client;
        private final Socket target;
        private volatile boolean dead;

        Connection(Socket client, Socket target) {
            this.client = client;
            this.target = target;
        }

        void start() {
            Thread.ofVirtual().start(() -> forward(client, target, new AtomicLong()));
            Thread.ofVirtual().start(() -> forward(target, client, received));
        }

        private void forward(Socket from, Socket to, AtomicLong count) {
            try (InputStream in = from.getInputStream();
                    OutputStream out = to.getOutputStream()) {
                byte[] bytes = new byte[16 * 1024];
                for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                    count.addAndGet(read);
                    if (!dead) {
                        out.write(bytes, 0, read);
                        out.flush();
                    }
                }
            } catch (IOException e) {
                // one end closed; closing the streams closes the other
            }
        }

        @Override
        public void close() throws IOException {
            client.close();
            target.close();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Connection connection : connections) {
            connection.close();
        }
    }
}
