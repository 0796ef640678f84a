package io.nodeward.e2e.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.NodeSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The label-sync seed, and what upstream added to it: annotations and patterns of one's own. */
class LabelSyncTest extends InRunningController {
    private static final String RESTRICTED = "example.node-restriction.kubernetes.io/fips";
    private static final String TRACKING = "cluster.x-k8s.io/labels-from-machine";
    private static final String ANNOTATION_TRACKING = "cluster.x-k8s.io/annotations-from-machine";

    LabelSyncTest() {
        super("labels",
                "--additional-sync-machine-labels=^team\\.example\\.com/,^plain-key$",
                "--additional-sync-machine-annotations=^notes\\.example\\.com/");
    }

    @Test
    void the_roles_column_of_kubectl_shows_the_role_label_of_the_machine() {
        witness.pair(machine("labels-role").withLabels(Map.of("node-role.kubernetes.io/edge", "")));
        String table = suite.controlPlane().kubectl().run("get", "nodes", "labels-role").orThrow("kubectl get").out();
        assertThat(table.lines().skip(1).findFirst().orElseThrow().split("\\s+"))
                .startsWith("labels-role", "Ready", "edge");
    }

    @Test
    void labels_taints_and_annotations_arrive_with_the_write_that_removes_uninitialized() {
        AuditRequest patch = witness.pair(machine("labels-all", "example.com/a:NoSchedule:Always")
                .withLabels(Map.of(RESTRICTED, "true", "other.example.com/x", "no"))
                .withAnnotations(Map.of("node.cluster.x-k8s.io/note", "n", "example.com/note", "no")));
        assertThat(patch.written().path("metadata").path("labels"))
                .isEqualTo(Json.parse("{\"" + RESTRICTED + "\":\"true\"}"));
        assertThat(patch.written().path("metadata").path("annotations")).isEqualTo(Json.parse("""
                {"cluster.x-k8s.io/annotations-from-machine":"node.cluster.x-k8s.io/note",
                 "cluster.x-k8s.io/labels-from-machine":"%s",
                 "cluster.x-k8s.io/taints-from-machine":"example.com/a:NoSchedule",
                 "node.cluster.x-k8s.io/note":"n"}""".formatted(RESTRICTED)));
        assertThat(patch.written().path("spec").path("taints")).isEqualTo(Taints.json("example.com/a:NoSchedule"));
    }

    @Test
    void a_label_of_the_restriction_domain_is_added_changed_and_removed_on_day_2() {
        witness.pair(machine("labels-day2"));
        sync("labels-day2", labels(RESTRICTED, "true"));
        assertThat(label("labels-day2", RESTRICTED)).isEqualTo("true");
        assertThat(annotation("labels-day2", TRACKING)).isEqualTo(RESTRICTED);

        sync("labels-day2", labels(RESTRICTED, "false"));
        assertThat(label("labels-day2", RESTRICTED)).isEqualTo("false");

        AuditRequest removal = sync("labels-day2", labels(RESTRICTED, null));
        assertThat(removal.written().path("metadata").path("labels"))
                .isEqualTo(Json.parse("{\"" + RESTRICTED + "\":null}"));
        assertThat(label("labels-day2", RESTRICTED)).isNull();
        assertThat(annotation("labels-day2", TRACKING)).isEmpty();
    }

    @Test
    void labels_of_every_managed_domain_are_carried_and_look_alikes_are_not() {
        witness.pair(machine("labels-domains").withLabels(Map.of(
                "node-restriction.kubernetes.io/a", "1",
                "x.node.cluster.x-k8s.io/b", "2",
                "node.cluster.x-k8s.io/c", "3",
                "evilnode-restriction.kubernetes.io/d", "4",
                "sub.node-role.kubernetes.io/e", "5",
                "node-restriction.kubernetes.io.example.com/f", "6")));
        assertThat(annotation("labels-domains", TRACKING)).isEqualTo("node-restriction.kubernetes.io/a,"
                + "node.cluster.x-k8s.io/c,x.node.cluster.x-k8s.io/b");
        assertThat(suite.node("labels-domains").path("metadata").path("labels").toString())
                .doesNotContain("evil", "sub.node-role", "kubernetes.io.example.com");
    }

    @Test
    void a_users_own_label_of_a_managed_domain_survives_until_the_machine_declares_it_too() {
        String own = "node-restriction.kubernetes.io/own";
        witness.pair(
                NodeSpec.named("labels-user").withLabels(Map.of(own, "user", "example.com/free", "user")),
                machine("labels-user").withLabels(Map.of(RESTRICTED, "true")));
        sync("labels-user", labels(RESTRICTED, null));
        assertThat(label("labels-user", own)).isEqualTo("user");
        assertThat(label("labels-user", "example.com/free")).isEqualTo("user");

        sync("labels-user", labels(own, "machine"));
        assertThat(label("labels-user", own)).isEqualTo("machine");
        sync("labels-user", labels(own, null));
        assertThat(label("labels-user", own)).isNull();
    }

    @Test
    void a_label_the_user_adds_on_day_2_costs_no_request_and_stays() {
        witness.pair(machine("labels-late"));
        witness.nothing(() -> patchNode("labels-late", labels("node-restriction.kubernetes.io/late", "user")));
        assertThat(label("labels-late", "node-restriction.kubernetes.io/late")).isEqualTo("user");
    }

    @Test
    void labels_that_match_an_additional_pattern_are_carried_as_well() {
        witness.pair(machine("labels-more").withLabels(Map.of(
                "team.example.com/name", "storage", "plain-key", "p", "steam.example.com/name", "no")));
        assertThat(label("labels-more", "team.example.com/name")).isEqualTo("storage");
        assertThat(label("labels-more", "plain-key")).isEqualTo("p");
        assertThat(label("labels-more", "steam.example.com/name")).isNull();
        sync("labels-more", labels("team.example.com/name", null));
        assertThat(label("labels-more", "team.example.com/name")).isNull();
        assertThat(annotation("labels-more", TRACKING)).isEqualTo("plain-key");
    }

    @Test
    void annotations_are_carried_changed_and_removed_and_others_stay() {
        witness.pair(machine("labels-notes").withAnnotations(Map.of(
                "node.cluster.x-k8s.io/a", "1", "sub.node.cluster.x-k8s.io/b", "2",
                "notes.example.com/c", "3", "other.example.com/d", "4")));
        assertThat(annotation("labels-notes", ANNOTATION_TRACKING)).isEqualTo(
                "node.cluster.x-k8s.io/a,notes.example.com/c,sub.node.cluster.x-k8s.io/b");
        assertThat(annotation("labels-notes", "other.example.com/d")).isNull();

        sync("labels-notes", annotations("node.cluster.x-k8s.io/a", "changed"));
        assertThat(annotation("labels-notes", "node.cluster.x-k8s.io/a")).isEqualTo("changed");
        sync("labels-notes", annotations("notes.example.com/c", null));
        assertThat(annotation("labels-notes", "notes.example.com/c")).isNull();
        assertThat(annotation("labels-notes", "volumes.kubernetes.io/controller-managed-attach-detach"))
                .isEqualTo("true");
    }

    @Test
    void a_label_the_machine_declares_and_the_node_has_already_is_tracked_and_later_removed() {
        witness.pair(
                NodeSpec.named("labels-same").withLabels(Map.of(RESTRICTED, "true")),
                machine("labels-same").withLabels(Map.of(RESTRICTED, "true")));
        assertThat(annotation("labels-same", TRACKING)).isEqualTo(RESTRICTED);
        sync("labels-same", labels(RESTRICTED, null));
        assertThat(label("labels-same", RESTRICTED)).isNull();
    }

    private AuditRequest sync(String name, String patch) {
        return witness.onePatch(name, () -> patchMachine(name, patch));
    }
}
