package io.nodeward.core.runtime.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.runtime.status.BlockedMembers.Member;
import org.junit.jupiter.api.Test;

class BlockedMembersTest {
    private static final String OWNER = "Cluster c";

    private final BlockedMembers<String> members = new BlockedMembers<>((names, others, first) -> String.join(", ",
            names) + (others ? " and others" : "") + ": " + first);

    private void block(String name, String reason) {
        members.put(name, new Member<>(OWNER, name, new Blocked(reason, "because of " + name)));
    }

    @Test
    void each_reason_names_whom_it_concerns_and_the_first_that_there_are_others() {
        block("a", "TaintsRejected");
        assertThat(members.worst(OWNER)).contains(new Blocked("TaintsRejected", "a: because of a"));

        block("b", "FieldConflict");
        assertThat(members.worst(OWNER)).contains(new Blocked("FieldConflict", "b and others: because of b"));
        assertThat(members.messages(OWNER)).containsEntry("FieldConflict", "b: because of b")
                .containsEntry("TaintsRejected", "a: because of a").hasSize(2);
    }

    @Test
    void three_are_named() {
        for (String name : new String[]{"a", "b", "c"}) {
            block(name, "TaintsRejected");
        }
        assertThat(members.worst(OWNER)).contains(new Blocked("TaintsRejected", "a, b, c: because of a"));
        block("d", "TaintsRejected");
        assertThat(members.worst(OWNER)).contains(new Blocked("TaintsRejected", "a, b, c and others: because of a"));
    }

    @Test
    void when_all_is_over_there_is_nothing_to_report() {
        block("a", "TaintsRejected");
        assertThat(members.remove("a")).containsExactly(OWNER);
        assertThat(members.worst(OWNER)).isEmpty();
        assertThat(members.messages(OWNER)).isEmpty();
    }

    @Test
    void a_member_that_gets_another_owner_leaves_the_first() {
        block("a", "TaintsRejected");
        assertThat(members.put("a", new Member<>("Cluster d", "a", new Blocked("TaintsRejected", "still"))))
                .containsExactlyInAnyOrder(OWNER, "Cluster d");
        assertThat(members.worst(OWNER)).isEmpty();
        assertThat(members.worst("Cluster d")).contains(new Blocked("TaintsRejected", "a: still"));
    }
}
