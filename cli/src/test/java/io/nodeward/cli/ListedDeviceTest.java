package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.cli.Cluster.Result;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Devices whose taints a DeviceTaintSlice lists. */
class ListedDeviceTest {
    private static final String DEVICES = """
            apiVersion: v1
            kind: List
            items:
            - apiVersion: resource.k8s.io/v1
              kind: ResourceSlice
              metadata: {name: s}
              spec:
                driver: gpu.example.com
                nodeName: n1
                pool: {name: n1, generation: 1, resourceSliceCount: 1}
                devices:
                - name: a
                  taints: [{key: gpu.example.com/hot, effect: NoSchedule, timeAdded: "2026-03-01T10:00:00Z"}]
                - {name: b}
            - apiVersion: nodeward.io/v1alpha1
              kind: DeviceTaintSlice
              metadata: {name: health, creationTimestamp: "2026-03-02T10:00:00Z"}
              spec:
                driver: gpu.example.com
                pool: n1
                taints:
                - {device: a, taint: {key: example.com/ecc, value: v, effect: NoExecute}}
                - {device: a, taint: {key: example.com/temperature, effect: None, data: {celsius: 91}}}
                - {device: typo, taint: {key: example.com/ecc, effect: NoSchedule}}
              status:
                observedTaints:
                - {device: a, key: example.com/ecc, value: v, effect: NoExecute, since: "2026-03-03T10:00:00Z"}
            - apiVersion: resource.k8s.io/v1
              kind: DeviceTaintRule
              metadata:
                name: nodeward-health-0
                ownerReferences:
                - {apiVersion: nodeward.io/v1alpha1, kind: DeviceTaintSlice, name: health, uid: u}
              spec: {deviceSelector: {device: a}, taint: {key: example.com/ecc, value: v, effect: NoExecute}}
            - apiVersion: resource.k8s.io/v1
              kind: ResourceClaim
              metadata: {name: c, namespace: shop}
              status:
                allocation: {devices: {results: [{request: r, driver: gpu.example.com, pool: n1, device: a}]}}
                reservedFor: [{resource: pods, name: p, uid: u}]
            - apiVersion: v1
              kind: Pod
              metadata: {name: p, namespace: shop, uid: u}
              spec: {nodeName: n1}
              status: {phase: Running}
            """;

    private static Result explain(String devices, String... more) {
        return Typed.run(devices, concat(new String[]{"explain", "device", "-f", "-"}, more));
    }

    private static Result list(String devices, String... more) {
        return Typed.run(devices, concat(new String[]{"device", "list", "-f", "-"}, more));
    }

    private static String[] concat(String[] first, String... more) {
        String[] all = Arrays.copyOf(first, first.length + more.length);
        System.arraycopy(more, 0, all, first.length, more.length);
        return all;
    }

    /** Gives the claim to a PodGroup, and adds two of its pods: one names the claim. */
    private static String ofGroup() {
        String group = DEVICES.replace("{resource: pods, name: p, uid: u}",
                "{apiGroup: scheduling.k8s.io, resource: podgroups, name: gang, uid: g}");
        String pod =
                """
                        - apiVersion: v1
                          kind: Pod
                          metadata: {name: gang-%1$d, namespace: shop, uid: g%1$d}
                          spec: {nodeName: n1, schedulingGroup: {podGroupName: gang}, resourceClaims: [{name: r, resourceClaimName: %2$s}]}
                          status: {phase: Running}
                        """;
        return group + pod.formatted(0, "c") + pod.formatted(1, "other");
    }

    @Test
    void the_pods_of_a_group_use_a_device_if_they_name_the_claim() {
        assertThat(explain(ofGroup(), "n1/a").out()).contains("Claim shop/c has it, for these pods:", "shop/gang-0")
                .doesNotContain("gang-1", "shop/p ");
        assertThat(list(ofGroup()).out()).containsPattern(" PodGroup *\n.* shop/gang \\(c\\)");
        assertThat(list(ofGroup(), "-o", "json").out()).contains("\"pods\" : [ ]", "\"podGroups\" : [ \"shop/gang\" ]");
    }

    @Test
    void explain_shows_taints_of_the_driver_and_of_the_list_with_their_origins() {
        Result result = explain(DEVICES, "n1/a");
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).isEqualTo("""
                Device gpu.example.com/n1/a, on Node n1

                gpu.example.com/hot:NoSchedule
                  from    driver, in ResourceSlice s
                  since   2026-03-01T10:00:00Z
                  effect  Kubernetes does not give the device to claims that do not tolerate it;
                          nobody evicts pods for it

                example.com/ecc=v:NoExecute
                  from    DeviceTaintSlice health: driver gpu.example.com; pool n1; device a
                  since   2026-03-03T10:00:00Z
                  effect  Nodeward evicts pods whose claims do not tolerate it, one by one

                example.com/temperature:None
                  from    DeviceTaintSlice health: driver gpu.example.com; pool n1; device a
                  since   not set
                  effect  none: it is information
                  data    {"celsius":91}

                Claim shop/c has it, for these pods:
                POD     CLAIM  TAINT                        EVICTED  TOLERATED
                shop/p  c      example.com/ecc=v:NoExecute  at once  no
                Counted from when the taint was added. A taint of a rule of Nodeward counts as
                if its effect were NoExecute.
                """);
    }

    @Test
    void explain_says_whether_budgets_hold_up_pods_and_for_how_long() {
        String respecting = DEVICES.replace("    pool: n1\n", "    pool: n1\n    eviction: Respect\n");
        assertThat(respecting).isNotEqualTo(DEVICES);
        assertThat(explain(respecting, "n1/a", "-o", "wide").out().replaceAll("\\s+", " ")).contains(
                "one by one, as their PodDisruptionBudgets permit example.com/temperature");
        String deadline = respecting.replace("eviction: Respect\n", "eviction: Respect\n    deadlineSeconds: 3600\n");
        assertThat(explain(deadline, "n1/a", "-o", "wide").out().replaceAll("\\s+", " "))
                .contains("PodDisruptionBudgets permit; after 3600s it deletes those that are left");
    }

    @Test
    void what_is_listed_for_other_devices_is_not_said_of_this_one() {
        assertThat(explain(DEVICES, "n1/b").out()).isEqualTo("""
                Device gpu.example.com/n1/b, on Node n1

                It has no taint.

                No claim has it.
                """);
    }

    @Test
    void list_names_the_slice_and_devices_that_nobody_publishes() {
        Result result = list(DEVICES);
        assertThat(result.err()).isEmpty();
        assertThat(result.out().lines().filter(line -> line.contains("taint slice health"))).hasSize(2);
        assertThat(result.out()).contains("driver ").endsWith("Rules that select no published device: health (typo)\n");
        assertThat(list(DEVICES, "-o", "wide").out().lines().filter(line -> line.contains("taint slice health")))
                .allMatch(line -> line.contains("gpu.example.com/n1/a"))
                .anyMatch(line -> line.contains("example.com/ecc=v:NoExecute"))
                .anyMatch(line -> line.contains("example.com/temperature:None"));
    }

    @Test
    void programs_read_the_slice_and_the_device_that_it_names() throws IOException {
        JsonNode json = Cluster.JSON.readTree(list(DEVICES, "-o", "json").out());
        JsonNode taint = json.at("/devices/0/taints/1");
        assertThat(taint.path("from").asText()).isEqualTo("DeviceTaintSlice health");
        assertThat(taint.path("taintSlice").asText()).isEqualTo("health");
        assertThat(taint.has("rule")).isFalse();
        assertThat(taint.path("timeAdded").asText()).isEqualTo("2026-03-03T10:00:00Z");
        assertThat(json.at("/rulesWithoutDevices/0").toString())
                .isEqualTo("{\"taintSlice\":\"health\",\"group\":\"nodeward.io\",\"listedDevice\":\"typo\"}");
    }

    @Test
    void names_are_those_that_kubectl_takes() {
        assertThat(explain(DEVICES, "n1/a", "-o", "name").out())
                .isEqualTo("resourceslice/s\ndevicetaintslice.nodeward.io/health\n");
    }

    @Test
    void a_slice_with_a_fault_lists_nothing_and_a_warning_names_it() {
        Result result = explain(DEVICES.replace("device: typo", "device: ty.po"), "n1/b");
        assertThat(result.err()).contains("DeviceTaintSlice health is invalid, so it selects nothing: "
                + "spec.taints[2].device: Invalid value: \"ty.po\"");
        assertThat(explain(DEVICES.replace("device: typo", "device: ty.po"), "n1/a").out())
                .doesNotContain("example.com/ecc");
    }
}
