package io.nodeward.demo;

import java.util.List;

/** Where the demo is seen. Used by one thread, but {@link #close()} by any. */
interface Display extends AutoCloseable {
    /** An edit is about to be made. */
    void before(List<Pair> fleet, List<String> text);

    /** While waiting for what comes of it. */
    void during(List<Pair> fleet);

    /** @param machine whose rows changed; empty for all */
    void after(List<Pair> fleet, List<String> text, String machine);

    /**
     * The tour is over, the fleet stays.
     *
     * @param news of the last edit; what was shown before it is the state to compare with
     */
    void live(List<Pair> fleet, List<String> help, List<String> news, boolean edited);

    /** A line was typed; what it left is to be wiped away. */
    void typed();

    @Override
    void close();
}
