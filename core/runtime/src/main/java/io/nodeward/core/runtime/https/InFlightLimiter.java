package io.nodeward.core.runtime.https;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Limits the bodies that a server holds and the requests that it answers at once, and shares both fairly among accounts. Where there
 * is no room, the account that holds the most loses a request. The next turn is for the account that has the fewest.
 */
public final class InFlightLimiter {
    /** The account of requests whose start has not come. No namespace has this name. */
    private static final String UNKNOWN = "?";

    private final Limits limits;
    private final Lock lock = new ReentrantLock();
    /** Requests that come in or wait for a turn, the oldest first. */
    private final Set<Request> queue = new LinkedHashSet<>();
    private final FairShares bodies;
    private final FairShares turns;

    public InFlightLimiter(Limits limits) {
        this.limits = limits;
        this.bodies = new FairShares(limits.incomingBytes());
        this.turns = new FairShares(limits.bytesAtOnce());
    }

    Limits limits() {
        return limits;
    }

    /** @param cut ends the connection of a request whose account is not known, to make room; may not block */
    Request begin(Runnable cut) {
        lock.lock();
        try {
            Request request = new Request(cut);
            queue.add(request);
            bodies.add(request.account, request.held());
            makeRoom();
            return request;
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many requests wait for a turn. */
    int waiting() {
        lock.lock();
        try {
            return (int) all(State.WAITING).count();
        } finally {
            lock.unlock();
        }
    }

    private Stream<Request> all(State state) {
        return queue.stream().filter(request -> request.state == state);
    }

    private void makeRoom() {
        while (bodies.isExceeded()) {
            String account = bodies.largest();
            all(State.INCOMING).filter(request -> request.account.equals(account)).findFirst()
                    .or(() -> all(State.WAITING).filter(request -> request.account.equals(account))
                            .max(Comparator.comparing(Request::held)))
                    .orElseThrow().lose();
        }
    }

    /** Lets no request go before that of the account with the fewest turns, or a large body would wait for ever behind small ones. */
    private void giveTurns() {
        Optional<Request> next = next();
        while (next.isPresent() && turns.admits(next.get().account, next.get().turn())) {
            next.get().enter();
            next = next();
        }
    }

    private Optional<Request> next() {
        return all(State.WAITING).min(Comparator.comparing(request -> turns.held(request.account)));
    }

    private enum State {
        /** Its body is being read. */
        INCOMING,
        WAITING,
        ANSWERED,
        /** It had to make room, or its caller has its answer. */
        OVER
    }

    /** One request from its headers to its answer. */
    final class Request implements AutoCloseable {
        /** The bytes of a body in which API servers say what it is about. */
        static final int START = 8192;

        private final Runnable cut;
        private final Condition changed = lock.newCondition();
        private ByteArrayOutputStream content = new ByteArrayOutputStream();
        private String account = UNKNOWN;
        private State state = State.INCOMING;
        private byte[] start = new byte[0];
        private volatile int length;

        private Request(Runnable cut) {
            this.cut = cut;
        }

        /** Returns the number of bytes that have come. */
        int length() {
            return length;
        }

        /** An empty body takes room too: its connection has buffers. */
        private long held() {
            return Math.max(length, limits.incomingBytes() / limits.waiting());
        }

        private long turn() {
            return Math.max(length, limits.bytesAtOnce() / limits.atOnce());
        }

        /** Adds a part of the body; false if the request had to make room for others. */
        boolean add(byte[] part, int size) {
            lock.lock();
            try {
                if (state == State.INCOMING) {
                    bodies.add(account, -held());
                    content.write(part, 0, size);
                    length += size;
                    bodies.add(account, held());
                    makeRoom();
                }
                return state == State.INCOMING;
            } finally {
                lock.unlock();
            }
        }

        /** Says whose share the request takes. */
        void belongsTo(String known) {
            lock.lock();
            try {
                if (state == State.INCOMING) {
                    bodies.add(account, -held());
                    account = known;
                    bodies.add(account, held());
                }
            } finally {
                lock.unlock();
            }
        }

        /** Waits until the request may be answered; false if it had to make room, or waits too long. Its whole body has come. */
        boolean awaitTurn() {
            lock.lock();
            try {
                if (state == State.INCOMING) {
                    state = State.WAITING;
                    giveTurns();
                }
                long left = limits.patience().toNanos();
                while (state == State.WAITING && left > 0) {
                    left = changed.awaitNanos(left);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                if (state == State.WAITING) {
                    lose();
                    giveTurns(); // the others may fit
                }
                lock.unlock();
            }
            return state == State.ANSWERED; // which no other thread changes
        }

        private void enter() {
            state = State.ANSWERED;
            leaveQueue();
            turns.add(account, turn());
            changed.signal();
        }

        /** Keeps the start, by which the request is refused. One whose account is not known may never send more. */
        private void lose() {
            start = start();
            boolean isCut = state == State.INCOMING && account.equals(UNKNOWN);
            state = State.OVER;
            leaveQueue();
            content = new ByteArrayOutputStream(0);
            changed.signal();
            if (isCut) {
                cut.run();
            }
        }

        private void leaveQueue() {
            queue.remove(this);
            bodies.add(account, -held());
        }

        /** Returns the first bytes, {@link #START} at most; also of a request that had to make room. */
        byte[] start() {
            lock.lock();
            try {
                byte[] all = state == State.OVER ? start : content.toByteArray();
                return Arrays.copyOf(all, Math.min(all.length, START));
            } finally {
                lock.unlock();
            }
        }

        /** Returns the body of a request that has its turn. */
        byte[] content() {
            return content.toByteArray();
        }

        /** Gives back what the request takes. */
        @Override
        public void close() {
            lock.lock();
            try {
                if (state == State.ANSWERED) {
                    turns.add(account, -turn());
                    giveTurns();
                } else if (state != State.OVER) {
                    leaveQueue();
                }
                state = State.OVER;
            } finally {
                lock.unlock();
            }
        }
    }
}
