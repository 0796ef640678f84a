package io.nodeward.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.cli.Launched.Ended;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.machine.MachineOwners;
import io.nodeward.e2e.machine.MachineSuite;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Commands that end before they are through: interrupted, not read any more, or with nowhere to write to. */
@Tag("deep")
class CutShortTest {
    private static final String CTRL_C = "\u0003";
    /** Counted instead of seconds: a machine with other work is slow to look, too. */
    private static final int FEW_LOOKS = 5;
    private static final String TAKEN_AWAY = "\r\u001b[K";
    private static final String FLEET = "e2e/src/test/resources/io/nodeward/e2e/cli/long-names.yaml";

    @Test
    void who_interrupts_a_wait_gets_the_terminal_back_at_once_and_as_it_was() {
        try (MachineSuite suite = MachineSuite.in("cut-short"); MachineOwners owners = new MachineOwners(suite)) {
            suite.cluster("c");
            suite.fleet().pair(MachineSpec.named("cut-short-1", "c"));
            owners.hasNode("cut-short-1");
            String kubeconfig = suite.controlPlane().file(suite.controlPlane().adminKubeconfig()).toString();

            AuditLog.Mark start = suite.mark();
            try (Launched waiting = Launched.start(80, Map.of("KUBECONFIG", kubeconfig),
                    "./nodeward taint machine/cut-short-1 -n cut-short example.com/a:NoSchedule --wait")) {
                await("its progress").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(waiting.shown())
                        .contains("0/1 Nodes")); // there is no controller
                assertThat(looks(suite, start)).as("looks before the key").isPositive();
                AuditLog.Mark key = suite.mark();
                waiting.type(CTRL_C);
                Ended ended = waiting.end();

                assertThat(looks(suite, key)).as("looks after the key, a second apart").isLessThan(FEW_LOOKS);
                assertThat(ended.exit()).as("ended by the key and by nothing else").isEqualTo(130);
                assertThat(ended.shown()).contains("machine.cluster.x-k8s.io/cut-short-1 tainted\r\n")
                        .endsWith(TAKEN_AWAY).doesNotContain("Exception");
            }
        }
    }

    /** How often it has asked for the Machine that it waits for. */
    private static long looks(MachineSuite suite, AuditLog.Mark since) {
        return suite.controlPlane().audit().since(since)
                .filter(r -> r.is("get", "machines") && r.name().equals("cut-short-1")
                        && r.userAgent().startsWith("nodeward/"))
                .count();
    }

    @Test
    void a_command_whose_reader_has_gone_ends_without_a_word() {
        try (Launched endless = Launched.start(Launched.NO_TERMINAL, Map.of(), """
                yes '{"id":"1","kind":"match","taint":{"key":"a","effect":"NoSchedule"},"toleration":{"key":"a"}}' |
                  ./nodeward eval tolerate | head -1; echo "${PIPESTATUS[1]}"
                """)) {
            assertThat(endless.end().shown()).isEqualTo("""
                    {"id":"1","result":{"tolerates":true}}
                    141
                    """);
        }
    }

    @Test
    void a_fleet_that_is_too_large_for_the_heap_is_told_with_what_to_do() {
        Ended ended = Launched.intoFile(Map.of("NODEWARD_JAVA_OPTS", "-Xmx40m"), """
                seq 500000 | sed 's/.*/---\\n{apiVersion: v1, kind: Node, metadata: {name: n&}}/' |
                  ./nodeward plan -f -
                """);

        assertThat(ended.shown()).isEqualTo(
                "error: not enough memory for this: NODEWARD_JAVA_OPTS gives it more, as -Xmx4g\n");
        assertThat(ended.exit()).isEqualTo(1);
    }

    @Test
    void what_cannot_be_written_is_no_success() {
        Ended ended = Launched.intoFile(Map.of(),
                "./nodeward tree cluster/production-eu-central-1 -n fleet-production -f " + FLEET + " > /dev/full");

        assertThat(ended.shown()).contains("error: not all of it could be written to standard output");
        assertThat(ended.exit()).isEqualTo(1);
    }
}
