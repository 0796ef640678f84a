package io.nodeward.controller.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.fakeapi.Fault;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is declared comes to be, whatever was done meanwhile and however often. */
class RepairsTest extends MachineFixture {
    @Test
    void what_somebody_takes_off_is_put_back_each_time() throws Exception {
        machineWithNode("m", "a=1:NoSchedule");
        startConverged();
        for (int time = 0; time < 3; time++) {
            workload.mergePatch("nodes", "", "m", json("{'spec':{'taints':null}}"));
            awaitTaints("m", "a=1:NoSchedule");
        }
        settle();
        assertThat(patches()).containsExactly(200, 200, 200);
    }

    @Test
    void what_is_declared_during_a_pause_is_carried_when_it_ends() throws Exception {
        machineWithNode("m");
        startConverged();
        pause(true);
        settle();
        declare("m", "a=1:NoSchedule");
        settle();
        assertThat(patches()).isEmpty();

        pause(false);
        awaitTaints("m", "a=1:NoSchedule");
    }

    private void pause(boolean paused) {
        management.mergePatch("clusters", NAMESPACE, "c", json("{'spec':{'paused':" + paused + "}}"));
    }

    @Test
    void in_an_old_version_a_taint_goes_when_discovery_has_said_twice_that_there_is_no_newer_one() throws Exception {
        serveOldVersionAlone();
        machineWithNode("m", "a=1:NoSchedule", "b=1:NoSchedule");
        startConverged();
        declare("m", "b=1:NoSchedule", "c=1:NoSchedule");
        awaitTaints("m", "a=1:NoSchedule", "b=1:NoSchedule", "c=1:NoSchedule");
        settle();
        assertThat(tracked("m")).isEqualTo("a:NoSchedule,b:NoSchedule,c:NoSchedule");

        quiet.passUntil(() -> taintsOf("m").size() == 2);
        awaitTaints("m", "b=1:NoSchedule", "c=1:NoSchedule");
        assertThat(tracked("m")).isEqualTo("b:NoSchedule,c:NoSchedule");
        assertThat(patches()).containsExactly(200, 200);
    }

    /** An older version, which may lack the field for taints. */
    private void serveOldVersionAlone() {
        management.fault(1_000_000, r -> r.path().equals("/apis/cluster.x-k8s.io"),
                new Fault.Answer(200, Map.of("Content-Type", "application/json"),
                        "{\"kind\":\"APIGroup\",\"versions\":[{\"version\":\"v1beta1\"}]}"));
        management.fault(1_000_000, r -> r.path().startsWith("/apis/cluster.x-k8s.io/v1beta2"),
                new Fault.Answer(404, Map.of("Content-Type", "text/plain"), "404 page not found\n"));
    }
}
