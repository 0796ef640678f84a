package io.nodeward.e2e.admission;

import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** By two controllers that answer as webhooks, each for the objects of its watch filter. */
class WebhookVectorsTest extends VectorsSuite {
    private static RunningAdmission on;
    private static RunningAdmission off;

    @BeforeAll
    static void register() {
        ControlPlane plane = prepared();
        admin.createIfAbsent("/api/v1/namespaces", Json.tree(Map.of("metadata", Map.of("name", "nodeward-system"))));
        Path kubeconfig = plane.file(plane.adminKubeconfig());
        on = RunningAdmission.start(kubeconfig, "", "--watch-filter=" + ON, "--admission-failure-policy=Fail");
        off = RunningAdmission.start(kubeconfig, "MachineTaintPropagation=false", "--watch-filter=" + OFF,
                "--admission-failure-policy=Fail");
        awaitInForce();
    }

    @AfterAll
    static void end() {
        on.close();
        off.close();
    }
}
