package io.nodeward.e2e.machine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.MachineSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The seed's matrix on day 2, on initialized Nodes: kind of taint times kind of change, each on its own Machine. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TaintTransitionTest {
    private static final String NONE = "";
    private final MachineSuite suite = MachineSuite.in("changes");
    private RunningNodeward nodeward;
    private Map<String, AuditRequest> patches;

    /** What the Machine declares before and after, then what its Node has: taints, and which of them are owned. */
    enum Change {
        ALWAYS_IS_ADDED(NONE, "a=1:NoSchedule:Always", "a=1:NoSchedule", "a:NoSchedule"),
        ALWAYS_IS_REMOVED("a=1:NoSchedule:Always", NONE, NONE, NONE),
        ALWAYS_GETS_ANOTHER_VALUE("a=1:NoSchedule:Always", "a=2:NoSchedule:Always", "a=2:NoSchedule", "a:NoSchedule"),
        ALWAYS_LOSES_ITS_VALUE("a=1:NoSchedule:Always", "a:NoSchedule:Always", "a:NoSchedule", "a:NoSchedule"),
        ALWAYS_GETS_ANOTHER_EFFECT("a=1:NoSchedule:Always", "a=1:NoExecute:Always", "a=1:NoExecute", "a:NoExecute"),
        ALWAYS_GETS_A_SECOND_EFFECT("a:NoSchedule:Always", "a:NoSchedule:Always a:NoExecute:Always",
                "a:NoSchedule a:NoExecute", "a:NoExecute,a:NoSchedule"),
        ALWAYS_REPLACES_ANOTHER("a:NoSchedule:Always", "b:NoSchedule:Always", "b:NoSchedule", "b:NoSchedule"),
        ONE_OF_TWO_IS_REMOVED(
                "a:NoSchedule:Always b:NoSchedule:Always", "b:NoSchedule:Always", "b:NoSchedule", "b:NoSchedule"),
        ALWAYS_BECOMES_ONCE("a=1:NoSchedule:Always", "a=1:NoSchedule:OnInitialization", "a=1:NoSchedule", NONE),
        ALWAYS_BECOMES_ONCE_WITH_ANOTHER_VALUE(
                "a=1:NoSchedule:Always", "a=2:NoSchedule:OnInitialization", "a=1:NoSchedule", NONE),
        ALWAYS_BECOMES_ONCE_WITH_ANOTHER_EFFECT("a:NoSchedule:Always", "a:NoExecute:OnInitialization", NONE, NONE),
        ONCE_BECOMES_ALWAYS(
                "a=1:NoSchedule:OnInitialization", "a=1:NoSchedule:Always", "a=1:NoSchedule", "a:NoSchedule"),
        ONCE_BECOMES_ALWAYS_WITH_ANOTHER_VALUE(
                "a=1:NoSchedule:OnInitialization", "a=2:NoSchedule:Always", "a=2:NoSchedule", "a:NoSchedule"),
        ONCE_BECOMES_ALWAYS_WITH_ANOTHER_EFFECT("a:NoSchedule:OnInitialization", "a:NoExecute:Always",
                "a:NoSchedule a:NoExecute", "a:NoExecute"),
        ONCE_IS_ADDED_TOO_LATE(NONE, "a:NoSchedule:OnInitialization", NONE, NONE),
        ONCE_IS_REMOVED("a:NoSchedule:OnInitialization", NONE, "a:NoSchedule", NONE),
        ONCE_GETS_ANOTHER_VALUE("a=1:NoSchedule:OnInitialization", "a=2:NoSchedule:OnInitialization",
                "a=1:NoSchedule", NONE),
        ONCE_GETS_ANOTHER_EFFECT("a:NoSchedule:OnInitialization", "a:NoExecute:OnInitialization", "a:NoSchedule", NONE);

        private final String before;
        private final String after;
        private final List<String> onNode;
        private final String owned;

        Change(String before, String after, String onNode, String owned) {
            this.before = before;
            this.after = after;
            this.onNode = List.of(words(onNode));
            this.owned = owned;
        }

        String machine() {
            return "changes-" + ordinal();
        }

        boolean changesNode() {
            return !name().matches("ONCE_(IS|GETS)_.*");
        }

        static String[] words(String text) {
            return text.isEmpty() ? new String[0] : text.split(" ");
        }
    }

    @BeforeAll
    void make_all_changes_at_once() {
        suite.cluster("c");
        Witness witness = new Witness(suite, "c");
        for (Change change : Change.values()) {
            suite.fleet().pair(Taints.declare(MachineSpec.named(change.machine(), "c"), Change.words(change.before)));
        }
        nodeward = suite.start();
        witness.settle();
        List<String> changing = Arrays.stream(Change.values())
                .filter(Change::changesNode).map(Change::machine).toList();
        patches = witness.patches(changing, () -> {
            for (Change change : Change.values()) {
                String patch = Taints.patch(Change.words(change.after));
                suite.admin().mergePatch(suite.fleet().machinePath(change.machine()), patch);
            }
        });
    }

    @AfterAll
    void stop() {
        nodeward.close();
        suite.compareWithOtherBackends();
        suite.close();
    }

    @ParameterizedTest
    @EnumSource
    void a_change_of_a_machine_leads_to_what_the_seed_says_with_one_patch_or_none(Change change) {
        JsonNode node = suite.node(change.machine());
        assertThat(Taints.on(node)).containsExactlyElementsOf(change.onNode);
        assertThat(Taints.tracking(node)).isEqualTo(change.owned);
        assertThat(patches.containsKey(change.machine())).isEqualTo(change.changesNode());
    }
}
