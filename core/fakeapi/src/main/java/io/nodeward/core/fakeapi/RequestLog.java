package io.nodeward.core.fakeapi;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** What was asked and answered, and what is to go wrong next. */
final class RequestLog {
    private static final int KEPT = 200_000;

    private record Planned(Predicate<Request> which, Fault fault, int left) {}

    private final Deque<Request> requests = new ArrayDeque<>();
    private final List<Planned> faults = new ArrayList<>();
    private final List<Consumer<Request>> listeners = new CopyOnWriteArrayList<>();
    private final Set<Exchange> writing = new HashSet<>();

    /** What it writes may be seen before it is noted: from now on, who asks for what is noted waits for it. */
    synchronized void begin(Exchange exchange) {
        writing.add(exchange);
    }

    /** It is noted, or will never be. */
    synchronized void end(Exchange exchange) {
        if (writing.remove(exchange)) {
            notifyAll();
        }
    }

    void add(Exchange exchange, Request request) {
        synchronized (this) {
            if (requests.size() == KEPT) {
                requests.removeFirst();
            }
            requests.addLast(request);
            end(exchange);
        }
        listeners.forEach(listener -> listener.accept(request));
    }

    private synchronized void awaitNoted() {
        Set<Exchange> before = Set.copyOf(writing);
        try {
            while (!Collections.disjoint(writing, before)) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void listen(Consumer<Request> listener) {
        listeners.add(listener);
    }

    synchronized List<Request> requests() {
        awaitNoted();
        return List.copyOf(requests);
    }

    synchronized void clear() {
        awaitNoted();
        requests.clear();
    }

    synchronized void plan(int times, Predicate<Request> which, Fault fault) {
        faults.add(new Planned(which, fault, times));
    }

    synchronized void clearFaults() {
        faults.clear();
    }

    /** The fault planned first that fits; it is then used up by one. */
    synchronized Optional<Fault> fault(Request request) {
        for (int i = 0; i < faults.size(); i++) {
            Planned planned = faults.get(i);
            if (planned.which().test(request)) {
                if (planned.left() == 1) {
                    faults.remove(i);
                } else {
                    faults.set(i, new Planned(planned.which(), planned.fault(), planned.left() - 1));
                }
                return Optional.of(planned.fault());
            }
        }
        return Optional.empty();
    }
}
