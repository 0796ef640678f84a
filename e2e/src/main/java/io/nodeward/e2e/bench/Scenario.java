package io.nodeward.e2e.bench;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/** Work that contenders are given in turn. A new kind is one class and one line in {@code Scenarios}. */
public interface Scenario {
    /** As a failure of it is told: its names, with a plus between them. */
    String name();

    /** As the command line asks for it and as its samples are called; several where one run measures several things. */
    default List<String> names() {
        return List.of(name());
    }

    /** What is left of it when only these names are asked for; all of it if its names cannot be had one by one. */
    default Scenario only(Collection<String> wanted) {
        return this;
    }

    /**
     * Runs every contender {@code pairs} times, alternating.
     *
     * @param samples takes each as soon as it is there, so that a run which is stopped keeps what it has
     */
    void run(int pairs, Consumer<Sample> samples);
}
