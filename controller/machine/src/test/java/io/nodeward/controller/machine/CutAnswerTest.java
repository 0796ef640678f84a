package io.nodeward.controller.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.core.fakeapi.Fault;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A write that was made and whose answer was cut: whether the watch or the next try comes first, nothing is written twice. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class CutAnswerTest extends MachineFixture {
    /** Time is held: the watch shows the write before the next try is due, however long that takes. */
    @Test
    void an_answer_that_was_cut_after_the_write_does_not_write_twice() throws Exception {
        machineWithNode("m");
        startConverged();
        quiet.holdTime();
        workload.fault(PATCH, new Fault.Cut(-1));
        declare("m", "a=1:NoSchedule");
        awaitTaints("m", "a=1:NoSchedule");
        settle();

        assertThat(patches()).hasSize(1);
    }

    @Test
    void after_an_answer_that_was_cut_the_next_try_is_refused_and_one_read_shows_the_write() throws Exception {
        machineWithNode("m");
        startConverged();
        workload.fault(1_000_000, WATCH, Fault.status(503, "ServiceUnavailable", "no watch"));
        workload.dropWatches();
        workload.fault(PATCH, new Fault.Cut(-1));
        declare("m", "a=1:NoSchedule");
        await().until(() -> otherRequests().contains("GET /api/v1/nodes/m"));
        quiet.leaveOut(workload);
        settle();

        assertThat(patches()).containsExactly(0, 422);
        assertThat(otherRequests()).containsExactly("GET /api/v1/nodes/m");
        assertThat(taintsOf("m")).containsExactly("a=1:NoSchedule");
    }
}
