package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.contender.Contender;
import io.nodeward.e2e.bench.contender.Running;

/** Something that happens while a controller runs, is warm and has nothing else to do. */
abstract class Part {
    final Setup setup;
    private final String name;

    Part(String name, Setup setup) {
        this.name = name;
        this.setup = setup;
    }

    final String name() {
        return name;
    }

    final int size() {
        return setup.bed().size();
    }

    /** What comes before that which counts. */
    void prepare() {}

    /** One measured; returns how many Nodes had to be written for it. */
    abstract int measure(Contender contender, Running running, Figures figures);
}
