package io.nodeward.e2e.bench.contender;

import io.nodeward.e2e.bench.load.Testbed;
import java.util.List;

/** A controller, or several that work together, with the flags it runs with. */
public interface Contender {
    /** As the report names it. */
    String name();

    String version();

    /** Besides kubeconfig and addresses. */
    List<String> flags();

    /** Returns at once: its start is part of what is measured. */
    Running start(Testbed bed);
}
