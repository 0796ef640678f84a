package io.nodeward.e2e.bench.contender;

import io.nodeward.e2e.bench.load.Testbed;
import java.util.List;
import java.util.stream.Stream;

/** Two that share the work, started one after the other. */
public record Together(Contender first, Contender second) implements Contender {
    @Override
    public String name() {
        return first.name() + "+" + second.name();
    }

    @Override
    public String version() {
        return first.version() + ", " + second.version();
    }

    @Override
    public List<String> flags() {
        return Stream.concat(first.flags().stream(), second.flags().stream()).toList();
    }

    @Override
    public Running start(Testbed bed) {
        Running running = first.start(bed);
        try {
            return running.and(second.start(bed));
        } catch (RuntimeException e) {
            running.close();
            throw e;
        }
    }
}
