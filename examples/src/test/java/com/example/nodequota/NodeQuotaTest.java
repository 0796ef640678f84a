package com.example.nodequota;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.Decision;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The parts of the controller, without threads, clocks and servers. */
class NodeQuotaTest {
    private static final ObjectKey GPU = ObjectKey.clusterScoped("gpu");
    private static final ObjectKey CPU = ObjectKey.clusterScoped("cpu");

    private final NodeQuotaScope scope = new NodeQuotaScope(
            new ObjectCache<>(NodeQuotaScope.BY_LABEL), new ObjectCache<>(NodeQuotaScope.NODES_BY_LABEL));
    private final NodeQuotaReconciler reconciler = new NodeQuotaReconciler(scope);

    @BeforeEach
    void declare() {
        scope.quotas().put(quota(GPU, "pool=gpu", 1));
        scope.quotas().put(quota(CPU, "pool=cpu", 0));
    }

    @Test
    void a_quota_is_in_effect_until_one_node_more_has_its_label() {
        assertThat(reconciler.reconcile(GPU)).isInstanceOf(Decision.InEffect.class);
        scope.nodes().put(node("a", "gpu"));
        assertThat(reconciler.reconcile(GPU)).isInstanceOf(Decision.InEffect.class);
        scope.nodes().put(node("b", "gpu"));
        assertThat(reconciler.reconcile(GPU)).isInstanceOfSatisfying(Decision.Blocked.class, blocked -> {
            assertThat(blocked.by().reason()).isEqualTo("QuotaExceeded");
            assertThat(blocked.by().message()).isEqualTo("2 Nodes have the label pool=gpu, and 1 may");
            assertThat(blocked.owner().generation()).isEqualTo(3);
        });
        assertThat(reconciler.reconcile(ObjectKey.clusterScoped("gone"))).isInstanceOf(Decision.Gone.class);
    }

    @Test
    void a_change_of_a_node_concerns_the_quotas_of_the_labels_that_it_has_got_or_lost() {
        NodeQuotaWatches watches = new NodeQuotaWatches(scope);
        assertThat(watches.mapNode(null, node("a", "gpu"))).containsExactly(GPU);
        assertThat(watches.mapNode(node("a", "gpu"), node("a", "gpu"))).isEmpty();
        assertThat(watches.mapNode(node("a", "gpu"), node("a", "cpu"))).containsExactlyInAnyOrder(GPU, CPU);
        assertThat(watches.mapNode(node("a", "cpu"), null)).containsExactly(CPU);
    }

    @Test
    void the_webhook_refuses_what_could_never_be_in_effect_and_another_label() {
        assertThat(answer("CREATE", Map.of("label", "pool=gpu", "nodes", 0), Map.of())).isEmpty();
        assertThat(answer("CREATE", Map.of("label", "pool", "nodes", 0), Map.of())).startsWith("spec.label");
        assertThat(answer("CREATE", Map.of("label", "pool=gpu", "nodes", -1), Map.of())).startsWith("spec.nodes");
        assertThat(answer("CREATE", Map.of("label", "pool=gpu", "nodes", "many"), Map.of())).startsWith("spec.nodes");
        assertThat(answer("UPDATE", Map.of("label", "pool=gpu", "nodes", 2), Map.of("label", "pool=gpu"))).isEmpty();
        assertThat(answer("UPDATE", Map.of("label", "pool=gpu", "nodes", 2), Map.of("label", "pool=cpu")))
                .isEqualTo("spec.label: cannot be changed");
    }

    @Test
    void the_webhook_is_asked_about_all_quotas_whatever_the_watch_filter() {
        assertThat(NodeQuotaModule.validation().fields()).containsEntry("objectSelector", Map.of());
    }

    private static String answer(String operation, Map<String, Object> spec, Map<String, Object> before) {
        return new NodeQuotaValidator().handle(new AdmissionRequest("u",
                new AdmissionRequest.GroupVersionKind("examples.nodeward.io", "v1alpha1", "NodeQuota"),
                new AdmissionRequest.GroupVersionResource("examples.nodeward.io", "v1alpha1", "nodequotas"), "", "",
                "q", operation, AdmissionRequest.UserInfo.UNKNOWN, false, Tree.of(Map.of("spec", spec)),
                Tree.of(Map.of("spec", before)))).message();
    }

    private static CustomResource<NodeQuota> quota(ObjectKey key, String label, long nodes) {
        return new CustomResource<>(metadata(key, Map.of()), 3, new NodeQuota(label, nodes), List.of());
    }

    private static Node node(String name, String pool) {
        return new Node(metadata(ObjectKey.clusterScoped(name), Map.of("pool", pool)), "", List.of());
    }

    private static Metadata metadata(ObjectKey key, Map<String, String> labels) {
        return new Metadata(key, "uid", "1", labels, Map.of(), List.of(), false);
    }
}
