package io.nodeward.autoscaler.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.core.fakeapi.Fault;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** No plan is made from what was there before an own write, however late the watch brings that back. */
class OwnWriteTest extends AdapterFixture {
    private static final String SETS = "machinesets";

    @Test
    void what_was_written_is_known_where_no_watch_brings_it_back() throws Exception {
        pause(true);
        group(DEPLOYMENTS, "g", "a=1:NoSchedule");
        group(SETS, "seen", "a=1:NoSchedule");
        start();
        await().atMost(Duration.ofSeconds(30)).until(() -> gauge("nodeward.autoscaler.groups") == 2);
        management.fault(1_000_000, r -> r.path().endsWith(DEPLOYMENTS) && r.query().contains("watch=true"),
                Fault.status(503, "ServiceUnavailable", "down"));
        management.dropWatches();
        quiet.leaveOut(DEPLOYMENTS);
        pause(false);
        awaitText(DEPLOYMENTS, "g", "a=1:NoSchedule");
        awaitText(SETS, "seen", "a=1:NoSchedule");

        pause(true); // what is paused and goes on is looked at again
        settle();
        declare(SETS, "seen", "b=1:NoSchedule");
        pause(false);
        awaitText(SETS, "seen", "b=1:NoSchedule");
        settle();
        assertThat(writes()).filteredOn(request -> request.path().endsWith("/g")).hasSize(1);
    }

    private void pause(boolean paused) {
        management.mergePatch("clusters", "fleet", "c", json("{'spec':{'paused':" + paused + "}}"));
    }
}
