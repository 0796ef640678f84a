package io.nodeward.e2e.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.home.HomeSuite;
import io.nodeward.e2e.machine.MachineSuite;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The devices controller in a cluster of its own, in which slices are written by hand, as no driver runs, and claims are
 * allocated through their status, as no scheduler does.
 */
final class DeviceSuite extends HomeSuite {
    static final String DRIVER = "gpu.example.com";
    private static final String RESOURCE = "/apis/resource.k8s.io/v1";
    private static final String SLICES = RESOURCE + "/resourceslices";
    private static final String PODS = "/api/v1/namespaces/ml/pods";

    DeviceSuite() {
        super("devices", "DeviceTaints", DeviceTaintRule.DEFINITION);
        namespace("ml");
    }

    /**
     * Of one pool, which is named as the Node.
     *
     * @param devices JSON of a list with apostrophes for quotes
     */
    void slice(String name, String node, int generation, String devices) {
        admin().create(SLICES, Json.parse("""
                {'metadata':{'name':'%s'},'spec':{'driver':'%s','nodeName':'%s','devices':%s,
                 'pool':{'name':'%s','generation':%d,'resourceSliceCount':1}}}"""
                .formatted(name, DRIVER, node, devices, node, generation).replace('\'', '"')));
    }

    /** @param devices of the slice from now on, as those of {@link #slice} */
    void publish(String slice, String devices) {
        admin().mergePatch(SLICES + "/" + slice, "{\"spec\":{\"devices\":%s}}".formatted(devices.replace('\'', '"')));
    }

    void deleteSlice(String name) {
        admin().delete(SLICES + "/" + name);
    }

    void deviceClass(String name, String... expressions) {
        admin().create(RESOURCE + "/deviceclasses", Json.tree(Map.of("metadata", Map.of("name", name),
                "spec", Map.of("selectors", Stream.of(expressions)
                        .map(expression -> Map.of("cel", Map.of("expression", expression))).toList()))));
    }

    /** A pod on a Node, which uses these claims. */
    void pod(String name, String node, String... claims) {
        List<Map<String, String>> uses = Stream.of(claims)
                .map(claim -> Map.of("name", claim, "resourceClaimName", claim)).toList();
        admin().create(PODS, Json.tree(Map.of("metadata", Map.of("name", name), "spec",
                Map.of("nodeName", node, "resourceClaims", uses,
                        "containers", List.of(Map.of("name", "c", "image", "i"))))));
    }

    void deletePod(String name) {
        admin().delete(PODS + "/" + name + "?gracePeriodSeconds=0");
    }

    /**
     * A claim of one device. No server asks whether there is its class.
     *
     * @param tolerations JSON of a list with apostrophes for quotes
     */
    void claim(String name, String tolerations) {
        admin().create(claims(), Json.parse("""
                {'metadata':{'name':'%s'},'spec':{'devices':{'requests':[
                 {'name':'r','exactly':{'deviceClassName':'any','tolerations':%s}}]}}}"""
                .formatted(name, tolerations).replace('\'', '"')));
    }

    /**
     * As the scheduler does it, with a copy of the claim's tolerations.
     *
     * @param tolerations as those of {@link #claim}
     * @param pods that may use it from now on, which exist
     */
    void allocate(String claim, String pool, String device, String tolerations, String... pods) {
        admin().mergePatch(claims() + "/" + claim + "/status", """
                {'status':{'allocation':{'devices':{'results':[
                 {'request':'r','driver':'%s','pool':'%s','device':'%s','tolerations':%s}]}}}}"""
                .formatted(DRIVER, pool, device, tolerations).replace('\'', '"'));
        reserve(claim, pods);
    }

    /** These pods may use it from now on, and no others. */
    void reserve(String claim, String... pods) {
        List<Map<String, String>> consumers = Stream.of(pods).map(pod -> Map.of("resource", "pods", "name", pod,
                "uid", admin().get(PODS + "/" + pod).at("/metadata/uid").asText())).toList();
        admin().mergePatch(claims() + "/" + claim + "/status",
                Json.tree(Map.of("status", Map.of("reservedFor", consumers))).toString());
    }

    /** Waits until the status counts so many devices, and pods that would be evicted. */
    void awaitCounts(String rule, int devices, int pods) {
        await(rule + " counts").atMost(MachineSuite.PATIENCE).untilAsserted(() -> {
            JsonNode status = status(rule);
            assertThat(status.path("devices").asText()).as("" + status).isEqualTo("" + devices);
            assertThat(status.path("pods").asText()).as("" + status).isEqualTo("" + pods);
        });
    }

    /** Those that the status names in this part of its preview. */
    List<String> names(String rule, String part) {
        return status(rule).at("/preview/" + part + "/names").valueStream().map(JsonNode::asText).toList();
    }

    private static String claims() {
        return RESOURCE + "/namespaces/ml/resourceclaims";
    }
}
