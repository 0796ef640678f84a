package io.nodeward.backend.official;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.net.SocketFactory;

/** Knows each socket of a connection pool, also one that is being connected, so that all can be closed at once. */
final class TrackedSockets extends SocketFactory {
    private final SocketFactory sockets;
    private final Set<Socket> open = new HashSet<>();
    private boolean closed;

    TrackedSockets(SocketFactory sockets) {
        this.sockets = sockets;
    }

    @Override
    public Socket createSocket() throws IOException {
        Socket socket = sockets.createSocket();
        synchronized (this) {
            open.removeIf(Socket::isClosed);
            if (closed) {
                socket.close();
                throw new SocketException("the connection pool was closed");
            }
            open.add(socket);
        }
        return socket;
    }

    void closeAll() {
        List<Socket> all;
        synchronized (this) {
            closed = true;
            all = new ArrayList<>(open);
            open.clear();
        }
        for (Socket socket : all) {
            try {
                socket.close();
            } catch (IOException e) {
                // closed is what it was to be
            }
        }
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException("OkHttp connects sockets itself");
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        return createSocket(host, port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        return createSocket(host.getHostName(), port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) {
        return createSocket(host, port);
    }
}
