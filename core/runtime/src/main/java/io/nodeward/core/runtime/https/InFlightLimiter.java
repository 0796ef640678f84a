package io.nodeward.core.runtime.https;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
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
    /** The age up to which the start of an honest request comes, and others pass it. */
    private static final Duration LATE = Duration.ofMillis(500);
    /** The account with the most is first, and of its requests the oldest that has not come whole, else the largest. */
    private final Comparator<Request> losers = Comparator
            .<Request>comparingLong(request -> -bodiesOf(request.account))
            .thenComparing(request -> request.state)
            .thenComparingLong(request -> request.state == State.WAITING ? -request.held() : 0);

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

    /**
     * Adds a request whose headers have come. If too many have not sent the start of their bodies, the oldest loses its connection.
     *
     * @param cut ends the connection; may not block
     */
    Request begin(Runnable cut) {
        lock.lock();
        try {
            Request request = new Request(cut);
            queue.add(request);
            if (all(State.STARTING).count() > limits.waiting()) {
                all(State.STARTING).findFirst().filter(Request::isLate).ifPresent(Request::lose);
            }
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

    private long bodiesOf(String account) {
        return bodies.held(account);
    }

    private void makeRoom() {
        Optional<Request> loser = loser();
        while (loser.isPresent()) {
            loser.get().lose();
            loser = loser();
            if (loser.isEmpty()) {
                giveTurns(); // what has gone may have been next
            }
        }
    }

    private Optional<Request> loser() {
        return bodies.isExceeded() ? queue.stream().filter(request -> request.state != State.STARTING).min(losers)
                : Optional.empty();
    }

    private void giveTurns() {
        for (Optional<Request> next = next(); next.isPresent(); next = next()) {
            next.get().enter();
        }
    }

    /**
     * Returns the request that has the next turn, if there is one. It is of an account with the fewest. One whose body is large is passed by
     * others for a while, and then by none, or it would wait for ever.
     */
    private Optional<Request> next() {
        long fewest = all(State.WAITING).mapToLong(request -> turns.held(request.account)).min().orElse(0);
        return all(State.WAITING).filter(request -> turns.held(request.account) == fewest)
                .filter(request -> request.isLate() || turns.admits(request.account, request.turn())).findFirst()
                .filter(request -> turns.admits(request.account, request.turn()));
    }

    private enum State {
        /** The start of its body has not come: whose it is is not known, and it takes no room. */
        STARTING,
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
        private String account = "";
        private State state = State.STARTING;
        private final long began = System.nanoTime();
        private byte[] start = new byte[0];
        private volatile int length;

        private Request(Runnable cut) {
            this.cut = cut;
        }

        /** Returns the time since its headers came. */
        Duration age() {
            return Duration.ofNanos(System.nanoTime() - began);
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
                if (state == State.STARTING) {
                    grow(part, size);
                } else if (state == State.INCOMING) {
                    bodies.add(account, -held());
                    grow(part, size);
                    bodies.add(account, held());
                    makeRoom();
                }
                return state == State.STARTING || state == State.INCOMING;
            } finally {
                lock.unlock();
            }
        }

        private void grow(byte[] part, int size) {
            content.write(part, 0, size);
            length += size;
        }

        /** Says whose share the request takes, once its start has come. */
        void belongsTo(String known) {
            lock.lock();
            try {
                if (state == State.STARTING) {
                    account = known;
                    state = State.INCOMING;
                    bodies.add(account, held());
                    makeRoom();
                }
            } finally {
                lock.unlock();
            }
        }

        /** Waits for a turn until the request is too old; false if there was none, or the request had to make room. Its body has come. */
        boolean awaitTurn() {
            lock.lock();
            try {
                if (state == State.INCOMING) {
                    state = State.WAITING;
                    giveTurns();
                }
                long left = limits.patience().minus(age()).toNanos();
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
            leaveQueue(State.ANSWERED);
            turns.add(account, turn());
            changed.signal();
        }

        private boolean isLate() {
            return age().compareTo(LATE) > 0;
        }

        /** Keeps the start, by which the request is refused. One that has not sent its start may never do so. */
        private void lose() {
            start = start();
            boolean isCut = state == State.STARTING;
            leaveQueue(State.OVER);
            content = new ByteArrayOutputStream(0);
            changed.signal();
            if (isCut) {
                cut.run();
            }
        }

        private void leaveQueue(State next) {
            queue.remove(this);
            if (state != State.STARTING) {
                bodies.add(account, -held());
            }
            state = next;
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

        /** Returns the body of a request that has its turn, once. */
        byte[] content() {
            byte[] all = content.toByteArray();
            content = new ByteArrayOutputStream(0);
            return all;
        }

        /** Gives back what the request takes. */
        @Override
        public void close() {
            lock.lock();
            try {
                if (state == State.ANSWERED) {
                    turns.add(account, -turn());
                    giveTurns();
                    state = State.OVER;
                } else if (state != State.OVER) {
                    leaveQueue(State.OVER);
                }
                content = new ByteArrayOutputStream(0); // the caller may take its time with the answer
            } finally {
                lock.unlock();
            }
        }
    }
}
