package io.nodeward.e2e.dedicated;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Leads each connection to one of the replicas, in turn, as kube-proxy does. A connection that stands stays with its replica. */
final class ServiceProxy implements AutoCloseable {
    private final ServerSocket listening;
    private final List<Integer> replicas;
    private final AtomicInteger accepted = new AtomicInteger();

    /** @param replicas their ports on this machine */
    ServiceProxy(List<Integer> replicas) {
        this.replicas = new CopyOnWriteArrayList<>(replicas);
        try {
            this.listening = new ServerSocket(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("service proxy").start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** Returns how many connections were ever made. */
    int accepted() {
        return accepted.get();
    }

    /** Leads no new connection to the replica. */
    void remove(int replica) {
        replicas.remove((Integer) replica);
    }

    private void accept() {
        try {
            while (true) {
                Socket near = listening.accept();
                int replica = replicas.get(accepted.getAndIncrement() % replicas.size());
                Thread.ofVirtual().name("service connection").start(() -> carry(near, replica));
            }
        } catch (IOException e) {
            close(listening); // it is closed already: loopback does not fail by itself
        }
    }

    private static void carry(Socket near, int replica) {
        try {
            Socket far = new Socket(InetAddress.getLoopbackAddress(), replica);
            Thread.ofVirtual().name("service request").start(() -> pump(near, far));
            pump(far, near);
        } catch (IOException e) { // as of a replica that is gone
            close(near);
        }
    }

    private static void pump(Socket from, Socket to) {
        try (from; to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            close(to); // the other direction ends, too
        }
    }

    private static void close(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException("a socket on loopback", e);
        }
    }

    @Override
    public void close() {
        close(listening);
    }
}
