package io.nodeward.api.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.api.pod.PodGroupMember;
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
import org.junit.jupiter.params.provider.ValueSource;

class PodProjectionTest {
    @Test
    void a_pod_is_read() throws IOException {
        Pod pod = read("""
                {'kind':'Pod','metadata':{'name':'p','namespace':'team','resourceVersion':'7'},
                 'spec':{'containers':[{'name':'c','tolerations':[]}],'nodeName':'n1','tolerations':[
                  {'key':'k','operator':'Equal','value':'v','effect':'NoExecute',
                   'tolerationSeconds':-9223372036854775808},
                  {'operator':'Exists'}]},
                 'status':{'phase':'Running','qosClass':'Burstable','podIP':'10.0.0.1'}}""");

        assertThat(pod.key()).isEqualTo(new ObjectKey("team", "p"));
        assertThat(pod.nodeName()).isEqualTo("n1");
        assertThat(pod.tolerations()).containsExactly(
                Toleration.equalTo("k", "v", "NoExecute").forSeconds(Long.MIN_VALUE), Toleration.exists("", ""));
        assertThat(pod.qosClass()).isEqualTo("Burstable");
        assertThat(pod.phase()).isEqualTo("Running");
        assertThat(pod.isMirror()).isFalse();
    }

    @Test
    void a_pod_without_anything_is_read_too() throws IOException {
        Pod pod = read("{'spec':{'tolerations':null},'status':5}");

        assertThat(pod.nodeName()).isEmpty();
        assertThat(pod.tolerations()).isEmpty();
        assertThat(pod.qosClass()).isEmpty();
        assertThat(pod.phase()).isEmpty();
    }

    @Test
    void a_kubelets_own_pod_is_told_by_its_annotation() throws IOException {
        assertThat(read("{'metadata':{'annotations':{'kubernetes.io/config.mirror':'abc'}}}").isMirror()).isTrue();
    }

    @Test
    void another_version_is_the_same_state() throws IOException {
        Pod pod = read("{'metadata':{'resourceVersion':'7'},'spec':{'nodeName':'n1','tolerations':[{'key':'k'}]}}");

        assertThat(pod.withResourceVersion("8").metadata().resourceVersion()).isEqualTo("8");
        assertThat(pod.sameState(pod.withResourceVersion("8"))).isTrue();
        assertThat(pod.sameState(read("{'metadata':{'resourceVersion':'7'},'spec':{'nodeName':'n2'}}"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "'5'", "5.5", "9223372036854775808", "[5]", "{}"})
    void a_time_that_is_none_counts_as_absent(String seconds) throws IOException {
        assertThat(read("{'spec':{'tolerations':[{'key':'k','tolerationSeconds':%s,'operator':'Exists'}]}}"
                .formatted(seconds)).tolerations())
                .containsExactly(new Toleration("k", "Exists", "", "", OptionalLong.empty()));
    }

    /** An API server takes so many, from anybody who may create pods. */
    @Test
    void a_pod_with_more_tolerations_than_are_kept_is_read_all_the_same() throws IOException {
        Pod pod = read("{'spec':{'tolerations':[" + tolerations(100_002) + "],'nodeName':'n1'}}");

        assertThat(pod.tolerations()).hasSize(100_001).extracting(Toleration::key).doesNotContain("k100001");
        assertThat(pod.truncatedFields()).containsExactly("spec.tolerations");
        assertThat(pod.nodeName()).isEqualTo("n1");
        assertThat(read("{'spec':{'tolerations':[" + tolerations(100_000) + "]}}").truncatedFields()).isEmpty();
    }

    private static String tolerations(int many) {
        return IntStream.range(0, many).mapToObj(i -> "{'key':'k" + i + "'}").collect(Collectors.joining(","));
    }

    @Test
    void equal_tolerations_are_read_once_in_the_order_of_the_first() throws IOException {
        Pod pod = read("{'spec':{'tolerations':[" + "{'key':'k'},{'key':'l'},".repeat(50_001) + "{'key':'k'}]}}");

        assertThat(pod.tolerations()).extracting(Toleration::key).containsExactly("k", "l");
        assertThat(pod.isTruncated()).isFalse();
    }

    @Test
    void who_only_has_to_know_where_a_pod_runs_reads_nothing_that_its_author_can_make_long() throws IOException {
        Pod pod = Projection.PLACED_POD.read("""
                {'metadata':{'name':'p','namespace':'n','uid':'u','labels':{'a':'b'},'annotations':{'c':'d'},
                  'deletionTimestamp':'now'},
                 'spec':{'nodeName':'n1','tolerations':[{'key':'k'}]},'status':{'phase':'Failed'}}"""
                .replace('\'', '"').getBytes(StandardCharsets.UTF_8));

        assertThat(pod).isEqualTo(new Pod(new Metadata(new ObjectKey("n", "p"), "u", "", Map.of(), Map.of(), List.of(),
                true), "n1", List.of(), "", "Failed"));
    }

    @Test
    void a_pod_of_a_group_names_the_claims_that_it_uses() throws IOException {
        Pod pod = Projection.PLACED_POD.read("""
                {'metadata':{'name':'p','namespace':'n'},
                 'status':{'resourceClaimStatuses':[{'name':'made','resourceClaimName':'p-made-x1'},{'name':'none'},
                   {'name':'unknown','resourceClaimName':'x'}]},
                 'spec':{'resourceClaims':[{'name':'own','resourceClaimName':'shared'},
                   {'name':'made','resourceClaimTemplateName':'t'},{'name':'none','resourceClaimTemplateName':'t'},
                   {'name':'later','resourceClaimTemplateName':'t'},7],'schedulingGroup':{'podGroupName':'g'}}}"""
                .replace('\'', '"').getBytes(StandardCharsets.UTF_8));

        assertThat(pod.member()).contains(new PodGroupMember("g", List.of("shared", "p-made-x1")));
        assertThat(pod.podGroup()).contains(new ObjectKey("n", "g"));
        assertThat(pod.withResourceVersion("2").member()).isEqualTo(pod.member());
    }

    private static Pod read(String json) throws IOException {
        return Projection.POD.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
