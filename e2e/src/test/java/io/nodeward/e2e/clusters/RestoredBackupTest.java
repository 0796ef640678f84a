package io.nodeward.e2e.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.crd.ShippedCrds;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The etcd of a server is restored from a backup: all resourceVersions go back. Nodeward goes on without a restart. */
@Tag("deep")
class RestoredBackupTest {
    private static final String OBJECTS = "/apis/cluster.x-k8s.io/v1beta2/namespaces/default/";
    private static final String UNINITIALIZED = "node.cluster.x-k8s.io/uninitialized";
    /** Writes that the backup lacks: far more than are made until Nodeward sees the restored server. */
    private static final int LOST = 3000;

    /** The home, the management and the workload cluster are all on this server. */
    @Test
    void nodeward_follows_a_server_whose_etcd_was_restored() {
        try (ControlPlane controlPlane = ControlPlane.start(Options.standard())) {
            AdminClient admin = controlPlane.admin();
            ClusterApiCrds.install(admin, ShippedCrds.all());
            create(controlPlane);
            try (RunningNodeward nodeward =
                    RunningNodeward.start(controlPlane.file(controlPlane.adminKubeconfig()), "--blocked-after=1s")) {
                pair(admin, "before");
                awaitTaints(admin, "before", "e2e/declared");
                declare(admin, "alone");
                awaitBlocked(admin, "alone");
                Path backup = controlPlane.directory().resolve("backup");
                controlPlane.restart(etcd -> copy(etcd, backup));
                pair(admin, "lost");
                awaitTaints(admin, "lost", "e2e/declared");
                declare(admin, "lost-alone");
                awaitBlocked(admin, "lost-alone");
                for (int i = 0; i < LOST; i++) {
                    admin.mergePatch("/api/v1/nodes/lost", "{\"metadata\":{\"labels\":{\"i\":\"" + i + "\"}}}");
                }
                controlPlane.restart(etcd -> {
                    delete(etcd);
                    copy(backup, etcd);
                });

                pair(admin, "after");
                awaitTaints(admin, "after", "e2e/declared");
                admin.mergePatch(OBJECTS + "machines/before", "{\"spec\":{\"taints\":null}}");
                awaitTaints(admin, "before");
                node(admin, "alone");
                awaitTaints(admin, "alone", "e2e/declared");
                declare(admin, "lost-alone");
                awaitBlocked(admin, "lost-alone");
                assertThat(nodeward.isReady()).isTrue();
            }
        }
    }

    private static void create(ControlPlane controlPlane) {
        AdminClient admin = controlPlane.admin();
        admin.create("/api/v1/namespaces/default/secrets", Json.parse("""
                {"apiVersion":"v1","kind":"Secret","type":"cluster.x-k8s.io/secret",
                "metadata":{"name":"c-kubeconfig","labels":{"cluster.x-k8s.io/cluster-name":"c"}},
                "data":{"value":"%s"}}""".formatted(Base64.getEncoder().encodeToString(
                controlPlane.adminKubeconfig().toYaml().getBytes(StandardCharsets.UTF_8)))));
        admin.create(OBJECTS + "clusters", Json.parse("""
                {"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"Cluster","metadata":{"name":"c"},"spec":{}}"""));
    }

    private static void pair(AdminClient admin, String name) {
        declare(admin, name);
        node(admin, name);
    }

    private static void declare(AdminClient admin, String name) {
        admin.create(OBJECTS + "machines", Json.parse("""
                {"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"Machine","metadata":{"name":"%1$s"},
                "spec":{"clusterName":"c","providerID":"e2e://%1$s",
                "taints":[{"key":"e2e/declared","effect":"NoSchedule","propagation":"Always"}]}}""".formatted(name)));
    }

    private static void node(AdminClient admin, String name) {
        admin.create("/api/v1/nodes", Json.parse("""
                {"apiVersion":"v1","kind":"Node","metadata":{"name":"%1$s"},"spec":{"providerID":"e2e://%1$s",
                "taints":[{"key":"%2$s","effect":"NoSchedule"}]}}""".formatted(name, UNINITIALIZED)));
    }

    private static void awaitTaints(AdminClient admin, String node, String... keys) {
        await("taints of " + node).atMost(MachineSuite.PATIENCE).until(() -> admin.get("/api/v1/nodes/" + node)
                .at("/spec/taints").findValuesAsText("key").stream()
                .filter(key -> key.startsWith("e2e/") || key.equals(UNINITIALIZED)).toList(), List.of(keys)::equals);
    }

    private static void awaitBlocked(AdminClient admin, String machine) {
        await("the condition of " + machine).atMost(MachineSuite.PATIENCE).until(() -> admin
                .get(OBJECTS + "machines/" + machine).at("/status/conditions").toString().contains("NodeNotJoined"));
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(path, to.resolve(from.relativize(path)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted((one, other) -> other.compareTo(one)).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
