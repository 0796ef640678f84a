package io.nodeward.core.runtime.https;

import java.io.ByteArrayOutputStream;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The bodies that are being read or that wait for their turn. A caller that sends its body slowly, or only a part of it, delays
 * no other: for one more body than may come in, and for more bytes than there is room for, the oldest that has not come whole loses
 * its connection.
 */
final class IncomingBodies {
    private final int most;
    private final int room;
    private final Set<Body> bodies = new LinkedHashSet<>();
    private long bytes;

    IncomingBodies(int most, int room) {
        this.most = most;
        this.room = room;
    }

    /** @param cut ends the connection of this one for another; may not block */
    synchronized Body begin(Runnable cut) {
        Body body = new Body(cut);
        bodies.add(body);
        List<Body> coming = bodies.stream().filter(one -> !one.complete).toList();
        if (coming.size() > most) {
            letGo(coming.getFirst());
            coming.getFirst().cut.run();
        }
        return body;
    }

    private void makeRoom(Body grown) {
        while (bytes > room) {
            Optional<Body> slow = bodies.stream().filter(body -> body != grown && !body.complete).findFirst();
            if (slow.isPresent()) {
                letGo(slow.get());
                slow.get().cut.run();
            } else { // one that asks or waits for its turn gets an answer
                letGo(bodies.stream().max(Comparator.comparing(body -> body.length)).orElseThrow());
            }
        }
    }

    private boolean letGo(Body body) {
        boolean there = bodies.remove(body);
        if (there) {
            bytes -= body.length;
            body.content = new ByteArrayOutputStream(0);
        }
        return there;
    }

    /** One of them, until it is taken, let go or closed. */
    final class Body implements AutoCloseable {
        private final Runnable cut;
        private ByteArrayOutputStream content = new ByteArrayOutputStream();
        private int length;
        private boolean complete;

        private Body(Runnable cut) {
            this.cut = cut;
        }

        /** Of what has come. */
        int length() {
            synchronized (IncomingBodies.this) {
                return length;
            }
        }

        /** Adds a part; false if there is no room for it, or the body has been let go. */
        boolean add(byte[] part, int size) {
            synchronized (IncomingBodies.this) {
                if (!bodies.contains(this)) {
                    return false;
                }
                content.write(part, 0, size);
                length += size;
                bytes += size;
                makeRoom(this);
                return bodies.contains(this);
            }
        }

        /** All of it has come: it keeps its connection, whatever comes after it. */
        void complete() {
            synchronized (IncomingBodies.this) {
                complete = true;
            }
        }

        /** What has come, which counts no longer here; empty if it has been let go. */
        Optional<byte[]> take() {
            synchronized (IncomingBodies.this) {
                byte[] all = content.toByteArray();
                return letGo(this) ? Optional.of(all) : Optional.empty();
            }
        }

        @Override
        public void close() {
            synchronized (IncomingBodies.this) {
                letGo(this);
            }
        }
    }
}
