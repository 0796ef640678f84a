package io.nodeward.e2e.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.nodeward.core.spi.ApiServer;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Kubeconfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** With a kube-apiserver behind connections that the test cuts. */
class ObserverTest {
    private static final Duration AT_MOST = Duration.ofMinutes(1);

    @Test
    void what_comes_while_the_watch_is_cut_is_told_once_and_nothing_else_is_told_again() throws IOException {
        try (Testbed bed = Testbed.on(ControlPlane.shared(), "bench-observer", line -> {})) {
            bed.grow(3);
            Kubeconfig admin = bed.controlPlane().adminKubeconfig();
            try (ApiServer server = bed.connectIdeal();
                    Connections connections = Connections.to(URI.create(admin.server()));
                    Observer observer = Observer.start(connections.through(admin), BenchFleet.NODES, "", 3)) {
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
                    connections.cut();
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
    void who_wants_times_hears_of_a_cut() throws IOException {
        try (Testbed bed = Testbed.on(ControlPlane.shared(), "bench-observer-timed", line -> {})) {
            bed.grow(1);
            Kubeconfig admin = bed.controlPlane().adminKubeconfig();
            try (Connections connections = Connections.to(URI.create(admin.server()));
                    Observer observer = Observer.start(connections.through(admin), BenchFleet.NODES, "", 1);
                    Round timed = Round.expect(observer, 7, 1)) {
                connections.cut();
                assertThatThrownBy(() -> timed.await(AT_MOST, () -> {})).isInstanceOf(Round.CutException.class);
            }
        }
    }

    /** Carries bytes both ways, until they are cut. */
    private record Connections(ServerSocket door, URI server, List<Socket> open) implements AutoCloseable {
        static Connections to(URI server) throws IOException {
            Connections connections = new Connections(
                    new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), server, new CopyOnWriteArrayList<>());
            Thread.ofVirtual().start(connections::accept);
            return connections;
        }

        Kubeconfig through(Kubeconfig kubeconfig) {
            return new Kubeconfig(
                    "https://127.0.0.1:" + door.getLocalPort(), kubeconfig.caPem(), kubeconfig.credentials());
        }

        private void accept() {
            while (!door.isClosed()) {
                try {
                    Socket client = door.accept();
                    Socket to = new Socket(server.getHost(), server.getPort());
                    open.addAll(List.of(client, to));
                    Thread.ofVirtual().start(() -> carry(client, to));
                    Thread.ofVirtual().start(() -> carry(to, client));
                } catch (IOException e) {
                    // closed
                }
            }
        }

        private static void carry(Socket from, Socket to) {
            try (from; to) {
                from.getInputStream().transferTo(to.getOutputStream());
            } catch (IOException e) {
                // cut
            }
        }

        void cut() {
            open.forEach(socket -> {
                try {
                    socket.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }

        @Override
        public void close() throws IOException {
            door.close();
            cut();
        }
    }
}
