package io.nodeward.api.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.AdmissionReviews;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.api.pod.Toleration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CandidatePodTest {
    @Test
    void a_pod_is_read_with_what_makes_it_a_member() throws IOException {
        CandidatePod pod = read("""
                {'metadata':{'name':'p','namespace':'n','labels':{'app':'x'},'resourceVersion':'7'},
                 'spec':{'nodeName':'foo','serviceAccountName':'build','priority':3,
                  'tolerations':[{'key':'a','operator':'Exists','effect':'NoExecute','tolerationSeconds':300},
                      {'key':'b','value':'c'}],
                  'initContainers':[{'name':'i','resources':{'limits':{'example.com/nic':1}}}],
                  'containers':[{'name':'c','resources':{'requests':{'cpu':'100m','example.com/gpu':'2'}}},{}],
                  'resourceClaims':[{'name':'x','resourceClaimName':'claim'},
                      {'name':'y','resourceClaimTemplateName':'template'},{'name':'z'}]},
                 'status':{'phase':'Running','qosClass':'Burstable','podIP':'10.0.0.1'}}""");
        assertThat(pod.key()).isEqualTo(new ObjectKey("n", "p"));
        assertThat(pod.pod().nodeName()).isEqualTo("foo");
        assertThat(pod.pod().phase()).isEqualTo("Running");
        assertThat(pod.pod().qosClass()).isEqualTo("Burstable");
        assertThat(pod.pod().tolerations()).containsExactly(
                Toleration.exists("a", "NoExecute").forSeconds(300),
                new Toleration("b", "", "c", "", OptionalLong.empty()));
        assertThat(pod.serviceAccount()).isEqualTo("build");
        assertThat(pod.resources()).containsOnly("cpu", "example.com/gpu", "example.com/nic");
        assertThat(pod.claims()).containsExactly(
                new PodClaim(false, new ObjectKey("n", "claim")), new PodClaim(true, new ObjectKey("n", "template")));
        assertThat(pod.withResourceVersion("8").metadata().resourceVersion()).isEqualTo("8");
        assertThat(pod.withResourceVersion("8").sameState(pod)).isTrue();
    }

    @Test
    void the_claim_that_was_made_for_a_pod_counts_in_place_of_its_template() throws IOException {
        CandidatePod pod =
                read("""
                        {'metadata':{'name':'p','namespace':'n'},
                         'spec':{'resourceClaims':[{'name':'made','resourceClaimTemplateName':'t'},
                             {'name':'none','resourceClaimTemplateName':'t'},{'name':'later','resourceClaimTemplateName':'t'},
                             {'name':'own','resourceClaimName':'c'}]},
                         'status':{'resourceClaimStatuses':[{'name':'made','resourceClaimName':'p-made-x7'},{'name':'none'}]}}""");
        assertThat(pod.claims()).containsExactly(new PodClaim(false, new ObjectKey("n", "p-made-x7")),
                new PodClaim(true, new ObjectKey("n", "t")), new PodClaim(false, new ObjectKey("n", "c")));
    }

    @ParameterizedTest
    @CsvSource({"'[{\"fieldsV1\":{\"f:spec\":{\"f:nodeName\":{}}}}]', true",
            "'[{\"fieldsV1\":{\"f:metadata\":{}}},{\"fieldsV1\":{\"f:spec\":{\"f:nodeName\":{}}}}]', true",
            "'[{\"fieldsV1\":{\"f:spec\":{\"f:containers\":{}}}}]', false", "'[{}]', false", "'7', false"})
    void its_author_chose_its_node_if_the_field_is_managed(String managedFields, boolean given) throws IOException {
        CandidatePod pod = read("{'metadata':{'name':'p','managedFields':" + managedFields
                + ",'uid':'u'},'spec':{'nodeName':'foo'}}");
        assertThat(pod.nodeGiven()).isEqualTo(given);
        assertThat(pod.withResourceVersion("8").nodeGiven()).isEqualTo(given);
        assertThat(pod.metadata().uid()).isEqualTo("u");
    }

    @Test
    void a_pod_that_names_no_account_runs_as_default_and_one_without_anything_is_read() throws IOException {
        CandidatePod pod = read("{'metadata':{'name':'p','namespace':'n'}}");
        assertThat(pod.serviceAccount()).isEqualTo("default");
        assertThat(pod.resources()).isEmpty();
        assertThat(pod.claims()).isEmpty();
        assertThat(pod.isFinished()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"2, true", "'\"2\"', true", "'\"500m\"', true", "'\"1e3\"', true", "'\"0.5\"', true", "0, false",
            "'\"0\"', false", "'\"0e9\"', false", "'\"0k\"', false", "'{}', false"})
    void a_request_of_nothing_is_none(String quantity, boolean requested) throws IOException {
        CandidatePod pod = read(
                "{'spec':{'containers':[{'resources':{'requests':{'example.com/gpu':" + quantity + "}}}]}}");
        assertThat(pod.resources().contains("example.com/gpu")).isEqualTo(requested);
    }

    @ParameterizedTest
    @CsvSource({"Succeeded, true", "Failed, true", "Running, false", "Pending, false"})
    void a_pod_ends_once(String phase, boolean finished) throws IOException {
        assertThat(read("{'status':{'phase':'" + phase + "'}}").isFinished()).isEqualTo(finished);
    }

    @Test
    void a_pod_that_is_being_created_is_read_by_the_key_of_its_request() throws IOException {
        String review =
                """
                        {'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','request':{'uid':'u','object':
                         {'metadata':{'generateName':'p-','labels':{'app':'x'},
                           'annotations':{'kubernetes.io/config.mirror':'m','other':'long'},
                           'ownerReferences':[{'apiVersion':'apps/v1','kind':'DaemonSet','name':'d','uid':'u','controller':true},
                               {'apiVersion':'v1','kind':'Node','name':'n','uid':'v'}]},
                          'spec':{'tolerations':[{'key':'a','operator':'Exists'}],'serviceAccountName':'build',
                           'containers':[{'name':'c','image':'i','resources':{'limits':{'example.com/gpu':'1'}}}],
                           'affinity':{'podAffinity':{'x':[]},'nodeAffinity':{
                             'preferredDuringSchedulingIgnoredDuringExecution':[],
                             'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':[{}]}}}}}}}""";
        Tree object = AdmissionReviews.read(review.replace('\'', '"').getBytes(StandardCharsets.UTF_8),
                AdmissionReviews.shape(CandidatePod.WRITTEN)).object();
        CandidatePod pod = CandidatePod.created(new ObjectKey("n", ""), object);
        assertThat(pod.key()).isEqualTo(new ObjectKey("n", ""));
        assertThat(pod.metadata().labels()).containsExactly(Map.entry("app", "x"));
        assertThat(pod.metadata().annotations()).containsExactly(Map.entry("kubernetes.io/config.mirror", "m"));
        assertThat(pod.metadata().owners()).containsExactly(new OwnerRef("apps/v1", "DaemonSet", "d", "u", true),
                new OwnerRef("v1", "Node", "n", "v", false));
        assertThat(pod.pod().tolerations()).containsExactly(Toleration.exists("a", ""));
        assertThat(pod.serviceAccount()).isEqualTo("build");
        assertThat(pod.resources()).containsExactly("example.com/gpu");
        assertThat(object.at(List.of("spec", "affinity"))).isEqualTo(Tree.of(Map.of("nodeAffinity", Map.of(
                "requiredDuringSchedulingIgnoredDuringExecution", Map.of("nodeSelectorTerms", List.of(Map.of()))))));
    }

    @Test
    void equal_tolerations_count_once_so_that_64_distinct_ones_of_any_number_are_kept() throws IOException {
        CandidatePod pod = read("{'spec':{'tolerations':[" + elements(64, "{'key':'k%d'}") + ","
                + elements(45_000, "{'key':'k0'}") + "]}}");
        assertThat(pod.isTruncated()).isFalse();
        assertThat(pod.pod().tolerations()).hasSize(64).extracting(Toleration::key).startsWith("k0", "k1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "spec.tolerations (64 distinct)|'spec':{'tolerations':[%s]}|65|{'key':'k%d'}",
            "spec.tolerations (64 distinct)|'spec':{'tolerations':[%s]}|45000|{'key':'k%d'}",
            "metadata.labels (256)|'metadata':{'labels':{%s}}|257|'l%d':'x'",
            "spec.resourceClaims (256 distinct)|'spec':{'resourceClaims':[%s]}|257|{'resourceClaimName':'c%d'}",
            "spec.containers (256 distinct)|'spec':{'containers':[%s]}|257|{'resources':{'requests':{'cpu':%d}}}",
            "spec.containers[*].resources (256 distinct)|'spec':{'containers':[{'resources':{'limits':{%s}}}]}|257|"
                    + "'example.com/r%d':0",
            "status.resourceClaimStatuses (256 distinct)|'status':{'resourceClaimStatuses':[%s]}|257|{'name':'c%d'}"})
    void of_a_pod_over_a_bound_nothing_is_kept_that_its_author_can_make_long(
            String field, String where, int many, String element) throws IOException {
        String parts = where.formatted(elements(many, element));
        CandidatePod pod = read("{" + parts + "}");
        assertThat(pod.isTruncated()).isTrue();
        assertThat(pod.truncatedFields()).containsExactly(field);
        assertThat(pod.withResourceVersion("8").truncatedFields()).containsExactly(field);
        assertThat(pod.pod().tolerations()).isEmpty();
        assertThat(pod.metadata().labels()).isEmpty();
        assertThat(pod.resources()).isEmpty();
        assertThat(pod.claims()).isEmpty();
        assertThat(read("{" + where.formatted(elements(many < 100 ? 64 : 256, element)) + "}").isTruncated())
                .isEqualTo(many > 257);
    }

    @Test
    void of_a_pod_over_a_bound_it_is_kept_where_it_runs_whose_it_is_and_whether_it_has_ended() throws IOException {
        CandidatePod pod = read("""
                {'metadata':{'name':'p','namespace':'n','uid':'u','resourceVersion':'7','deletionTimestamp':'now',
                  'annotations':{'kubernetes.io/config.mirror':'m','other':'long'},
                  'ownerReferences':[{'apiVersion':'v1','kind':'X','name':'x','uid':'x'},
                      {'apiVersion':'apps/v1','kind':'DaemonSet','name':'d','uid':'u','controller':true}]},
                 'spec':{'nodeName':'foo','serviceAccountName':'build','tolerations':[%s]},
                 'status':{'phase':'Failed'}}""".formatted(elements(65, "{'key':'k%d'}")));
        assertThat(pod.metadata()).isEqualTo(new Metadata(new ObjectKey("n", "p"), "u", "7", Map.of(),
                Map.of("kubernetes.io/config.mirror", "m"),
                List.of(new OwnerRef("apps/v1", "DaemonSet", "d", "u", true)), true));
        assertThat(pod.pod().nodeName()).isEqualTo("foo");
        assertThat(pod.serviceAccount()).isEqualTo("build");
        assertThat(pod.isFinished()).isTrue();
    }

    @Test
    void a_pod_over_another_bound_keeps_its_claims_which_decide_what_may_be_made_of_them() throws IOException {
        String pod = """
                {'metadata':{'name':'p','namespace':'n','labels':{%s}},
                 'spec':{'resourceClaims':[{'name':'a','resourceClaimName':'c'},
                     {'name':'b','resourceClaimTemplateName':'t'},{'name':'d','resourceClaimTemplateName':'t'}]},
                 'status':{'resourceClaimStatuses':[{'name':'d','resourceClaimName':'made'}]}}""";
        List<PodClaim> claims = read(pod.formatted(elements(256, "'l%d':'x'"))).claims();
        CandidatePod truncated = read(pod.formatted(elements(257, "'l%d':'x'")));
        assertThat(truncated.isTruncated()).isTrue();
        assertThat(truncated.claims()).isEqualTo(claims).hasSize(3);
        CandidatePod most = read("{'metadata':{'labels':{%s}},'spec':{'resourceClaims':[%s]}}".formatted(
                elements(257, "'l%d':'x'"), elements(256, "{'resourceClaimName':'c%d'}")));
        assertThat(most.claims()).hasSize(256);
    }

    @Test
    void texts_that_no_api_server_limits_are_not_kept_when_they_are_long() throws IOException {
        String text = "x".repeat(20_000);
        CandidatePod pod =
                read("""
                        {'metadata':{'annotations':{'kubernetes.io/config.mirror':'%1$s'},
                          'ownerReferences':[{'apiVersion':'apps/v1','kind':'DaemonSet','name':'%1$s','uid':'u','controller':true}]},
                         'status':{'phase':'%1$s'}}"""
                        .formatted(text));
        assertThat(pod.pod().isMirror()).isTrue();
        assertThat(pod.metadata().annotations()).containsValue("");
        assertThat(pod.metadata().owners()).isEmpty();
        assertThat(pod.pod().phase()).isEmpty();
    }

    @Test
    void of_a_daemon_set_over_a_bound_it_is_kept_that_its_template_is_not_known() throws IOException {
        DaemonTemplate daemon = DaemonTemplate.PROJECTION.read("""
                {'metadata':{'name':'d','namespace':'n','annotations':{'a':'b'}},'spec':{'template':{'spec':{
                 'nodeSelector':{'a':'b'},'tolerations':[%s]}}}}""".formatted(elements(65, "{'key':'k%d'}"))
                .replace('\'', '"').getBytes(StandardCharsets.UTF_8));
        assertThat(daemon.truncatedFields()).containsExactly("spec.template.spec.tolerations (64 distinct)");
        assertThat(daemon.spec()).isEqualTo(Tree.ABSENT);
        assertThat(daemon.pod().pod().tolerations()).isEmpty();
        assertThat(daemon.metadata().annotations()).isEmpty();
    }

    @Test
    void a_pod_that_is_being_created_is_known_whole_also_over_a_bound() {
        List<Map<String, String>> tolerations =
                IntStream.range(0, 65).mapToObj(i -> Map.of("key", "k" + i)).toList();
        CandidatePod pod = CandidatePod.created(new ObjectKey("n", ""),
                Tree.of(Map.of("spec", Map.of("tolerations", tolerations))));
        assertThat(pod.pod().tolerations()).hasSize(65);
        assertThat(pod.truncatedFields()).containsExactly("spec.tolerations (64 distinct)");
    }

    /** @param element with its number as {@code %d}, if it has one */
    private static String elements(int many, String element) {
        return IntStream.range(0, many).mapToObj(i -> element.replace("%d", Integer.toString(i)))
                .collect(Collectors.joining(","));
    }

    private static CandidatePod read(String json) throws IOException {
        return CandidatePod.PROJECTION.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
