package io.nodeward.core.rules.node;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/**
 * Visits every state that can be reached with at most so many events of others, and any number of steps of the
 * controller before, between and after them. A state is visited once, at the smallest number of events that leads to
 * it.
 */
final class ProtocolExplorer {
    private final ProtocolModel model;
    private long[] states = new long[1 << 16];
    private long[] parents = new long[1 << 16];
    private int count;

    ProtocolExplorer(ProtocolModel model) {
        this.model = model;
    }

    int count() {
        return count;
    }

    /** @return what went wrong and how it came to that, one state per line; null if nothing can */
    String explore(int depth) {
        List<Long> layer = new ArrayList<>();
        model.starts().forEach(start -> enter(start.pack(), -1, layer));
        List<Long> current = layer;
        for (int events = 0;; events++) {
            List<Long> reached = new ArrayList<>();
            String wrong = closure(current, reached);
            if (wrong != null || events == depth) {
                return wrong;
            }
            List<Long> next = new ArrayList<>();
            for (long state : reached) {
                for (ProtocolState after : model.events(ProtocolState.unpack(state))) {
                    enter(after.pack(), state, next);
                }
            }
            current = next;
        }
    }

    private String closure(List<Long> from, List<Long> reached) {
        Deque<Long> open = new ArrayDeque<>(from);
        List<Long> found = new ArrayList<>(3);
        while (!open.isEmpty()) {
            long packed = open.poll();
            reached.add(packed);
            ProtocolState state = ProtocolState.unpack(packed);
            String wrong = model.wrongWhenQuiet(state);
            if (wrong != null) {
                return wrong + " once it is quiet" + trace(packed);
            }
            for (ProtocolState after : model.steps(state)) {
                wrong = model.wrongWrite(state, after);
                if (wrong != null) {
                    return wrong + trace(packed) + "\n  " + model.describe(after);
                }
                found.clear();
                enter(after.pack(), packed, found);
                open.addAll(found);
            }
        }
        return null;
    }

    private void enter(long state, long parent, List<Long> list) {
        if (count * 2 > states.length) {
            grow();
        }
        int slot = slot(state);
        if (states[slot] == 0) {
            states[slot] = state;
            parents[slot] = parent;
            count++;
            list.add(state);
        }
    }

    /** No state packs to 0: the server always has a Node, and its number is above 0. */
    private int slot(long state) {
        long mixed = state * 0x9E3779B97F4A7C15L;
        int slot = (int) (mixed >>> 32) & states.length - 1;
        while (states[slot] != 0 && states[slot] != state) {
            slot = slot + 1 & states.length - 1;
        }
        return slot;
    }

    private void grow() {
        long[] oldStates = states;
        long[] oldParents = parents;
        states = new long[oldStates.length * 2];
        parents = new long[oldStates.length * 2];
        Arrays.fill(states, 0);
        for (int i = 0; i < oldStates.length; i++) {
            if (oldStates[i] != 0) {
                int slot = slot(oldStates[i]);
                states[slot] = oldStates[i];
                parents[slot] = oldParents[i];
            }
        }
    }

    private String trace(long last) {
        List<String> lines = new ArrayList<>();
        for (long state = last; state != -1; state = parents[slot(state)]) {
            lines.add("\n  " + model.describe(ProtocolState.unpack(state)));
        }
        Collections.reverse(lines);
        return String.join("", lines);
    }
}
