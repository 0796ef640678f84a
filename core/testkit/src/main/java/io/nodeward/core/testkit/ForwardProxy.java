package io.nodeward.core.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** An HTTP proxy on loopback: tunnels for CONNECT, else one request per connection, asked for by its whole URL. */
final class ForwardProxy implements AutoCloseable {
    /** Where a host and port lead: names that nobody else can resolve lead to loopback. */
    private static final String OWN_NAMES = ".contract.test";

    private final ServerSocket listener;
    private final int target;
    private final String refusal;
    private final List<String> heads = new CopyOnWriteArrayList<>();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    /** @param target port on loopback behind every name below {@code contract.test} */
    ForwardProxy(int target) throws IOException {
        this(target, "");
    }

    private ForwardProxy(int target, String refusal) throws IOException {
        this.target = target;
        this.refusal = refusal;
        this.listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("proxy").start(this::accept);
    }

    /** Answers every request so. */
    static ForwardProxy refusing(String status) throws IOException {
        return new ForwardProxy(0, "HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n");
    }

    String url() {
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    /** What it was asked, heads with all their lines. */
    List<String> heads() {
        return heads;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                sockets.add(client);
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket client) {
        try (client; InputStream in = client.getInputStream(); OutputStream out = client.getOutputStream()) {
            String head = head(in);
            heads.add(head);
            if (!refusal.isEmpty()) {
                out.write(bytes(refusal));
                return;
            }
            String[] first = head.split(" ", 3);
            boolean tunnel = first[0].equals("CONNECT");
            URI url = URI.create(tunnel ? "http://" + first[1] : first[1]);
            try (Socket server = connection(url)) {
                sockets.add(server);
                if (tunnel) {
                    out.write(bytes("HTTP/1.1 200 Connection established\r\n\r\n"));
                } else {
                    server.getOutputStream().write(bytes(forwarded(head, url)));
                }
                Thread.ofVirtual().start(() -> copy(client, server));
                if (!tunnel) {
                    out.write(bytes(closing(head(server.getInputStream()))));
                }
                copy(server, client);
            }
        } catch (IOException e) {
            // one of the three is gone
        }
    }

    private Socket connection(URI url) throws IOException {
        boolean own = url.getHost().endsWith(OWN_NAMES);
        return new Socket(own ? "127.0.0.1" : url.getHost(), own ? target : url.getPort());
    }

    private static String forwarded(String head, URI url) {
        String path = url.getRawPath() + (url.getRawQuery() == null ? "" : "?" + url.getRawQuery());
        return closing(head.replaceFirst(" \\S+ ", " " + path.replace("$", "\\$") + " "));
    }

    /** The same head, which says that its connection ends with it. */
    private static String closing(String head) {
        return head.replaceAll("(?i)\r\n(proxy-)?connection: [^\r]*", "")
                .replaceFirst("\r\n\r\n$", "\r\nConnection: close\r\n\r\n");
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("closed before a request");
            }
            head.write(b);
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException e) {
            // closed by the other direction
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
