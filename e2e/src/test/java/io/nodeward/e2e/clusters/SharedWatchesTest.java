package io.nodeward.e2e.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ClusterApiRelease;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.controlplane.Ports;
import io.nodeward.e2e.crd.ShippedCrds;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the API server sends the controller: each kind once, however many controllers read it. */
class SharedWatchesTest {
    private static final String USER = "shared-watches";
    /** Of a query: what does not say which objects are watched. */
    private static final Pattern PROGRESS = Pattern.compile(
            "(allowWatchBookmarks|resourceVersion|resourceVersionMatch|sendInitialEvents|timeoutSeconds|watch)=[^&]*&?");

    @Test
    void with_all_gates_on_no_kind_scope_and_selector_is_watched_twice() throws IOException {
        // On a server of its own: the webhook would be in the path of everybody's requests.
        try (ControlPlane controlPlane = ControlPlane.start(Options.standard());
                MachineSuite suite = MachineSuite.on(controlPlane, ClusterApiRelease.LATEST, "shared-watches")) {
            ClusterApiCrds.install(suite.admin(),
                    List.of(ShippedCrds.own("dedicatednodes"), ShippedCrds.own("devicetaintrules"),
                            ShippedCrds.own("devicetaintslices"), ShippedCrds.own("nodetaintguards")));
            suite.cluster("c");
            AuditLog.Mark start = suite.mark();
            try (RunningNodeward nodeward = start(controlPlane)) {
                await("all watches").atMost(MachineSuite.PATIENCE).until(
                        () -> watches(controlPlane, start).keySet().stream()
                                .anyMatch(w -> w.equals(MachineSuite.WORKLOAD_USER + " /api/v1/nodes")));
                assertThat(nodeward.isReady()).isTrue();
                Map<String, Long> watches = watches(controlPlane, start);
                assertThat(watches.keySet()).anyMatch(watch -> watch.contains("/machinesets"))
                        .anyMatch(watch -> watch.contains("/clusterclasses"))
                        .anyMatch(watch -> watch.contains("/dedicatednodes"))
                        .anyMatch(watch -> watch.contains("/resourceslices"))
                        .anyMatch(watch -> watch.contains("/devicetaintslices"))
                        .anyMatch(watch -> watch.contains("/nodetaintguards"))
                        .anyMatch(watch -> watch.contains("/customresourcedefinitions"))
                        .anyMatch(watch -> watch.contains("/validatingwebhookconfigurations"));
                assertThat(watches).allSatisfy((watch, times) -> assertThat(times).as(watch).isOne());
            }
        }
    }

    private static RunningNodeward start(ControlPlane controlPlane) throws IOException {
        Path kubeconfig = controlPlane.file(controlPlane.kubeconfigForUser(USER, List.of("system:masters")));
        int port = Ports.free();
        int ofPods = Ports.free();
        return RunningNodeward.start(kubeconfig, "--feature-gates=AllAlpha=true,AllBeta=true",
                "--admission-address=127.0.0.1:" + port, "--admission-service=https://127.0.0.1:" + port,
                "--dedicated-address=127.0.0.1:" + ofPods, "--dedicated-service=https://127.0.0.1:" + ofPods);
    }

    /** How many watches of each kind, scope and selector the controller has begun. */
    private static Map<String, Long> watches(ControlPlane controlPlane, AuditLog.Mark since) {
        return controlPlane.audit().since(since)
                .filter(request -> request.verb().equals("watch"))
                .filter(request -> List.of(USER, MachineSuite.WORKLOAD_USER).contains(request.user()))
                .collect(Collectors.groupingBy(SharedWatchesTest::watched, TreeMap::new, Collectors.counting()));
    }

    private static String watched(AuditRequest request) {
        return request.user() + " " + PROGRESS.matcher(request.uri()).replaceAll("").replaceAll("[?&]$", "");
    }
}
