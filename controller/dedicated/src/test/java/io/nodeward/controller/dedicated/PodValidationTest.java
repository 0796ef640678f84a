package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.PodClaim;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.controller.dedicated.DedicatedConfig.FailurePolicy;
import io.nodeward.core.runtime.webhook.AdmissionPhase;
import io.nodeward.core.runtime.webhook.Webhook;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which pods {@link PodReviews} refuses. */
class PodValidationTest {
    private static final Map<String, Object> BANANA = Map.of(
            "nodes", Map.of("names", List.of("foo")), "who", Map.of("namespaces", List.of("banana")));
    private static final Map<String, Object> GPU = Map.of(
            "nodes", Map.of("names", List.of("foo")), "who", Map.of("deviceClasses", List.of("gpu")));
    private static final Tree PLAIN = pod("{'containers':[]}", "{}");
    private static final Tree TOLERATING = pod("{'tolerations':[{'operator':'Exists'}]}", "{}");
    private static final String CLAIMS = "{'tolerations':[%s],'resourceClaims':["
            + "{'name':'x','resourceClaimTemplateName':'t'}]}";

    private final DedicatedFixture cluster = new DedicatedFixture(1);
    private final PodMeters meters = new PodMeters(cluster.registry);
    private final PodReviews validator = validator(FailurePolicy.Fail);
    /** The Nodes that the API server was asked for. */
    private final List<String> asked = new ArrayList<>();
    private Function<String, Optional<Node>> live = name -> Optional.empty();
    private Function<PodClaim, Optional<Set<Set<String>>>> liveClaims = claim -> Optional.of(Set.of(Set.of("gpu")));

    PodValidationTest() {
        cluster.node("foo", Map.of());
    }

    @Test
    void who_is_no_member_gets_neither_toleration_nor_node() {
        declare("Enforce", BANANA);
        assertThat(create("cherry", TOLERATING).message()).isEqualTo(
                "DedicatedNodes banana is for pods of namespace banana: spec.tolerations[0] tolerates its taint");
        assertThat(create("cherry", TOLERATING).refusal().orElseThrow().code()).isEqualTo(403);
        assertThat(create("cherry", pod("{'nodeName':'foo'}", "{}")).message()).contains("its Node foo");
        assertThat(create("banana", TOLERATING)).isEqualTo(AdmissionResponse.allowed());
        assertThat(create("cherry", PLAIN)).isEqualTo(AdmissionResponse.allowed());
        assertThat(counted("Enforce")).isEqualTo(3);
    }

    @Test
    void an_update_is_refused_for_what_it_adds() {
        declare("Enforce", BANANA);
        assertThat(update("cherry", TOLERATING, PLAIN).isAllowed()).isFalse();
        assertThat(update("cherry", TOLERATING, TOLERATING)).isEqualTo(AdmissionResponse.allowed());
        assertThat(update("cherry", pod("{'nodeName':'foo'}", "{}"), PLAIN)).isEqualTo(AdmissionResponse.allowed());
    }

    @Test
    void warn_warns_audit_counts_and_a_dry_run_does_not() {
        declare("Warn", BANANA);
        AdmissionResponse warned = create("cherry", TOLERATING);
        assertThat(warned.isAllowed()).isTrue();
        assertThat(warned.warnings()).singleElement().asString().startsWith("DedicatedNodes banana: Enforce will");
        assertThat(counted("Warn")).isEqualTo(1);
        declare("Audit", BANANA);
        assertThat(create("cherry", TOLERATING)).isEqualTo(AdmissionResponse.allowed());
        assertThat(counted("Audit")).isEqualTo(1);
        validator.validate(request("CREATE", "", "cherry", TOLERATING, Tree.ABSENT, true));
        assertThat(counted("Audit")).isEqualTo(1);
        PodMeters.forget(cluster.registry, "banana");
        assertThat(cluster.registry.find("nodeward.dedicated.refused.pods").counters()).isEmpty();
    }

    @Test
    void a_status_counts_as_it_is_stored_and_not_as_the_author_gives_it() {
        declare("Enforce", GPU);
        cluster.claims.claims().replace(Set.of());
        cluster.claims.templates().replace(Set.of());
        cluster.claim("n", "made", "gpu");
        String made = "{'resourceClaimStatuses':[{'name':'x','resourceClaimName':'made'}]}";
        Tree claiming = pod(CLAIMS.formatted("{'operator':'Exists'}"), made);
        assertThat(create("n", claiming).message()).contains("claims of this pod are not known yet");
        assertThat(update("n", claiming, pod(CLAIMS.formatted(""), "{}")).isAllowed()).isFalse();
        assertThat(update("n", claiming, pod(CLAIMS.formatted(""), made))).isEqualTo(AdmissionResponse.allowed());
    }

    @Test
    void a_claim_that_was_not_listed_yet_is_answered_by_the_failure_policy() {
        declare("Enforce", GPU);
        assertThat(validator(FailurePolicy.Ignore).validate(request("CREATE", "", "n",
                pod(CLAIMS.formatted("{'operator':'Exists'}"), "{}"), Tree.ABSENT, false)))
                .as("it may be a member").isEqualTo(AdmissionResponse.allowed());
        Tree claiming = pod(CLAIMS.formatted("{'operator':'Exists'}"), "{}");
        assertThatIllegalStateException().isThrownBy(() -> create("n", claiming))
                .withMessageContaining("not been listed");
        assertThat(create("n", pod(CLAIMS.formatted(""), "{}"))).as("it asks for nothing")
                .isEqualTo(AdmissionResponse.allowed());
    }

    @Test
    void what_is_certain_is_answered_before_claims_are_listed() {
        declare("Enforce", GPU);
        cluster.declare("cherry", Map.of("nodes", Map.of("names", List.of("bar")), "who",
                Map.of("namespaces", List.of("cherry"))), "Enforce", "NoSchedule");
        cluster.reconcileGroup("cherry");
        Tree claiming = pod(CLAIMS.formatted("{'operator':'Exists'}"), "{}");
        for (FailurePolicy policy : FailurePolicy.values()) {
            assertThat(validator(policy).validate(request("CREATE", "", "n", claiming, Tree.ABSENT, false)).message())
                    .startsWith("DedicatedNodes cherry is for").doesNotContain("banana");
        }
    }

    @Test
    void subresources_and_what_is_no_pod_are_let_through() {
        declare("Enforce", BANANA);
        for (AdmissionRequest other : List.of(
                request("UPDATE", "ephemeralcontainers", "cherry", TOLERATING, PLAIN, false),
                request("DELETE", "", "cherry", Tree.ABSENT, TOLERATING, false),
                request("CREATE", "", "cherry", Tree.of(Map.of("spec", "x")), Tree.ABSENT, false))) {
            assertThat(validator.validate(other)).isEqualTo(AdmissionResponse.allowed());
        }
    }

    @Test
    void a_node_that_the_watch_has_not_brought_is_asked_for_before_a_pod_is_refused() {
        declare("Enforce", DedicatedFixture.pool("banana"));
        Tree placed = pod("{'nodeName':'new'}", "{}");
        assertThat(create("cherry", placed).message()).endsWith("which does not exist and may become one of its Nodes");
        live = name -> Optional.of(node(name, Map.of("pool", "other")));
        assertThat(create("cherry", placed)).isEqualTo(AdmissionResponse.allowed());
        live = name -> Optional.of(node(name, Map.of("pool", "banana")));
        assertThat(create("cherry", placed).message()).endsWith("spec.nodeName is its Node new");
        assertThat(asked).containsExactly("new", "new", "new");
        assertThat(counted("Enforce")).as("one review, one count").isEqualTo(2);
    }

    @Test
    void a_pod_of_a_daemon_set_on_a_new_node_is_not_refused_for_a_late_watch() {
        declare("Enforce", DedicatedFixture.pool("banana"));
        live = name -> Optional.of(node(name, Map.of("pool", "other")));
        Tree daemon = Trees.read("""
                {'metadata':{'name':'p','ownerReferences':[
                   {'apiVersion':'apps/v1','kind':'DaemonSet','name':'d','uid':'u','controller':true}]},
                 'spec':{'tolerations':[{'operator':'Exists'}],'affinity':{'nodeAffinity':{
                   'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':[{'matchFields':[
                     {'key':'metadata.name','operator':'In','values':['new']}]}]}}}}}""".replace('\'', '"'));
        assertThat(validator.validate(request("CREATE", "", "cherry", daemon, Tree.ABSENT, false,
                "system:serviceaccount:kube-system:daemon-set-controller"))).isEqualTo(AdmissionResponse.allowed());
        assertThat(asked).containsExactly("new");
    }

    @Test
    void no_review_asks_for_a_node_that_the_cache_has_or_that_does_not_decide() {
        declare("Enforce", DedicatedFixture.pool("banana"));
        assertThat(create("cherry", pod("{'nodeName':'foo'}", "{}"))).isEqualTo(AdmissionResponse.allowed());
        assertThat(create("banana", pod("{'nodeName':'new'}", "{}"))).isEqualTo(AdmissionResponse.allowed());
        assertThat(create("cherry", TOLERATING).isAllowed()).isFalse();
        assertThat(update("cherry", TOLERATING, PLAIN).isAllowed()).isFalse();
        declare("Audit", DedicatedFixture.pool("banana"));
        assertThat(create("cherry", pod("{'nodeName':'new'}", "{}"))).isEqualTo(AdmissionResponse.allowed());
        assertThat(asked).isEmpty();
    }

    @Test
    void a_claim_that_alone_lets_a_pod_in_is_asked_for_as_another_may_have_taken_its_place() {
        declare("Enforce", GPU);
        cluster.claims.claims().replace(Set.of());
        cluster.claims.templates().replace(Set.of());
        for (String name : List.of("a", "b", "nic")) {
            cluster.claim("n", name, name.equals("nic") ? "nic" : "gpu");
        }
        Tree claiming = pod("{'tolerations':[{'operator':'Exists'}],'resourceClaims':["
                + "{'name':'x','resourceClaimName':'nic'},{'name':'y','resourceClaimName':'a'},"
                + "{'name':'z','resourceClaimName':'b'}]}", "{}");
        assertThat(create("n", claiming)).isEqualTo(AdmissionResponse.allowed());
        assertThat(asked).as("one of them is enough").containsOnly("ResourceClaim n/a");
        liveClaims = claim -> Optional.of(Set.of(Set.of("nic")));
        assertThat(create("n", claiming).message()).endsWith(
                "spec.tolerations[0] tolerates its taint; claims of this pod have changed, try again");
        liveClaims = claim -> Optional.empty();
        assertThat(create("n", claiming).message())
                .endsWith("tolerates its taint; claims of this pod are not known yet, try again");
        assertThat(asked).contains("ResourceClaim n/b").doesNotContain("ResourceClaim n/nic");
        liveClaims = claim -> {
            throw new IllegalStateException("silent");
        };
        assertThatIllegalStateException().as("the failure policy answers").isThrownBy(() -> create("n", claiming));
    }

    @Test
    void a_claim_of_an_update_on_a_node_that_is_new_is_asked_for_too() {
        declare("Enforce", Map.of("nodes", Map.of("selector", Map.of("matchLabels", Map.of("pool", "gpu"))), "who",
                Map.of("deviceClasses", List.of("gpu"))));
        cluster.claims.claims().replace(Set.of());
        cluster.claims.templates().replace(Set.of());
        cluster.claim("n", "a", "gpu");
        String claims = "'resourceClaims':[{'name':'x','resourceClaimName':'a'}]";
        Tree placed = pod("{'nodeName':'new'," + claims + "}", "{}");
        live = name -> Optional.of(node(name, Map.of("pool", "gpu")));
        assertThat(create("n", placed)).isEqualTo(AdmissionResponse.allowed());
        liveClaims = claim -> Optional.of(Set.of());
        assertThat(create("n", placed).message()).contains("spec.nodeName is Node new", "have changed, try again");
        Tree tolerating = pod("{'tolerations':[{'operator':'Exists'}]," + claims + "}", "{}");
        assertThat(update("n", tolerating, pod("{" + claims + "}", "{}")).isAllowed()).isFalse();
        declare("Audit", GPU);
        asked.clear();
        assertThat(create("n", tolerating)).as("nobody refuses").isEqualTo(AdmissionResponse.allowed());
        assertThat(asked).isEmpty();
    }

    @Test
    void a_group_that_refuses_the_pod_whatever_its_claims_are_does_not_speak_of_them() {
        declare("Enforce", GPU);
        cluster.declare("cherry", Map.of("nodes", Map.of("names", List.of("bar")), "who",
                Map.of("namespaces", List.of("cherry"))), "Warn", "NoSchedule");
        cluster.reconcileGroup("cherry");
        cluster.claims.claims().replace(Set.of());
        cluster.claims.templates().replace(Set.of());
        cluster.claim("n", "a", "gpu");
        Tree claiming = pod("{'tolerations':[{'operator':'Exists'}],"
                + "'resourceClaims':[{'name':'x','resourceClaimName':'a'}]}", "{}");
        String warning = "DedicatedNodes cherry: Enforce will refuse this pod: spec.tolerations[0] tolerates its taint";
        assertThat(create("n", claiming)).isEqualTo(AdmissionResponse.allowed().withWarnings(List.of(warning)));
        liveClaims = claim -> Optional.of(Set.of());
        AdmissionResponse refused = create("n", claiming);
        assertThat(refused.message()).contains("have changed");
        assertThat(refused.warnings()).containsExactly(warning);
    }

    @Test
    void an_edit_that_waits_neither_counts_a_pod_again_nor_hides_why_it_is_refused() {
        declare("Enforce", GPU);
        cluster.claims.claims().replace(Set.of());
        cluster.claims.templates().replace(Set.of());
        cluster.claim("n", "a", "gpu");
        cluster.declare("banana", BANANA, "Enforce", "NoSchedule");
        assertThat(cluster.scope.resolved("banana")).as("compared").isPresent();
        liveClaims = claim -> Optional.of(Set.of());
        AdmissionResponse refused = create("n", pod("{'tolerations':[{'operator':'Exists'}],"
                + "'resourceClaims':[{'name':'x','resourceClaimName':'a'}]}", "{}"));
        assertThat(refused.message()).endsWith("claims of this pod have changed, try again");
        assertThat(refused.warnings()).as("of the edit").hasSize(1);
        assertThat(counted("Enforce")).isEqualTo(1);
        assertThat(cluster.registry.find("nodeward.dedicated.refused.pods").tag("enforcement", "Warn").counters())
                .isEmpty();
    }

    @Test
    void a_claim_that_the_watch_brings_while_others_are_asked_for_does_not_let_the_pod_in_unasked() {
        declare("Enforce", GPU);
        cluster.claims.claims().replace(Set.of());
        cluster.claims.templates().replace(Set.of());
        cluster.claim("n", "a", "gpu");
        cluster.claim("n", "late", "nic");
        Tree claiming = pod("{'tolerations':[{'operator':'Exists'}],'resourceClaims':["
                + "{'name':'x','resourceClaimName':'a'},{'name':'y','resourceClaimName':'late'}]}", "{}");
        liveClaims = claim -> {
            cluster.claim("n", "late", "gpu");
            return Optional.of(Set.of());
        };
        assertThat(create("n", claiming).message()).endsWith("claims of this pod have changed, try again");
        assertThat(asked).doesNotContain("ResourceClaim n/late");
    }

    @Test
    void a_pod_with_more_claims_than_a_review_reads_is_no_member_by_the_others() {
        declare("Enforce", GPU);
        cluster.claims.claims().replace(Set.of());
        cluster.claims.templates().replace(Set.of());
        List<String> names = IntStream.range(0, PodReviews.MOST_CLAIMS + 1).mapToObj(i -> "c" + i).toList();
        names.forEach(name -> cluster.claim("n", name, "gpu"));
        Tree claiming = pod("{'tolerations':[{'operator':'Exists'}],'resourceClaims':[" + names.stream()
                .map(name -> "{'name':'" + name + "','resourceClaimName':'" + name + "'}")
                .collect(Collectors.joining(",")) + "]}", "{}");
        liveClaims = claim -> Optional.of(Set.of(Set.of(claim.key().name().equals("c16") ? "gpu" : "nic")));
        assertThat(create("n", claiming).message())
                .endsWith("Nodeward reads the first 16 of its claims, and none makes it a member");
        assertThat(asked).contains("ResourceClaim n/c15").doesNotContain("ResourceClaim n/c16");
        liveClaims = claim -> Optional.of(Set.of(Set.of(claim.key().name().equals("c15") ? "gpu" : "nic")));
        assertThat(create("n", claiming)).isEqualTo(AdmissionResponse.allowed());
    }

    @Test
    void no_review_asks_for_a_claim_that_does_not_decide() {
        declare("Enforce", GPU);
        cluster.claims.claims().replace(Set.of());
        cluster.claims.templates().replace(Set.of());
        cluster.claim("n", "a", "gpu");
        String claims =
                "'resourceClaims':[{'name':'x','resourceClaimName':'a'},{'name':'y','resourceClaimName':'new'}]";
        assertThat(create("n", pod("{" + claims + "}", "{}"))).as("it asks for nothing")
                .isEqualTo(AdmissionResponse.allowed());
        declare("Enforce", Map.of("nodes", Map.of("names", List.of("foo")), "who",
                Map.of("deviceClasses", List.of("gpu"), "namespaces", List.of("n"))));
        assertThat(create("n", pod("{'tolerations':[{'operator':'Exists'}]," + claims + "}", "{}")))
                .as("a member anyway").isEqualTo(AdmissionResponse.allowed());
        assertThat(asked).isEmpty();
    }

    private static Node node(String name, Map<String, String> labels) {
        return new Node(new Metadata(ObjectKey.clusterScoped(name), "u", "1", labels, Map.of(), List.of(), false), "",
                List.of());
    }

    @Test
    void the_webhook_is_asked_about_pods_alone_and_of_updates_about_those_of_tolerations() {
        DedicatedConfig config = new DedicatedConfig();
        config.failurePolicy = FailurePolicy.Fail;
        config.systemNamespaces = List.of();
        Webhook webhook = cluster.webhook(config, "pods.dedicated.nodeward.io");
        assertThat(webhook.phase()).isEqualTo(AdmissionPhase.VALIDATING);
        assertThat(webhook.fields()).containsEntry("failurePolicy", "Fail")
                .containsEntry("namespaceSelector", Map.of("matchExpressions", List.of(Map.of("key",
                        "kubernetes.io/metadata.name", "operator", "NotIn", "values",
                        List.of("kube-system", "nodeward-system")))))
                .containsEntry("rules", List.of(Map.of("apiGroups", List.of(""), "apiVersions", List.of("v1"),
                        "operations", List.of("CREATE", "UPDATE"), "resources", List.of("pods"), "scope",
                        "Namespaced")))
                .hasEntrySatisfying("matchConditions", conditions -> assertThat(conditions.toString())
                        .contains("request.operation != 'UPDATE' || object.spec.?tolerations"));
    }

    private PodReviews validator(FailurePolicy failurePolicy) {
        return new PodReviews(cluster.scope, new LiveObjects(DedicatedFixture::asked, name -> {
            asked.add(name);
            return live.apply(name);
        }, DedicatedFixture::asked, () -> claim -> {
            asked.add(claim.toString());
            return liveClaims.apply(claim);
        }, () -> DedicatedFixture.asked("claims")), failurePolicy, meters);
    }

    private void declare(String enforcement, Map<String, Object> spec) {
        cluster.declare("banana", spec, enforcement, "NoSchedule");
        cluster.reconcileGroup("banana");
    }

    private double counted(String enforcement) {
        return cluster.registry.get("nodeward.dedicated.refused.pods").tag("group", "banana")
                .tag("enforcement", enforcement).counter().count();
    }

    private AdmissionResponse create(String namespace, Tree pod) {
        return validator.validate(request("CREATE", "", namespace, pod, Tree.ABSENT, false));
    }

    private AdmissionResponse update(String namespace, Tree pod, Tree before) {
        return validator.validate(request("UPDATE", "", namespace, pod, before, false));
    }

    private static AdmissionRequest request(
            String operation, String subresource, String namespace, Tree object, Tree before, boolean dryRun) {
        return request(operation, subresource, namespace, object, before, dryRun, "jane");
    }

    private static AdmissionRequest request(String operation, String subresource, String namespace, Tree object,
            Tree before, boolean dryRun, String user) {
        return new AdmissionRequest("u", new AdmissionRequest.GroupVersionKind("", "v1", "Pod"),
                new AdmissionRequest.GroupVersionResource("", "v1", "pods"), subresource, namespace, "p", operation,
                new AdmissionRequest.UserInfo(user, "", List.of(), Map.of()), dryRun, object, before);
    }

    private static Tree pod(String spec, String status) {
        return Trees.read(("{'metadata':{'name':'p'},'spec':" + spec + ",'status':" + status + "}").replace('\'', '"'));
    }
}
