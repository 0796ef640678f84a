package io.nodeward.core.rules.node;

/**
 * One state of the protocol model in 64 bits, so that millions of them fit in memory. Nodes and plans are numbers
 * that {@link ProtocolModel} gave out.
 *
 * @param server the Node on the server
 * @param owner what the owner declares now
 * @param cache the controller's copy of the Node, {@link #NONE} before the first read
 * @param plan the change the controller is about to write, {@link #NONE} if there is none
 * @param initialized whether a plan was written since the Node registered or lost its tracking annotation
 * @param owned taints that the last write since then ensured: what the controller may remove, by {@link
 *     ProtocolModel} bits
 * @param foreign whether the foreign taint that comes and goes has to be on the Node
 */
record ProtocolState(
        int server,
        int owner,
        int cache,
        int plan,
        boolean initialized,
        int owned,
        boolean foreign) {

    static final int NONE = 0;

    ProtocolState {
        if (cache > 0xffff || plan > 0xffff || server >= 1 << 20) {
            throw new IllegalStateException("more Nodes or plans than a packed state has room for");
        }
    }

    long pack() {
        long packed = server;
        packed = packed << 4 | owner;
        packed = packed << 16 | cache;
        packed = packed << 16 | plan;
        packed = packed << 4 | owned;
        packed = packed << 1 | bit(initialized);
        return packed << 1 | bit(foreign);
    }

    static ProtocolState unpack(long packed) {
        return new ProtocolState(
                (int) (packed >>> 42),
                (int) (packed >>> 38 & 0xf),
                (int) (packed >>> 22 & 0xffff),
                (int) (packed >>> 6 & 0xffff),
                (packed & 2) != 0,
                (int) (packed >>> 2 & 0xf),
                (packed & 1) != 0);
    }

    private static int bit(boolean set) {
        return set ? 1 : 0;
    }

    /** Somebody writes the server's Node. */
    ProtocolState serverChanges(int node) {
        return new ProtocolState(
                node, owner, cache, plan, initialized, owned, foreign);
    }

    ProtocolState ownerDeclares(int now) {
        return new ProtocolState(server, now, cache, plan, initialized, owned, foreign);
    }

    ProtocolState foreignIs(boolean there) {
        return new ProtocolState(server, owner, cache, plan, initialized, owned, there);
    }

    /** Another Node of that name, or one that has lost its annotation: nothing on it was put there by us. */
    ProtocolState registers() {
        return new ProtocolState(server, owner, cache, plan, false, 0, foreign);
    }

    ProtocolState written(int ensured) {
        return new ProtocolState(server, owner, cache, plan, true, ensured, foreign);
    }

    ProtocolState reads() {
        return new ProtocolState(server, owner, server, plan, initialized, owned, foreign);
    }

    ProtocolState plans(int now) {
        return new ProtocolState(
                server, owner, cache, now, initialized, owned, foreign);
    }

    ProtocolState crashes() {
        return new ProtocolState(server, owner, NONE, NONE, initialized, owned, foreign);
    }
}
