package io.nodeward.e2e.bench;

import java.util.function.Consumer;

/** One kind of work that contenders are given in turn. A new one is one class and one line in {@code Scenarios}. */
public interface Scenario {
    /** As the command line and the report name it. */
    String name();

    /**
     * Runs every contender {@code pairs} times, alternating.
     *
     * @param samples takes each as soon as it is there, so that a run which is stopped keeps what it has
     */
    void run(int pairs, Consumer<Sample> samples);
}
