package io.nodeward.e2e.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.testkit.Relay;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Kubeconfig;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** With a kube-apiserver behind connections that the test cuts. */
class ObserverTest {
    private static final Duration AT_MOST = Duration.ofMinutes(1);

    @Test
    void what_comes_while_the_watch_is_cut_is_told_once_and_nothing_else_is_told_again() {
        try (Testbed bed = Testbed.on(ControlPlane.shared(), "bench-observer", line -> {})) {
            bed.grow(3);
            Kubeconfig admin = bed.controlPlane().adminKubeconfig();
            try (ApiServer server = bed.connectIdeal();
                    Relay relay = Relay.to(admin.server());
                    Observer observer = Observer.start(admin.through(relay), BenchFleet.NODES, "", 3)) {
                List<String> told = new CopyOnWriteArrayList<>();
                try (Round before = Round.expectOne(observer, 7, 0)) {
                    bed.fleet().writeNode(server, 0, 7);
                    before.await(AT_MOST, () -> {});
                    assertThat(before.isTimed()).isTrue();
                }
                try (Round counted = Round.expectThroughCuts(observer, 8, 2)) {
                    observer.tell((index, value, at) -> {
                        told.add(index + "=" + value);
                        counted.event(index, value, at);
                    });
                    relay.cut();
                    bed.fleet().writeNode(server, 0, 8);
                    bed.fleet().writeNode(server, 1, 8);
                    counted.await(AT_MOST, () -> {});
                    assertThat(counted.isTimed()).isFalse();
                    bed.fleet().writeNode(server, 0, 9);
                    await().atMost(AT_MOST).until(() -> told.contains("0=9"));
                }
                assertThat(told).containsExactly("0=8", "1=8", "0=9");
                assertThat(observer.cuts()).isEqualTo(1);
            }
        }
    }

    @Test
    void who_wants_times_hears_of_a_cut() {
        try (Testbed bed = Testbed.on(ControlPlane.shared(), "bench-observer-timed", line -> {})) {
            bed.grow(1);
            Kubeconfig admin = bed.controlPlane().adminKubeconfig();
            try (Relay relay = Relay.to(admin.server());
                    Observer observer = Observer.start(admin.through(relay), BenchFleet.NODES, "", 1);
                    Round timed = Round.expect(observer, 7, 1)) {
                relay.cut();
                assertThatThrownBy(() -> timed.await(AT_MOST, () -> {})).isInstanceOf(Round.CutException.class);
            }
        }
    }
}
