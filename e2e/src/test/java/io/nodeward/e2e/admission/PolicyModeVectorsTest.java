package io.nodeward.e2e.admission;

import io.nodeward.e2e.controlplane.ControlPlane;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** By the policies that two controllers keep in force, each for the objects of its watch filter. */
class PolicyModeVectorsTest extends VectorsSuite {
    private static RunningAdmission on;
    private static RunningAdmission off;

    @BeforeAll
    static void register() {
        ControlPlane plane = prepared();
        Path kubeconfig = plane.file(plane.adminKubeconfig());
        on = RunningAdmission.start(kubeconfig, "", "--watch-filter=" + ON, "--admission-mode=policy");
        off = RunningAdmission.start(kubeconfig, "MachineTaintPropagation=false", "--watch-filter=" + OFF,
                "--admission-mode=policy");
        awaitInForce();
    }

    @AfterAll
    static void end() {
        on.close();
        off.close();
    }
}
