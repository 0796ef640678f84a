package io.nodeward.e2e.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Options;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** 50 workload clusters, of which 40 misbehave in all ways there are: they trouble no other, and are not hammered. */
@Tag("deep")
class TroublesomeClustersTest {
    private static final int WELL = 10;
    private static final int EDITS = 20;
    private static final int READS_PER_SECOND = 1;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration PACE = Duration.ofSeconds(1);
    private static final Duration WINDOW = Duration.ofSeconds(10);
    /** Of one cluster in 10 s; with back-off there are 20, as writes are tried again after 0.1, 0.2, 0.4 s etc. */
    private static final int MOST_REQUESTS = 40;
    /** Of the 400 MB that the controller has. */
    private static final long MOST_HEAP = 64 << 20;

    @TempDir
    Path directory;

    private final List<AutoCloseable> servers = new ArrayList<>();
    private final List<FakeApiServer> well = new ArrayList<>();
    private final List<String> kubeconfigs = new ArrayList<>();
    private final Map<String, Arrivals> arrivals = new LinkedHashMap<>();

    static List<String> backends() {
        return Backends.names();
    }

    @AfterEach
    void stopServers() throws Exception {
        for (AutoCloseable server : servers) {
            server.close();
        }
    }

    private FakeApiServer server() {
        FakeApiServer server = FakeApiServer.start(Options.defaults());
        servers.add(server);
        int number = kubeconfigs.size();
        server.create("nodes", ManyClusters.json(
                "{'metadata':{'name':'n%d'},'spec':{'providerID':'%s'}}", number, ManyClusters.providerId(number)));
        kubeconfigs.add(server.kubeconfig());
        return server;
    }

    private Arrivals arrivals(Enum<?> trouble) {
        Arrivals of = new Arrivals();
        arrivals.put("c" + kubeconfigs.size() + " " + trouble, of);
        return of;
    }

    private void startServers() throws IOException {
        for (int i = 0; i < WELL; i++) {
            well.add(server());
        }
        for (Trouble trouble : Trouble.values()) {
            for (int i = 0; i < trouble.clusters(); i++) {
                Arrivals of = arrivals(trouble);
                FakeApiServer server = server();
                server.fault(request -> {
                    of.add(request.method(), request.path());
                    return false; // it is only to be counted
                }, new Fault.Cut(-1));
                trouble.happen(server);
            }
        }
        for (EndlessServer.Body body : EndlessServer.Body.values()) {
            EndlessServer server = new EndlessServer(body, arrivals(body));
            servers.add(server);
            kubeconfigs.add(server.kubeconfig());
        }
        assertThat(kubeconfigs).hasSize(50);
    }

    @ParameterizedTest
    @MethodSource("backends")
    void the_others_are_served_and_those_in_trouble_are_not_hammered(String backend) throws Exception {
        startServers();
        Stalls stalls = new Stalls();
        try (stalls; ManyClusters clusters = new ManyClusters(kubeconfigs.size())) {
            clusters.create(kubeconfigs::get, "start");
            try (ControllerProcess controller = new ControllerProcess(directory, clusters.kubeconfig(), List.of(
                    "--backend=" + backend,
                    "--cluster-largest-state=4",
                    "--cluster-probe-period=2s",
                    "--cluster-reads-per-second=" + READS_PER_SECOND))) {
                for (int edit = 0; edit < EDITS; edit++) {
                    edit(clusters, "edit-" + edit);
                }
                awaitAllTried();
                Footprint end = controller.footprint();
                assertThat(end.heap()).isLessThan(MOST_HEAP);
            }
        }
        assertNotHammered(stalls);
    }

    private void assertNotHammered(Stalls stalls) {
        SoftAssertions.assertSoftly(softly -> arrivals.forEach((name, of) -> {
            softly.assertThat(of.count()).as(name).isPositive();
            softly.assertThat(of.windows(WINDOW, any -> true)).as("requests of " + name)
                    .allMatch(window -> window.count() < mostRequests(stalls.secondsIn(window)));
            softly.assertThat(of.windows(WINDOW, Arrivals.Arrival::isRead)).as("reads of " + name)
                    .allMatch(window -> window.count() <= mostReads(stalls.secondsIn(window)));
        }));
    }

    /** @param stall seconds whose requests may have been seen all at once */
    private static long mostRequests(int stall) {
        return MOST_REQUESTS * (WINDOW.toSeconds() + stall) / WINDOW.toSeconds();
    }

    /** @param stall seconds whose requests may have been seen all at once */
    private static long mostReads(int stall) {
        return READS_PER_SECOND * (WINDOW.toSeconds() + 2 + stall) + 1;
    }

    /** Those that hang are asked once and no more for long. */
    private void awaitAllTried() {
        await("all in trouble to be tried").atMost(PATIENCE)
                .until(() -> arrivals.values().stream().allMatch(of -> of.count() > 0));
    }

    private void edit(ManyClusters clusters, String taint) throws InterruptedException {
        for (int i = 0; i < kubeconfigs.size(); i++) {
            clusters.declare(i, taint);
        }
        for (int i = 0; i < WELL; i++) {
            String node = "n" + i;
            FakeApiServer server = well.get(i);
            await(node).atMost(PATIENCE)
                    .until(() -> ManyClusters.hasTaint(server.get("nodes", "", node).orElseThrow(), taint));
        }
        Thread.sleep(PACE); // the next edit begins their back-off anew: this decides nothing
    }
}
