package io.nodeward.core.testkit;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Stands between a client and an API server and carries their bytes, until the way between them breaks: in each way in
 * which real ones do. What is behind it stays as it is and can be reached directly.
 */
public final class Relay implements AutoCloseable {
    private static final int BACKLOG = 50;
    private static final int CHUNK = 16 * 1024;

    private final URI server;
    private final InetSocketAddress address;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    /** In their order, also those that have ended. */
    private final List<Connection> all = new CopyOnWriteArrayList<>();
    private ServerSocket listening;
    private int accepted;
    private boolean hanging;
    private boolean closed;

    private Relay(URI server, InetSocketAddress wanted) {
        this.server = server;
        this.listening = listen(wanted);
        this.address = (InetSocketAddress) listening.getLocalSocketAddress();
    }

    /** @param server URL of the API server it leads to, at once */
    public static Relay to(String server) {
        return to(server, "127.0.0.1", 0);
    }

    /** Does as {@link #to(String)}, at an address of this machine. */
    public static Relay to(String server, String address, int port) {
        Relay relay = new Relay(URI.create(server), new InetSocketAddress(address, port));
        relay.accept(relay.listening);
        return relay;
    }

    /** The URL of the server through this relay, without a path. */
    public String url() {
        return server.getScheme() + "://" + address.getHostString() + ":" + address.getPort();
    }

    /** How many connections were ever made to it. */
    public synchronized int accepted() {
        return accepted;
    }

    /**
     * Bytes that were let through so far in both directions; once it hangs or has forgotten the connection it is not one
     * more.
     *
     * @param connection from 0, in the order in which they were accepted
     */
    public synchronized long carried(int connection) {
        return all.get(connection).carried;
    }

    /** The same of all connections. */
    public synchronized long carried() {
        return all.stream().mapToLong(connection -> connection.carried).sum();
    }

    /** Likewise bytes that have come and were not let through, or not yet. */
    public synchronized long kept(int connection) {
        return all.get(connection).kept;
    }

    /** How many connections stand. */
    public int standing() {
        return connections.size();
    }

    /** From now on nobody listens, and what stood is cut. */
    public void refuse() {
        synchronized (this) {
            close(listening);
        }
        cut();
    }

    /** From now on everybody is accepted and nothing carried, also for connections that stand. */
    public synchronized void hang() {
        hanging = true;
    }

    /** All that stand are carried no more and never will be, and the client is not told; new ones are carried. */
    public synchronized void forget() {
        connections.forEach(Connection::forget);
    }

    /** Ends all that stand. */
    public void cut() {
        connections.forEach(Connection::close);
    }

    /** Carries bytes again: also those that it kept back while it hung. */
    public synchronized void resume() {
        hanging = false;
        notifyAll();
        if (listening.isClosed()) {
            listening = listen(address);
            accept(listening);
        }
    }

    @Override
    public void close() {
        refuse();
        synchronized (this) {
            closed = true;
            notifyAll();
        }
    }

    private static ServerSocket listen(InetSocketAddress address) {
        try {
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true); // connections of before may still be dying
            socket.bind(address, BACKLOG);
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on " + address, e);
        }
    }

    private void accept(ServerSocket socket) {
        Thread.ofVirtual().name("relay " + socket).start(() -> {
            try {
                while (true) {
                    take(socket.accept(), socket);
                }
            } catch (IOException e) {
                close(socket); // it is closed already: loopback does not fail by itself
            }
        });
    }

    private synchronized void take(Socket client, ServerSocket from) {
        accepted++;
        Connection connection = new Connection(client);
        all.add(connection);
        if (from.isClosed()) {
            connection.close();
        } else {
            connections.add(connection);
            Thread.ofVirtual().name("relay connection").start(connection::carry);
        }
    }

    private int port() {
        return server.getPort() >= 0 ? server.getPort() : server.getScheme().equals("https") ? 443 : 80;
    }

    /** Waits while it hangs. Returns whether bytes are to be carried at all. */
    private synchronized boolean opened() throws InterruptedException {
        while (hanging && !closed) {
            wait();
        }
        return !closed;
    }

    private static void close(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException("a socket on loopback", e);
        }
    }

    private final class Connection {
        private final Socket near;
        private final Socket far = new Socket();
        private volatile boolean forgotten;
        private long carried;
        private long kept;

        Connection(Socket near) {
            this.near = near;
        }

        void carry() {
            try {
                if (opened()) {
                    far.connect(new InetSocketAddress(server.getHost(), port()));
                    Thread.ofVirtual().name("relay request").start(() -> pump(near, far));
                    pump(far, near);
                }
            } catch (IOException e) {
                close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void pump(Socket from, Socket to) {
            try {
                byte[] bytes = new byte[CHUNK];
                for (int read = from.getInputStream().read(bytes); read >= 0;) {
                    if (letThrough(read)) {
                        to.getOutputStream().write(bytes, 0, read);
                    }
                    read = from.getInputStream().read(bytes);
                }
                ended(from);
            } catch (IOException e) {
                ended(from);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** Waits while it hangs. Returns whether these bytes go on. */
        private boolean letThrough(int bytes) throws InterruptedException {
            synchronized (Relay.this) {
                kept += bytes;
                if (!opened() || forgotten) {
                    return false;
                }
                kept -= bytes;
                carried += bytes;
                return true;
            }
        }

        private void ended(Socket from) {
            if (!forgotten || from.equals(near)) {
                close();
            }
        }

        void forget() {
            forgotten = true;
            Relay.close(far);
        }

        void close() {
            connections.remove(this);
            Relay.close(near);
            Relay.close(far);
        }
    }
}
