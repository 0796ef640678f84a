package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.admission.JsonPatch;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.ClaimedClasses;
import io.nodeward.api.dedicated.LabeledNamespace;
import io.nodeward.api.dedicated.PodClaim;
import io.nodeward.api.json.Projection;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.controller.dedicated.DedicatedConfig.FailurePolicy;
import io.nodeward.core.rules.dedicated.ClaimView;
import io.nodeward.core.rules.dedicated.Preview;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.webhook.AdmissionHandler;
import io.nodeward.core.runtime.webhook.Webhook;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What {@link PodReviews} adds to a pod that is created. */
class PodMutationTest {
    private static final Map<String, Object> BANANA = Map.of(
            "nodes", Map.of("names", List.of("foo")), "who", Map.of("namespaces", List.of("banana")));
    private static final String LABEL = "node-restriction.kubernetes.io/dedicated";
    private static final String TOLERATION = "{'key':'dedicated','operator':'Equal','value':'banana'}";
    private static final String TERM =
            "{'matchExpressions':[{'key':'" + LABEL + "','operator':'In','values':['banana']}]}";
    private static final String PATCHED =
            "{'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
                    + "{'nodeSelectorTerms':[" + TERM + "]}}},'containers':[],'tolerations':[" + TOLERATION + "]}";
    private static final String EMPTY = "{'containers':[]}";

    private final DedicatedFixture cluster = new DedicatedFixture(1);
    private final ObjectCache<ClaimedClasses> claims = cluster.claims.claims();
    /** What the API server answers about claims that the caches do not have. */
    private ClaimView claimsOfServer = ClaimView.NONE;
    private final ObjectCache<ClaimedClasses> templates = cluster.claims.templates();
    /** Namespaces and claims that were asked for. */
    private final List<String> asked = new ArrayList<>();
    private Map<String, String> answer = Map.of();
    private final PodMeters meters = new PodMeters(cluster.registry);
    private final AdmissionHandler mutator = mutator(cluster, namespace -> {
        asked.add(namespace);
        return Optional.of(answer);
    });

    PodMutationTest() {
        cluster.node("foo", Map.of());
        claims.replace(Set.of());
        templates.replace(Set.of());
    }

    @Test
    void a_member_gets_toleration_and_affinity_and_nothing_more_when_it_is_asked_about_again() {
        enforce("banana", exclusive(BANANA));
        Tree pod = pod("banana", EMPTY);
        AdmissionResponse first = create("banana", pod);
        Tree patched = applied(first.patch(), pod);
        assertThat(Trees.text(patched.at("spec"))).isEqualTo(json(PATCHED));
        assertThat(create("banana", patched).patch()).as("reinvoked").isEqualTo(JsonPatch.EMPTY);
        assertThat(create("cherry", pod("cherry", EMPTY))).isEqualTo(AdmissionResponse.allowed());
        assertThat(asked).as("requests to the API server").isEmpty();
        assertThat(counted("banana", "Enforce")).isEqualTo(1);
    }

    @Test
    void a_group_is_in_force_for_pods_when_its_status_says_so() {
        cluster.declare("banana", exclusive(BANANA), "Enforce", "NoSchedule");
        assertThat(paths("banana")).as("declared").containsExactly("/spec/tolerations");
        cluster.reconcileGroup("banana");
        assertThat(paths("banana")).as("established").containsExactly("/spec/tolerations", "/spec/affinity");
        cluster.declare("banana", exclusive(BANANA), "Audit", "NoSchedule");
        cluster.reconcileGroup("banana");
        assertThat(create("banana", pod("banana", EMPTY)).patch()).as("back").isEqualTo(JsonPatch.EMPTY);
    }

    @Test
    void warn_tolerates_and_warns_also_before_the_groups_have_been_compared() {
        cluster.declare("banana", exclusive(BANANA), "Warn", "NoSchedule");
        for (int reviews = 1; reviews <= 2; reviews++) {
            AdmissionResponse warned = create("banana", pod("banana", EMPTY));
            assertThat(warned.patch().operations()).extracting(JsonPatch.Operation::path)
                    .containsExactly("/spec/tolerations");
            assertThat(warned.warnings()).singleElement().asString()
                    .contains("DedicatedNodes banana", LABEL + "=banana");
            assertThat(counted("banana", "Warn")).isEqualTo(reviews);
            cluster.reconcileGroup("banana");
        }
    }

    /** An edit may be a mistake, which the comparison finds. */
    @Test
    void before_the_groups_have_been_compared_nothing_opens_the_nodes_of_a_group_that_is_in_force() {
        enforce("banana", BANANA);
        Map<String, Object> wider = new HashMap<>(BANANA);
        wider.put("who", Map.of("namespaces", List.of("banana", "cherry")));
        cluster.declare("banana", wider, "Enforce", "NoSchedule");
        assertThat(paths("cherry")).as("an edit").isEmpty();
        assertThat(cluster.scope.resolved("banana")).as("compared").isPresent();
        assertThat(paths("cherry")).containsExactly("/spec/tolerations");
        wider.put("taint", Map.of("key", "dedicated", "value", "other", "effects", List.of("NoSchedule")));
        cluster.declare("banana", wider, "Enforce");
        assertThat(paths("cherry")).as("an edit of the taint").isEmpty();
        Map<String, Object> guest = new HashMap<>(Map.of("nodes", Map.of("names", List.of("bar")), "who",
                Map.of("namespaces", List.of("guest"))));
        guest.put("taint", Map.of("key", "dedicated", "value", "banana", "effects", List.of("NoSchedule")));
        cluster.declare("guest", guest, "Warn");
        assertThat(paths("guest")).as("a group with the same taint").isEmpty();
        guest.put("taint", Map.of("key", "node.kubernetes.io/not-ready", "effects", List.of("NoSchedule")));
        cluster.declare("guest", guest, "Warn");
        assertThat(paths("guest")).as("a taint of others").isEmpty();
    }

    private List<String> paths(String namespace) {
        return create(namespace, pod(namespace, EMPTY)).patch().operations().stream().map(JsonPatch.Operation::path)
                .toList();
    }

    @Test
    void a_member_counts_once_while_an_edit_of_its_group_waits() {
        enforce("banana", BANANA);
        cluster.declare("banana", exclusive(BANANA), "Enforce", "NoSchedule");
        assertThat(cluster.scope.resolved("banana")).as("compared").isPresent();
        assertThat(create("banana", pod("banana", EMPTY)).warnings()).as("of the edit").hasSize(1);
        assertThat(counted("banana", "Enforce")).isEqualTo(1);
        assertThat(cluster.registry.find("nodeward.dedicated.new.pods").tag("enforcement", "Warn").counters())
                .isEmpty();
    }

    @Test
    void enforce_does_what_warn_does_until_the_status_records_it() {
        cluster.declare("banana", exclusive(BANANA), "Enforce", "NoSchedule");
        assertThat(cluster.scope.resolved("banana")).as("compared").isPresent();
        AdmissionResponse waiting = create("banana", pod("banana", EMPTY));
        assertThat(waiting.patch().operations()).extracting(JsonPatch.Operation::path)
                .containsExactly("/spec/tolerations");
        assertThat(waiting.warnings()).hasSize(1);
        assertThat(counted("banana", "Warn")).isEqualTo(1);
        cluster.reconcileGroup("banana");
        assertThat(create("banana", pod("banana", EMPTY)).warnings()).isEmpty();
    }

    @Test
    void a_group_with_warn_that_contradicts_one_in_force_gives_nothing() {
        enforce("banana", BANANA);
        cluster.declare("cherry", Map.of("nodes", Map.of("names", List.of("foo")), "who",
                Map.of("namespaces", List.of("cherry"))), "Warn", "NoSchedule");
        cluster.reconcileGroup("cherry");
        assertThat(create("cherry", pod("cherry", EMPTY)).patch()).isEqualTo(JsonPatch.EMPTY);
    }

    @Test
    void audit_counts_and_does_nothing() {
        cluster.declare("banana", exclusive(BANANA), "Audit", "NoSchedule");
        cluster.reconcileGroup("banana");
        assertThat(create("banana", pod("banana", EMPTY))).isEqualTo(AdmissionResponse.allowed());
        assertThat(counted("banana", "Audit")).isEqualTo(1);
        mutator.handle(request("banana", pod("banana", EMPTY), "CREATE", "", true));
        assertThat(counted("banana", "Audit")).as("nothing is stored in a dry run").isEqualTo(1);
        PodMeters.forget(cluster.registry, "banana");
        assertThat(cluster.registry.find("nodeward.dedicated.new.pods").counters()).isEmpty();
    }

    @Test
    void the_seeds_example_of_gpus_counts_init_containers_too() {
        enforce("gpu", Map.of("nodes", Map.of("names", List.of("foo")), "who",
                Map.of("resources", List.of("example.com/gpu"))));
        String requests = "{'name':'c','resources':{'requests':{'example.com/gpu':'1'}}}";
        for (String list : List.of("containers", "initContainers")) {
            assertThat(create("any", pod("any", "{'" + list + "':[{'name':'b'}," + requests + "]}")).patch()
                    .operations()).as(list).hasSize(1);
        }
        assertThat(create("any", pod("any", EMPTY)).patch()).isEqualTo(JsonPatch.EMPTY);
    }

    @Test
    void a_device_class_counts_through_claim_and_template_once_they_are_known() {
        enforce("gpu", Map.of("nodes", Map.of("names", List.of("foo")), "who",
                Map.of("deviceClasses", List.of("gpu.example.com"))));
        Tree claiming = pod("any", "{'resourceClaims':[{'name':'x','resourceClaimName':'c'}]}");
        Tree templated = pod("any", "{'resourceClaims':[{'name':'x','resourceClaimTemplateName':'t'}]}");
        assertThat(create("any", claiming).patch()).isEqualTo(JsonPatch.EMPTY);
        assertThat(create("any", templated).patch()).isEqualTo(JsonPatch.EMPTY);
        assertThat(unknownClaims()).isEqualTo(2);
        String requests = "{'devices':{'requests':[{'name':'r','exactly':{'deviceClassName':'gpu.example.com'}}]}}";
        claims.put(read(ClaimedClasses.OF_CLAIM,
                "{'metadata':{'name':'c','namespace':'any','resourceVersion':'1'},'spec':" + requests + "}"));
        templates.put(read(ClaimedClasses.OF_TEMPLATE,
                "{'metadata':{'name':'t','namespace':'any','resourceVersion':'1'},'spec':{'spec':" + requests + "}}"));
        assertThat(create("any", claiming).patch().operations()).hasSize(1);
        assertThat(create("any", templated).patch().operations()).hasSize(1);
        assertThat(create("other", pod("other", "{'resourceClaims':[{'name':'x','resourceClaimName':'c'}]}")).patch())
                .as("the claim of another namespace").isEqualTo(JsonPatch.EMPTY);
        assertThat(unknownClaims()).isEqualTo(3);
        assertThat(asked).as("claims that the caches lack").hasSize(3);
    }

    @Test
    void a_claim_that_may_be_there_and_is_not_listed_yet_is_answered_by_the_failure_policy() {
        DedicatedFixture starting = new DedicatedFixture(1);
        starting.node("foo", Map.of());
        Map<String, Object> gpu = Map.of("nodes", Map.of("names", List.of("foo")), "who",
                Map.of("deviceClasses", List.of("gpu.example.com")));
        AdmissionHandler early = mutator(starting, namespace -> Optional.of(answer));
        AdmissionRequest claiming = request("any",
                pod("any", "{'resourceClaims':[{'name':'x','resourceClaimName':'c'}]}"), "CREATE", "", false);
        starting.declare("gpu", gpu, "Audit", "NoSchedule");
        assertThat(early.handle(claiming)).as("it only counts").isEqualTo(AdmissionResponse.allowed());
        starting.declare("gpu", gpu, "Enforce", "NoSchedule");
        starting.reconcileGroup("gpu");
        assertThat(early.handle(request("any", pod("any", EMPTY), "CREATE", "", false)))
                .as("without claims").isEqualTo(AdmissionResponse.allowed());
        assertThatIllegalStateException().isThrownBy(() -> early.handle(claiming)).withMessageContaining("any/");
        starting.declare("any", Map.of("nodes", Map.of("names", List.of("bar")), "who",
                Map.of("namespaces", List.of("any"))), "Enforce", "NoSchedule");
        starting.reconcileGroup("any");
        assertThatIllegalStateException().as("it lacks one of two").isThrownBy(() -> early.handle(claiming));
        assertThat(reviews(starting, namespace -> Optional.of(answer), FailurePolicy.Ignore).mutate(claiming).patch()
                .operations())
                .as("what is certain").hasSize(1);
        starting.declare("any", Map.of(), "Audit", "NoSchedule");
        starting.reconcileGroup("any");
        starting.claims.claims().replace(Set.of());
        assertThatIllegalStateException().as("templates").isThrownBy(() -> early.handle(claiming));
        starting.claims.templates().replace(Set.of());
        assertThat(early.handle(claiming)).as("it is not there").isEqualTo(AdmissionResponse.allowed());
    }

    /** The other review of the pod may know the claim. */
    @Test
    void a_claim_that_the_watch_has_not_brought_yet_is_asked_for() {
        cluster.declare("rest", Map.of("shared", true), "Warn", "NoSchedule");
        cluster.reconcileGroup("rest");
        enforce("gpu", Map.of("nodes", Map.of("names", List.of("foo")), "who",
                Map.of("deviceClasses", List.of("gpu.example.com"))));
        Tree pod = pod("any", "{'resourceClaims':[{'name':'x','resourceClaimName':'c'}]}");
        assertThat(tolerated(pod)).as("there is no such claim").containsExactly("rest");
        claimsOfServer = claim -> Optional.of(Set.of(Set.of("gpu.example.com")));
        assertThat(tolerated(pod)).containsExactly("gpu");
        claimsOfServer = claim -> Optional.of(Set.of(Set.of("nic.example.com")));
        assertThat(tolerated(pod)).containsExactly("rest");
        assertThat(asked).containsExactly("any/c", "any/c", "any/c");
    }

    @Test
    void claims_that_change_nothing_are_not_asked_for_and_no_more_than_16() {
        Map<String, Object> gpu = Map.of("nodes", Map.of("names", List.of("foo")), "who",
                Map.of("deviceClasses", List.of("gpu.example.com")));
        cluster.declare("gpu", gpu, "Audit", "NoSchedule");
        cluster.reconcileGroup("gpu");
        Tree pod = pod("any", IntStream.range(0, 40)
                .mapToObj(i -> "{'name':'r" + i + "','resourceClaimName':'c" + i % 20 + "'}")
                .collect(Collectors.joining(",", "{'resourceClaims':[", "]}")));
        create("any", pod);
        assertThat(asked).as("Audit only counts").isEmpty();
        enforce("gpu", gpu);
        create("any", pod);
        assertThat(asked).hasSize(PodReviews.MOST_CLAIMS).doesNotHaveDuplicates();
    }

    private List<String> tolerated(Tree pod) {
        return create("any", pod).patch().operations().stream().flatMap(change -> change.value().elements().stream())
                .map(toleration -> toleration.at("value").string()).toList();
    }

    @Test
    void the_status_counts_the_members_that_the_webhook_knows() {
        String spec = "{'resourceClaims':[{'name':'x','resourceClaimTemplateName':'t'}]}";
        cluster.pods.put(read(CandidatePod.PROJECTION,
                "{'metadata':{'name':'p','namespace':'any','resourceVersion':'1'},'spec':" + spec + "}"));
        cluster.declare("gpu", Map.of("nodes", Map.of("names", List.of("foo")), "who",
                Map.of("deviceClasses", List.of("gpu.example.com"))), "Audit", "NoSchedule");
        assertThat(preview("gpu").awaitingClaims()).isEqualTo(1);
        template("gpu.example.com");
        assertThat(preview("gpu").awaitingClaims()).isZero();
        assertThat(preview("gpu").members().names()).containsExactly("any/p");
        create("any", pod("any", spec));
        assertThat(counted("gpu", "Audit")).isEqualTo(1);
    }

    @Test
    void a_pod_that_may_get_another_device_is_no_member() {
        enforce("gpu", Map.of("nodes", Map.of("names", List.of("foo")), "who",
                Map.of("deviceClasses", List.of("gpu.example.com"))));
        Tree pod = pod("any", "{'resourceClaims':[{'name':'x','resourceClaimName':'c'}]}");
        claims.put(read(ClaimedClasses.OF_CLAIM, """
                {'metadata':{'name':'c','namespace':'any','resourceVersion':'1'},'spec':{'devices':{'requests':[
                 {'name':'r','firstAvailable':[{'name':'a','deviceClassName':'gpu.example.com'},
                   {'name':'b','deviceClassName':'cpu.example.com'}]}]}}}"""));
        assertThat(create("any", pod)).isEqualTo(AdmissionResponse.allowed());
        assertThat(unknownClaims()).isZero();
    }

    @Test
    void a_pod_with_more_terms_than_can_be_patched_is_refused_where_it_would_be_restricted() {
        enforce("banana", exclusive(BANANA));
        String terms = String.join(",", Collections.nCopies(1001, "{'matchFields':[{'key':'metadata.name'}]}"));
        String spec = "{'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
                + "{'nodeSelectorTerms':[" + terms + "]}}}}";
        assertThat(create("banana", pod("banana", spec)).message()).contains("nodeSelectorTerms: has 1001 terms");
        assertThat(create("cherry", pod("cherry", spec))).isEqualTo(AdmissionResponse.allowed());
    }

    private void template(String deviceClass) {
        templates.put(read(ClaimedClasses.OF_TEMPLATE, """
                {'metadata':{'name':'t','namespace':'any','resourceVersion':'1'},'spec':{'spec':{'devices':{'requests':[
                 {'name':'r','exactly':{'deviceClassName':'%s'}}]}}}}""".formatted(deviceClass)));
    }

    private Preview preview(String group) {
        return cluster.preview(group);
    }

    @Test
    void a_namespace_that_the_cache_does_not_have_yet_is_asked_for_if_its_labels_count() {
        enforce("banana", BANANA);
        create("unknown", pod("unknown", EMPTY));
        assertThat(asked).as("no group has a namespaceSelector").isEmpty();
        enforce("labelled", Map.of("nodes", Map.of("names", List.of("bar")), "who",
                Map.of("namespaceSelector", Map.of("matchLabels", Map.of("team", "a")))));
        answer = Map.of("team", "a");
        assertThat(create("unknown", pod("unknown", EMPTY)).patch().operations()).hasSize(1);
        assertThat(asked).containsExactly("unknown");
        answer = Map.of();
        assertThat(create("unknown", pod("unknown", EMPTY)).patch()).isEqualTo(JsonPatch.EMPTY);
        cluster.namespace("unknown", Map.of("team", "a"));
        assertThat(create("unknown", pod("unknown", EMPTY)).patch().operations()).as("now it has").hasSize(1);
        assertThat(asked).hasSize(2);
    }

    @Test
    void a_namespace_whose_labels_are_not_known_is_asked_for_only_if_memory_is_short() {
        enforce("labelled", Map.of("nodes", Map.of("names", List.of("bar")), "who",
                Map.of("namespaceSelector", Map.of("matchLabels", Map.of("team", "a")))));
        answer = Map.of("team", "a");
        LabeledNamespace known = cluster.namespace("unknown", Map.of("team", "a"));
        cluster.namespaces.put(known.reduced());
        assertThat(create("unknown", pod("unknown", EMPTY)).patch().operations()).hasSize(1);
        assertThat(asked).containsExactly("unknown");
        cluster.namespace("unknown", IntStream.range(0, 257).mapToObj(String::valueOf)
                .collect(Collectors.toMap(label -> label, label -> "")));
        assertThat(create("unknown", pod("unknown", EMPTY)).patch()).isEqualTo(JsonPatch.EMPTY);
        assertThat(asked).as("it has too many for anybody").hasSize(1);
    }

    @Test
    void while_the_namespace_cannot_be_read_the_failure_policy_decides() {
        enforce("labelled", Map.of("nodes", Map.of("names", List.of("foo")), "who",
                Map.of("namespaceSelector", Map.of("matchLabels", Map.of("team", "a")))));
        AdmissionHandler cut = mutator(cluster, namespace -> {
            throw new IllegalStateException("planted");
        });
        assertThatIllegalStateException().as("an answer would be final").isThrownBy(
                () -> cut.handle(request("unknown", pod("unknown", EMPTY), "CREATE", "", false)));
    }

    @Test
    void what_is_no_creation_of_a_pod_is_let_through() {
        enforce("banana", BANANA);
        Tree pod = pod("banana", EMPTY);
        for (AdmissionRequest other : List.of(
                request("banana", pod, "UPDATE", "", false), request("banana", pod, "CREATE", "binding", false),
                request("banana", Tree.ABSENT, "CREATE", "", false),
                request("banana", Tree.of(Map.of("spec", "x")), "CREATE", "", false))) {
            assertThat(mutator.handle(other)).isEqualTo(AdmissionResponse.allowed());
        }
    }

    @Test
    void the_webhook_leaves_out_namespaces_that_it_needs_itself() {
        DedicatedConfig config = new DedicatedConfig();
        config.failurePolicy = FailurePolicy.Fail;
        config.systemNamespaces = List.of("cilium");
        Webhook webhook = cluster.webhook(config, "new-pods.dedicated.nodeward.io");
        assertThat(webhook.fields()).containsEntry("failurePolicy", "Fail")
                .containsEntry("reinvocationPolicy", "IfNeeded").containsEntry("objectSelector", Map.of())
                .containsEntry("namespaceSelector", Map.of("matchExpressions", List.of(Map.of("key",
                        "kubernetes.io/metadata.name", "operator", "NotIn", "values",
                        List.of("cilium", "kube-system", "nodeward-system")))));
    }

    private AdmissionHandler mutator(DedicatedFixture of, Function<String, Optional<Map<String, String>>> labels) {
        return reviews(of, labels, FailurePolicy.Fail)::mutate;
    }

    private PodReviews reviews(DedicatedFixture of, Function<String, Optional<Map<String, String>>> labels,
            FailurePolicy failurePolicy) {
        return new PodReviews(of.scope, new LiveObjects(labels, DedicatedFixture::asked, DedicatedFixture::asked,
                () -> DedicatedFixture.asked("claims"), this::newClaims), failurePolicy, meters);
    }

    /** It is asked for each claim once, as the real one is. */
    private ClaimView newClaims() {
        Map<PodClaim, Optional<Set<Set<String>>>> known = new HashMap<>();
        return claim -> known.computeIfAbsent(claim, one -> {
            asked.add(one.key().toString());
            return claimsOfServer.requests(one);
        });
    }

    private void enforce(String name, Map<String, Object> spec) {
        cluster.declare(name, spec, "Enforce", "NoSchedule");
        cluster.reconcileGroup(name);
    }

    private static Map<String, Object> exclusive(Map<String, Object> spec) {
        Map<String, Object> exclusive = new HashMap<>(spec);
        exclusive.put("exclusive", true);
        return exclusive;
    }

    private double counted(String group, String enforcement) {
        return cluster.registry.get("nodeward.dedicated.new.pods").tag("group", group).tag("enforcement", enforcement)
                .counter().count();
    }

    private double unknownClaims() {
        return cluster.registry.get("nodeward.dedicated.new.pods.claims.unknown").counter().count();
    }

    private AdmissionResponse create(String namespace, Tree pod) {
        return mutator.handle(request(namespace, pod, "CREATE", "", false));
    }

    private static Tree pod(String namespace, String spec) {
        return Trees
                .read(json("{'metadata':{'generateName':'p-','namespace':'" + namespace + "'},'spec':" + spec + "}"));
    }

    private static AdmissionRequest request(
            String namespace, Tree object, String operation, String subresource, boolean dryRun) {
        return new AdmissionRequest("u", new AdmissionRequest.GroupVersionKind("", "v1", "Pod"),
                new AdmissionRequest.GroupVersionResource("", "v1", "pods"), subresource, namespace, "", operation,
                new AdmissionRequest.UserInfo("jane", "", List.of(), Map.of()), dryRun, object, Tree.ABSENT);
    }

    /** As an API server does with additions of fields that are not there. */
    private static Tree applied(JsonPatch patch, Tree object) {
        Map<String, Tree> spec = new TreeMap<>(((Tree.Fields) object.at("spec")).fields());
        for (JsonPatch.Operation operation : patch.operations()) {
            assertThat(operation.op()).isEqualTo("add");
            assertThat(operation.path()).startsWith("/spec/").doesNotEndWith("/-");
            spec.put(operation.path().substring("/spec/".length()), operation.value());
        }
        return Tree.of(Map.of("metadata", object.at("metadata"), "spec", new Tree.Fields(spec)));
    }

    private static <T extends KubernetesObject> T read(Projection<T> as, String text) {
        try {
            return as.read(json(text).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new AssertionError(text, e);
        }
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }
}
