package io.nodeward.e2e.crd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.json.Trees;
import io.nodeward.core.rules.device.RuleFaults;
import io.nodeward.core.rules.validation.FieldFault;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The schema of DeviceTaintSlice, in a group of its own: the shared server has no controller of them. */
class DeviceTaintSlicesCrdTest {
    private static final String GROUP = "shipped.nodeward.io";
    private static final String SLICES = "/apis/" + GROUP + "/v1alpha1/devicetaintslices";
    private static final String HOT = "'taint':{'key':'example.com/hot','effect':'None'}";
    private static final String NAMES = "'driver':'gpu.example.com','pool':'node-1'";
    private static final String DOMAIN = "a.".repeat(126) + "b";

    private static AdminClient admin;

    @BeforeAll
    static void install() {
        admin = ControlPlane.shared().admin();
        ClusterApiCrds.install(admin, List.of(ShippedCrds.own("devicetaintslices", GROUP)));
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "{" + NAMES + "}",
            "{" + NAMES + ",'taints':[]}",
            "{" + NAMES + ",'eviction':'Respect','deadlineSeconds':31536000}",
            "{'driver':'gpu.example.com','pool':'rack.a/node-1','taints':[{'device':'gpu-0'," + HOT + "},"
                    + "{'device':'gpu-1'," + HOT + "},{'device':'gpu-0','taint':{'key':'example.com/hot','effect':"
                    + "'NoSchedule'}},{'device':'gpu-0','taint':{'key':'example.com/hot','value':'v','effect':'None'}}]}",
            "{" + NAMES + ",'taints':[{'device':'gpu-0','taint':{'key':'hot','value':'very','effect':'NoExecute',"
                    + "'timeAdded':'2026-01-02T03:04:05Z','description':'90 C','evictionsPerSecond':1,"
                    + "'data':{'celsius':90,'fans':[{'rpm':0}],'since':null}}}]}"
    })
    void a_slice_that_can_be_meant_is_stored(String spec) {
        AdminClient.Reply reply = dryRun(spec);
        assertThat(reply.code()).as("%s", reply.body()).isEqualTo(201);
        assertThat(faults(spec)).isEmpty();
    }

    /** The rules of the controller, which look at objects that are older than the schema, find the same. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "{'pool':'p'} | spec.driver",
            "{" + NAMES + ",'eviction':'Evict'} | spec.eviction",
            "{" + NAMES + ",'eviction':'Respect','deadlineSeconds':0} | spec.deadlineSeconds",
            "{" + NAMES + ",'eviction':'Respect','deadlineSeconds':31536001} | spec.deadlineSeconds",
            "{" + NAMES + ",'deadlineSeconds':60} | only be set together with eviction: Respect",
            "{'driver':'d'} | spec.pool",
            "{'driver':'D','pool':'p'} | spec.driver",
            "{'driver':'d','pool':'a//b'} | spec.pool",
            "{'driver':'d','pool':'p','taints':[{" + HOT + "}]} | spec.taints[0].device",
            "{'driver':'d','pool':'p','taints':[{'device':'gpu.0'," + HOT + "}]} | spec.taints[0].device",
            "{'driver':'d','pool':'p','taints':[{'device':'a'}]} | spec.taints[0].taint",
            "{'driver':'d','pool':'p','taints':[{'device':'a','taint':{'key':'kubernetes.io/x','effect':'None'}}]}"
                    + " | keys under kubernetes.io are reserved for Kubernetes",
            "{'driver':'d','pool':'p','taints':[{'device':'a','taint':{'key':'k','effect':'PreferNoSchedule'}}]}"
                    + " | spec.taints[0].taint.effect",
            "{'driver':'d','pool':'p','taints':[{'device':'a'," + HOT + "},{'device':'b'," + HOT + "},{'device':'a',"
                    + HOT + "}]} | a device must not have the same key, value and effect twice"
    })
    void what_no_device_can_have_is_refused(String spec, String reason) {
        assertRefused(spec, reason);
    }

    @Test
    void there_are_at_most_32_taints_however_long_they_are() {
        assertThat(dryRun(taints(32)).code()).isEqualTo(201);
        assertThat(faults(taints(32))).isEmpty();
        assertRefused(taints(33), "must have at most 32 items");
    }

    @Test
    void the_short_name_means_nothing_else() {
        List<String> own = ShippedCrds.own("devicetaintslices")
                .at("/spec/names/shortNames").valueStream().map(JsonNode::asText).toList();
        assertThat(own).containsExactly("ndts");
        List<JsonNode> resources = admin.get("/apis").path("groups").valueStream()
                .map(group -> "/apis/" + group.at("/preferredVersion/groupVersion").asText())
                .flatMap(version -> admin.get(version).path("resources").valueStream())
                .filter(resource -> !resource.path("name").asText().equals("devicetaintslices")).toList();
        assertThat(resources).extracting(resource -> resource.path("name").asText()).contains("resourceslices");
        assertThat(resources).allSatisfy(resource -> assertThat(resource.path("shortNames").valueStream()
                .map(JsonNode::asText).toList()).doesNotContainAnyElementsOf(own));
    }

    /** Each as long as it may be: the server evaluates its rules on this. */
    private static String taints(int count) {
        return IntStream.range(0, count).mapToObj(i -> "{'device':'" + "d".repeat(61) + (10 + i) + "','taint':{'key':'"
                + DOMAIN + "/" + "k".repeat(63) + "','value':'" + "v".repeat(63) + "','effect':'NoSchedule',"
                + "'timeAdded':'2026-01-02T03:04:05Z','description':'" + "\uD83D\uDE00".repeat(1024) + "','data':{'"
                + "x".repeat(10_240 - "{\"\":1}".length()) + "':1}}}")
                .collect(Collectors.joining(",", "{'driver':'" + "d".repeat(63) + "','pool':'" + DOMAIN
                        + "','taints':[", "]}"));
    }

    private static void assertRefused(String spec, String reason) {
        AdminClient.Reply reply = dryRun(spec);
        assertThat(reply.code()).as("%s", reply.body()).isEqualTo(422);
        assertThat(reply.body().path("message").asText()).contains(reason);
        assertThat(faults(spec)).as(spec).isNotEmpty();
    }

    private static List<String> faults(String spec) {
        return RuleFaults.of(DeviceTaintSlice.of(Trees.read(spec.replace('\'', '"')))).stream()
                .map(FieldFault::text).toList();
    }

    private static AdminClient.Reply dryRun(String spec) {
        return admin.send("POST", SLICES + "?dryRun=All", AdminClient.JSON,
                Json.parse(
                        "{'apiVersion':'%s/v1alpha1','kind':'DeviceTaintSlice','metadata':{'name':'health'},'spec':%s}"
                                .formatted(GROUP, spec).replace('\'', '"'))
                        .toString());
    }
}
