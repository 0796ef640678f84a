package io.nodeward.api.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Toleration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
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

    private static CandidatePod read(String json) throws IOException {
        return CandidatePod.PROJECTION.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
