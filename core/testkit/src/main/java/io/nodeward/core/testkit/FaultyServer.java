package io.nodeward.core.testkit;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** An HTTP/1.1 server on loopback that does exactly what it is told, and remembers what it was sent. */
final class FaultyServer implements AutoCloseable {
    /** Writes the answer to one request, head and all; an IOException closes the connection there and then. */
    @FunctionalInterface
    interface Reply {
        void answer(Request request, OutputStream out) throws IOException, InterruptedException;
    }

    /** @param headers by lower-case name */
    record Request(String method, String target, Map<String, String> headers, String body) {}

    private final ServerSocket listener;
    private final Reply reply;
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();

    FaultyServer(Reply reply) throws IOException {
        this.reply = reply;
        this.listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("faulty server").start(this::accept);
    }

    /** With a bearer token. */
    String kubeconfig(String token) {
        return Kubeconfigs.of("http://127.0.0.1:" + listener.getLocalPort(), "token: " + token);
    }

    int port() {
        return listener.getLocalPort();
    }

    List<Request> requests() {
        return requests;
    }

    /** Connections that neither side has closed; one that the client closed while it was answered has ended the answer. */
    int openConnections() {
        return connections.size();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                connections.add(socket);
                Thread.ofVirtual().name("faulty connection").start(() -> serve(socket));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket socket) {
        try (socket;
                InputStream in = new BufferedInputStream(socket.getInputStream());
                OutputStream out = new BufferedOutputStream(socket.getOutputStream())) {
            for (Request request = read(in); request != null; request = read(in)) {
                requests.add(request);
                Thread goodbye = whenGone(in, Thread.currentThread());
                reply.answer(request, out);
                out.flush();
                goodbye.join();
            }
        } catch (IOException e) {
            // told to cut, cut by the client, or TLS was tried
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            connections.remove(socket);
        }
    }

    // HTTP/1.1 clients send nothing while they wait for an answer: whoever closes meanwhile has given up.
    private static Thread whenGone(InputStream in, Thread serving) {
        return Thread.ofVirtual().name("faulty goodbye").start(() -> {
            try {
                in.mark(1);
                if (in.read() >= 0) {
                    in.reset();
                    return;
                }
            } catch (IOException e) {
                // reset by the client
            }
            serving.interrupt();
        });
    }

    private static @Nullable Request read(InputStream in) throws IOException {
        String[] first = line(in).split(" ");
        if (first.length < 2) {
            return null;
        }
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            if (colon < 0) {
                throw new IOException("no HTTP");
            }
            headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
        }
        byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        return new Request(first[0], first[1], headers, new String(body, StandardCharsets.UTF_8));
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
            if (b != '\r') {
                line.write(b);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : connections) {
            socket.close();
        }
    }
}
