package io.nodeward.controller.topology;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** From Nodeward to Cluster API's manager, which applies MachineSets and Machines once it is there. */
class HandingOverTest extends TopologyFixture {
    private static final String A = "a=1:NoSchedule";

    private final Logger logger = (Logger) LoggerFactory.getLogger(TopologyCleanUp.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger.setLevel(Level.WARN);
        logger.addAppender(log);
    }

    @AfterEach
    void listenNoMore() {
        logger.detachAppender(log);
        logger.setLevel(null);
    }

    private List<String> warnings() {
        return List.copyOf(log.list).stream().filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage).toList();
    }

    private void propagatedWithoutManager() throws InterruptedException {
        objects.plainCluster();
        objects.deployment("d", 1, 0);
        objects.declare("machinedeployments", "d", A);
        start();
        awaitTaints("machinesets", "d-0", A);
        settle();
        stop();
    }

    private void off() {
        topologies = false;
        pools = false;
    }

    @Test
    void shares_left_behind_where_cluster_api_carries_are_warned_of_once() throws Exception {
        propagatedWithoutManager();
        off();
        startSettled();
        stop();
        assertThat(warnings()).as("nobody else carries").isEmpty();

        objects.apply("machinesets", "d-0", "capi-machinedeployment", A);
        start();
        passUntil(() -> warnings().size() == 1);
        assertThat(warnings().getFirst()).startsWith("MachineSet fleet/d-0, and maybe others: Cluster API carries");
        settle();
        assertThat(warnings()).hasSize(1);
        objects.apply("machinesets", "d-0", "capi-machinedeployment");
        assertThat(objects.taintsOf("machinesets", "d-0")).as("what is warned of").containsExactly(A);
    }

    @Test
    void shares_left_behind_are_warned_of_in_mode_complete_too() throws Exception {
        propagatedWithoutManager();
        objects.apply("machinesets", "d-0", "capi-machinedeployment", A);
        config.mode = TopologyConfig.Mode.complete;
        start();
        passUntil(() -> warnings().size() == 1);
    }

    @Test
    void turned_on_again_it_lets_go_of_what_was_left_behind() throws Exception {
        propagatedWithoutManager();
        objects.apply("machinesets", "d-0", "capi-machinedeployment", A);
        server.clearRequests();
        start();
        passUntil(() -> !propagated().isEmpty());
        settle();
        assertThat(objects.taintsOf("machinesets", "d-0")).containsExactly(A);
        stop();

        off();
        startSettled();
        assertThat(warnings()).isEmpty();
        objects.apply("machinesets", "d-0", "capi-machinedeployment");
        assertThat(objects.taintsOf("machinesets", "d-0")).isEmpty();
    }
}
