package io.nodeward.e2e.clusters;

import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.backend.UsedBackend;
import io.nodeward.e2e.machine.Canary;
import io.nodeward.e2e.machine.MachineCanary;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** A test class with a namespace and a controller in a hurry, which runs from its first test to its last. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class InRunningController {
    static final String A = "example.com/a:NoSchedule";
    static final String B = "example.com/b:NoSchedule";
    /** A workload cluster is asked often, and what is blocked says so soon. */
    static final List<String> HURRY = List.of("--cluster-probe-period=1s", "--blocked-after=3s");

    /** A Cluster that is always well. */
    static final String CANARY = "canary";

    final MachineSuite suite;
    final Tenants tenants;
    final Conditions conditions;
    private final List<String> arguments;
    private final Canary canary;
    private RunningNodeward nodeward;
    private int later;

    /** @param arguments of {@code nodeward controller}; the last of a name counts */
    InRunningController(String namespace, String... arguments) {
        this.suite = MachineSuite.in(namespace + "-" + UsedBackend.name());
        this.tenants = new Tenants(suite);
        this.conditions = new Conditions(suite);
        suite.cluster(CANARY);
        this.canary = MachineCanary.in(suite, CANARY);
        suite.add(canary);
        this.arguments = new ArrayList<>(HURRY);
        for (String argument : arguments) {
            this.arguments.removeIf(other -> name(other).equals(name(argument)));
            this.arguments.add(argument);
        }
    }

    private static String name(String argument) {
        return argument.split("=")[0];
    }

    @BeforeAll
    void startController() {
        nodeward = suite.start(arguments.toArray(String[]::new));
        canary.awaitSeen(); // so that it does not count when a test counts clusters
    }

    @AfterAll
    void stopController() {
        nodeward.close();
        tenants.close();
        suite.close();
    }

    /** The same controller once more: another one with an empty memory. */
    void restart() {
        nodeward.close();
        startController();
    }

    void stop() {
        nodeward.close();
    }

    /** Clusters are looked at in the order in which they change: what comes before this one has been seen. */
    void awaitLaterOneConnected() {
        Tenant witness = tenants.connected("later-" + ++later);
        witness.pair(1, A);
        awaitTaints(witness.node(1), A);
    }

    /** Waits until these are the taints of the Node. */
    void awaitTaints(String node, String... taints) {
        suite.awaitTaints(node, taints);
    }

    /** The value of one of the controller's gauges. */
    double gauge(String name) {
        return nodeward.metric(name + " ");
    }

    void awaitGauge(String name, double value) {
        await(name + " " + value).atMost(MachineSuite.PATIENCE).until(() -> gauge(name) == value);
    }
}
