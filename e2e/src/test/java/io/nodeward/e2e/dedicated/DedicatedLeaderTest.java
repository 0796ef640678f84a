package io.nodeward.e2e.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.machine.Election;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Processes that serve the webhooks for pods, and of which one leads. */
@Tag("deep")
class DedicatedLeaderTest {
    private static final String REACHED = "nodeward_dedicated_reached";
    private static final String SECRET = "/api/v1/namespaces/nodeward-system/secrets/nodeward-dedicated";

    private DedicatedSuite suite;

    @BeforeEach
    void prepare() {
        suite = new DedicatedSuite();
        suite.grantPause();
        suite.grantPods();
        suite.allowLeaderElection();
    }

    @AfterEach
    void close() {
        suite.close();
    }

    private static ConditionFactory soon() {
        return await().atMost(MachineSuite.PATIENCE);
    }

    /** The old process is ended when the new one is ready. */
    @Test
    void a_rollout_turns_the_webhooks_on_and_who_does_not_lead_knows_that_they_are_reached() {
        try (RunningNodeward old = suite.run(Election.with())) {
            soon().until(() -> old.metric(Election.LEADER) == 1);
            try (RunningNodeward next = suite.runWhereCalled(Election.with())) {
                assertThat(next.metric(Election.LEADER)).isZero();
                assertThat(suite.admin().find(SECRET)).isPresent();
                assertThat(suite.admin().find(DedicatedSuite.VALIDATING)).isEmpty();
                old.close();
                soon().until(() -> next.metric(REACHED) == 1);
                assertThat(next.metric(Election.LEADER)).isEqualTo(1);

                try (RunningNodeward standby = suite.runBeside(Election.with())) {
                    soon().until(() -> standby.metric(REACHED) == 1);
                    assertThat(standby.metric(Election.LEADER)).isZero();
                }
            }
        }
    }
}
