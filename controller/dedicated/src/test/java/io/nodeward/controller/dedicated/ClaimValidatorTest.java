package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.controller.dedicated.DedicatedConfig.FailurePolicy;
import io.nodeward.core.runtime.webhook.AdmissionPhase;
import io.nodeward.core.runtime.webhook.Webhook;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A claim is deleted and made again, while a pod is a member of a group by the one before. */
class ClaimValidatorTest {
    private static final Map<String, Object> GPU = Map.of(
            "nodes", Map.of("names", List.of("foo")), "who", Map.of("deviceClasses", List.of("gpu")));

    private final DedicatedFixture cluster = new DedicatedFixture(1);

    ClaimValidatorTest() {
        cluster.node("foo", Map.of());
        cluster.declare("banana", GPU, "Enforce", "NoSchedule");
        cluster.reconcileGroup("banana");
        cluster.claims.claims().replace(Set.of());
        cluster.claims.templates().replace(Set.of());
    }

    private static Map<String, Object> everything() {
        return Map.of("operator", "Exists");
    }

    @Test
    void a_claim_that_lacks_the_device_of_the_one_before_is_refused_while_its_pod_is_there() {
        cluster.claiming("n", "p", "c", everything());
        assertThat(create("n", "c", "{'exactly':{'deviceClassName':'nic'}}").message()).isEqualTo(
                "DedicatedNodes banana: pod p tolerates its taint and would be no member with this claim, which must ask for a"
                        + " device of gpu; or delete the pod first");
        assertThat(create("n", "c", "").refusal().orElseThrow().code()).isEqualTo(403);
        assertThat(create("n", "c", "{'firstAvailable':[{'deviceClassName':'gpu'},{'deviceClassName':'nic'}]}")
                .isAllowed()).as("it may get the other").isFalse();
        assertThat(create("n", "c", "{'exactly':{'deviceClassName':'gpu'}}")).isEqualTo(AdmissionResponse.allowed());
        cluster.pods.remove(cluster.pods.get(new ObjectKey("n", "p")).orElseThrow());
        assertThat(create("n", "c", "")).isEqualTo(AdmissionResponse.allowed());
    }

    @Test
    void labels_that_a_pod_gets_later_do_not_hide_its_claim() {
        Map<String, String> labels = IntStream.range(0, 257).boxed().collect(Collectors.toMap(i -> "l" + i, i -> "x"));
        cluster.claiming("n", "p", "c", everything(), labels);
        assertThat(create("n", "c", "{'exactly':{'deviceClassName':'nic'}}").message()).isEqualTo(
                "DedicatedNodes banana: pod p has more than Nodeward keeps of one pod (metadata.labels (256)), and so may"
                        + " tolerate its taint and be no member with this claim, which must ask for a device of gpu; or"
                        + " delete the pod first");
        assertThat(create("n", "c", "{'exactly':{'deviceClassName':'gpu'}}")).isEqualTo(AdmissionResponse.allowed());
    }

    @Test
    void other_claims_are_let_through() {
        cluster.claiming("n", "p", "c", Map.of("key", "other", "operator", "Exists"));
        assertThat(create("n", "c", "")).as("its pod tolerates nothing of the group")
                .isEqualTo(AdmissionResponse.allowed());
        cluster.claiming("n", "p", "c", everything());
        assertThat(create("n", "d", "")).as("of another name").isEqualTo(AdmissionResponse.allowed());
        assertThat(create("m", "c", "")).as("in another namespace").isEqualTo(AdmissionResponse.allowed());
        assertThat(create("n", "", "")).as("the API server makes its name").isEqualTo(AdmissionResponse.allowed());
        assertThat(validator(FailurePolicy.Fail).handle(request("UPDATE", "n", "c", "")))
                .isEqualTo(AdmissionResponse.allowed());
    }

    @Test
    void the_api_server_is_asked_for_pods_only_where_the_claim_lacks_a_device_that_makes_members() {
        ClaimValidator unable = validator(cluster, FailurePolicy.Ignore, namespace -> {
            throw new IllegalStateException("no pods of " + namespace);
        });
        assertThat(unable.handle(request("CREATE", "n", "c", "{'exactly':{'deviceClassName':'gpu'}}")))
                .isEqualTo(AdmissionResponse.allowed());
        assertThatIllegalStateException().isThrownBy(() -> unable.handle(request("CREATE", "n", "c", "")))
                .as("the failure policy answers").withMessage("no pods of n");
        cluster.claiming("n", "p", "c", everything());
        assertThat(unable.handle(request("CREATE", "n", "c", "")).isAllowed()).as("the cache proves it").isFalse();
        for (String maker : List.of("system:serviceaccount:kube-system:resource-claim-controller",
                "system:kube-controller-manager")) {
            assertThat(unable.handle(request("CREATE", "n", "made-of-a-template", "", maker))).as(maker)
                    .isEqualTo(AdmissionResponse.allowed());
        }
        cluster.declare("banana", GPU, "Warn", "NoSchedule");
        cluster.reconcileGroup("banana");
        assertThat(unable.handle(request("CREATE", "n", "c", ""))).as("no group refuses")
                .isEqualTo(AdmissionResponse.allowed());
    }

    @Test
    void before_claims_are_listed_the_failure_policy_answers() {
        DedicatedFixture starting = new DedicatedFixture(1);
        starting.node("foo", Map.of());
        starting.declare("banana", GPU, "Enforce", "NoSchedule");
        starting.reconcileGroup("banana");
        starting.claiming("n", "p", "c", everything());
        ClaimValidator fail = validator(starting, FailurePolicy.Fail);
        assertThatIllegalStateException().isThrownBy(() -> fail.handle(request("CREATE", "n", "c", "")))
                .withMessageContaining("not been listed");
        assertThat(fail.handle(request("CREATE", "n", "d", ""))).isEqualTo(AdmissionResponse.allowed());
        assertThat(validator(starting, FailurePolicy.Ignore).handle(request("CREATE", "n", "c", "")).message())
                .contains("pod p tolerates its taint");
    }

    @Test
    void the_webhook_is_asked_about_claims_that_are_created() {
        DedicatedConfig config = new DedicatedConfig();
        config.failurePolicy = FailurePolicy.Fail;
        Webhook webhook = cluster.webhook(config, "claims.dedicated.nodeward.io");
        assertThat(webhook.phase()).isEqualTo(AdmissionPhase.VALIDATING);
        assertThat(webhook.fields()).containsEntry("failurePolicy", "Fail").containsKey("namespaceSelector")
                .containsEntry("rules", List.of(Map.of("apiGroups", List.of("resource.k8s.io"), "apiVersions",
                        List.of("v1"), "operations", List.of("CREATE"), "resources", List.of("resourceclaims"), "scope",
                        "Namespaced")));
    }

    private ClaimValidator validator(FailurePolicy failurePolicy) {
        return validator(cluster, failurePolicy);
    }

    private static ClaimValidator validator(DedicatedFixture cluster, FailurePolicy failurePolicy) {
        return validator(cluster, failurePolicy,
                namespace -> cluster.pods.find(DedicatedCaches.OF_NAMESPACE, namespace));
    }

    private static ClaimValidator validator(DedicatedFixture cluster, FailurePolicy failurePolicy,
            Function<String, List<CandidatePod>> waitingPods) {
        return new ClaimValidator(cluster.scope, new LiveObjects(DedicatedFixture::asked, DedicatedFixture::asked,
                waitingPods, () -> DedicatedFixture.asked("claims"), () -> DedicatedFixture.asked("claims")),
                failurePolicy);
    }

    private AdmissionResponse create(String namespace, String name, String request) {
        return validator(FailurePolicy.Fail).handle(request("CREATE", namespace, name, request));
    }

    private static AdmissionRequest request(String operation, String namespace, String name, String request) {
        return request(operation, namespace, name, request, "jane");
    }

    private static AdmissionRequest request(
            String operation, String namespace, String name, String request, String user) {
        Tree claim =
                Trees.read(("{'metadata':{'name':'" + name + "'},'spec':{'devices':{'requests':[" + request + "]}}}")
                        .replace('\'', '"'));
        return new AdmissionRequest("u",
                new AdmissionRequest.GroupVersionKind("resource.k8s.io", "v1", "ResourceClaim"),
                new AdmissionRequest.GroupVersionResource("resource.k8s.io", "v1", "resourceclaims"), "", namespace,
                name,
                operation, new AdmissionRequest.UserInfo(user, "", List.of(), Map.of()), false, claim, Tree.ABSENT);
    }
}
