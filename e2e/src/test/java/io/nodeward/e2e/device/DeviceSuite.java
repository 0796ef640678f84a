package io.nodeward.e2e.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.e2e.cli.Typed;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.LoggedProcess;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Kubectl;
import io.nodeward.e2e.controlplane.KubernetesRelease;
import io.nodeward.e2e.crd.ShippedCrds;
import io.nodeward.e2e.home.HomeSuite;
import io.nodeward.e2e.machine.MachineSuite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The devices controller in a cluster of its own, in which slices are written by hand, as no driver runs, and claims are
 * allocated through their status, as no scheduler does.
 */
final class DeviceSuite extends HomeSuite {
    static final String DRIVER = "gpu.example.com";
    private static final String RESOURCE = "/apis/resource.k8s.io/v1";
    private static final String SLICES = RESOURCE + "/resourceslices";
    private static final String TAINT_SLICES = "/apis/nodeward.io/v1alpha1/devicetaintslices";
    private static final boolean IS_OLDER = KubernetesRelease.used() == KubernetesRelease.V1_36;
    private static final String SERVER_RULES =
            (IS_OLDER ? "/apis/resource.k8s.io/v1beta2" : RESOURCE) + "/devicetaintrules";
    private static final int MOST_DEVICES = 128;
    private static final int THREADS = 8;
    private static final String PODS = "/api/v1/namespaces/ml/pods";

    private final List<LoggedProcess> scheduling = new ArrayList<>();

    /** @param apiServerFlags beside those that all suites have */
    DeviceSuite(String... apiServerFlags) {
        super("devices", "DeviceTaints", DeviceTaintRule.DEFINITION, apiServerFlags);
        ClusterApiCrds.install(admin(), List.of(ShippedCrds.own(DeviceTaintSlice.DEFINITION.plural())));
        namespace("ml");
    }

    /**
     * Of one pool, which is named as the Node.
     *
     * @param devices JSON of a list with apostrophes for quotes
     */
    void slice(String name, String node, int generation, String devices) {
        slice(name, node, generation, 1, devices);
    }

    /** A pool of so many devices {@code d0}, {@code d1} and so on: a slice has 128 at most. */
    void pool(String node, int devices) {
        int slices = (devices + MOST_DEVICES - 1) / MOST_DEVICES;
        for (int i = 0; i < slices; i++) {
            slice(node + "-" + i, node, 1, slices,
                    IntStream.range(i * MOST_DEVICES, Math.min(devices, (i + 1) * MOST_DEVICES))
                            .mapToObj("{'name':'d%d'}"::formatted).collect(Collectors.joining(",", "[", "]")));
        }
    }

    /** Pods that use a device each, of the pool that is named as their Node. */
    void pods(String pool, int count, String tolerations) {
        readyNode(pool);
        pool(pool, count);
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<?>> all = IntStream.range(0, count).<Future<?>>mapToObj(i -> threads.submit(() -> {
                String name = pool + "-" + i;
                claim(name, tolerations);
                pod(name, pool, name);
                allocate(name, pool, "d" + i, tolerations, name);
            })).toList();
            all.forEach(each -> assertThat(each).succeedsWithin(Duration.ofMinutes(5)));
        }
    }

    /** @param slices of the pool in this generation */
    void slice(String name, String node, int generation, int slices, String devices) {
        admin().create(SLICES, sliceOf(name, node, node, generation, slices, devices));
    }

    private static JsonNode sliceOf(
            String name, String node, String pool, int generation, int slices, String devices) {
        return parse("""
                {'metadata':{'name':'%s'},'spec':{'driver':'%s','nodeName':'%s','devices':%s,
                 'pool':{'name':'%s','generation':%d,'resourceSliceCount':%d}}}"""
                .formatted(name, DRIVER, node, devices, pool, generation, slices));
    }

    /** Returns a client with the rights of the kubelet of this Node. */
    AdminClient kubelet(String node) {
        return as("system:node:" + node, "system:nodes");
    }

    /** Creates a slice that names the kubelet's Node, in any pool. */
    static void kubeletSlice(
            AdminClient kubelet, String name, String node, String pool, int generation, String devices) {
        kubelet.create(SLICES, sliceOf(name, node, pool, generation, 1, devices));
    }

    /** @param devices of the slice from now on, as those of {@link #slice} */
    void publish(String slice, String devices) {
        admin().mergePatch(SLICES + "/" + slice, "{\"spec\":{\"devices\":%s}}".formatted(devices.replace('\'', '"')));
    }

    /** As {@link #publish}, in another generation of its pool. */
    void republish(String slice, int generation, String devices) {
        admin().mergePatch(SLICES + "/" + slice, parse("{'spec':{'pool':{'generation':%d},'devices':%s}}"
                .formatted(generation, devices)).toString());
    }

    /** @param taints of devices of the pool, JSON as that of {@link #slice} */
    void taintSlice(String name, String pool, String taints) {
        admin().create(TAINT_SLICES, parse("""
                {'apiVersion':'nodeward.io/v1alpha1','kind':'DeviceTaintSlice','metadata':{'name':'%s'},
                 'spec':{'driver':'%s','pool':'%s','taints':%s}}""".formatted(name, DRIVER, pool, taints)));
    }

    /** @param taints that it has from now on */
    void taintSlice(String name, String taints) {
        admin().mergePatch(TAINT_SLICES + "/" + name, parse("{'spec':{'taints':%s}}".formatted(taints)).toString());
    }

    JsonNode taintSlice(String name) {
        return admin().get(TAINT_SLICES + "/" + name);
    }

    void deleteTaintSlice(String name) {
        admin().delete(TAINT_SLICES + "/" + name);
    }

    void deleteSlice(String name) {
        admin().delete(SLICES + "/" + name);
    }

    void deleteClass(String name) {
        admin().delete(RESOURCE + "/deviceclasses/" + name);
    }

    void deviceClass(String name, String... expressions) {
        admin().create(RESOURCE + "/deviceclasses", Json.tree(Map.of("metadata", Map.of("name", name),
                "spec", Map.of("selectors", Stream.of(expressions)
                        .map(expression -> Map.of("cel", Map.of("expression", expression))).toList()))));
    }

    /**
     * With a scheduler, the controllers that evict for the server's own rules and give claims back, and the class {@code any}
     * of all devices.
     */
    static DeviceSuite scheduled() {
        return IS_OLDER
                ? scheduled(List.of("--runtime-config=resource.k8s.io/v1beta2=true"),
                        "--feature-gates=DRADeviceTaintRules=true")
                : scheduled(List.of());
    }

    /** Starts a suite as {@link #scheduled()} does, on a server with claims of PodGroups, which are off by default. */
    static DeviceSuite withPodGroups() {
        return scheduled(List.of("--runtime-config=scheduling.k8s.io/v1beta1=true"),
                "--feature-gates=GenericWorkload=true,DRAWorkloadResourceClaims=true");
    }

    /** Starts one of a server that has rules of its own, with no scheduler. */
    static DeviceSuite withServerRules() {
        return IS_OLDER
                ? new DeviceSuite("--runtime-config=resource.k8s.io/v1beta2=true",
                        "--feature-gates=DRADeviceTaintRules=true")
                : new DeviceSuite();
    }

    /** As {@link #scheduled()}, of a server that has no rules of its own. */
    static DeviceSuite withoutServerRules() {
        return IS_OLDER
                ? scheduled(List.of())
                : scheduled(List.of("--runtime-config=resource.k8s.io/v1/devicetaintrules=false"),
                        "--feature-gates=DRADeviceTaintRules=false");
    }

    private static DeviceSuite scheduled(List<String> apiServerFlags, String... flags) {
        DeviceSuite suite = new DeviceSuite(
                Stream.concat(apiServerFlags.stream(), Stream.of(flags)).toArray(String[]::new));
        suite.deviceClass("any", "true");
        suite.scheduling.add(suite.controlPlane().scheduler(flags));
        suite.scheduling.add(suite.controlPlane()
                .controllerManager(List.of("device-taint-eviction-controller", "resourceclaim-controller"), flags));
        return suite;
    }

    LoggedProcess controllerManager() {
        return scheduling.getLast();
    }

    /** Waits until nobody has deleted such an object for a while. */
    void awaitQuiet(AuditLog.Mark since, String resource, Duration quiet) {
        controlPlane().audit().settled(since, request -> request.is("delete", resource), quiet);
    }

    /** {@code nodeward} as an administrator types it. */
    Typed typed() {
        return new Typed(controlPlane(), controlPlane().adminKubeconfig());
    }

    /** Somebody who has this role and no other. */
    AdminClient user(String user, String role) {
        bind(role, Map.of("kind", "User", "apiGroup", RBAC, "name", user));
        return as(user);
    }

    Kubectl kubectl() {
        return controlPlane().kubectl();
    }

    /** The names of all. */
    List<String> pods() {
        return admin().get(PODS).path("items").valueStream().map(pod -> pod.at("/metadata/name").asText()).toList();
    }

    JsonNode pod(String name) {
        return admin().get(PODS + "/" + name);
    }

    /** It is there until it has none of these, even if it is deleted. */
    void podFinalizers(String name, String... finalizers) {
        finalizers(PODS + "/" + name, finalizers);
    }

    /** Kubernetes takes back the devices of a claim that has this finalizer, as the scheduler sets it. */
    void protectClaim(String name) {
        finalizers(claims() + "/" + name, "resource.kubernetes.io/delete-protection");
    }

    private void finalizers(String path, String... finalizers) {
        admin().mergePatch(path,
                Json.tree(Map.of("metadata", Map.of("finalizers", List.of(finalizers)))).toString());
    }

    /** The devices that a claim has. */
    List<String> devices(String claim) {
        return admin().get(claims() + "/" + claim).at("/status/allocation/devices/results").valueStream()
                .map(result -> result.path("device").asText()).toList();
    }

    /** Rules of Kubernetes that stand for this rule. */
    List<JsonNode> serverRules(String rule) {
        return serverRules().filter(found -> found.at("/metadata/ownerReferences/0/name").asText().equals(rule))
                .toList();
    }

    /** Those that stand for all rules. */
    Stream<JsonNode> serverRules() {
        return admin().get(SERVER_RULES).path("items").valueStream();
    }

    /** @param patch a merge patch with apostrophes for quotes */
    void editServerRule(String name, String patch) {
        admin().mergePatch(SERVER_RULES + "/" + name, parse(patch).toString());
    }

    void deleteServerRule(String name) {
        admin().delete(SERVER_RULES + "/" + name);
    }

    /** A pod on a Node, or for the scheduler if that has no name, which uses these claims. */
    void pod(String name, String node, String... claims) {
        createPod(name, node, "{}", Stream.of(claims).map("{'name':'%1$s','resourceClaimName':'%1$s'}"::formatted)
                .collect(Collectors.joining(",", "[", "]")));
    }

    /** A pod whose claim comes from a template, with the claim, as the controller-manager makes it. */
    void podWithTemplate(String name, String node, String claim) {
        createPod(name, node, "{}", "[{'name':'gpu','resourceClaimTemplateName':'gpu'}]");
        claim(claim, name, "resource.kubernetes.io/pod-claim-name", "gpu");
        podStatus(name, "{'resourceClaimStatuses':[{'name':'gpu','resourceClaimName':'%s'}]}".formatted(claim));
    }

    /** A pod that asks for an extended resource, with the claim that the scheduler makes of it: its spec names no claim. */
    void podWithExtendedResource(String name, String node, String claim) {
        createPod(name, node, "{'limits':{'example.com/gpu':'1'}}", "[]");
        claim(claim, name, "resource.kubernetes.io/extended-resource-claim", "true");
        podStatus(name, """
                {'extendedResourceClaimStatus':{'resourceClaimName':'%s','requestMappings':[
                 {'containerName':'c','resourceName':'example.com/gpu','requestName':'r'}]}}""".formatted(claim));
    }

    private void createPod(String name, String node, String resources, String claims) {
        createPod(name, specOf(node, 0, resources, claims));
    }

    /** @param spec as {@link #specOf} makes it */
    void createPod(String name, String spec) {
        admin().create(PODS, parse("{'metadata':{'name':'%s'},'spec':%s}".formatted(name, spec)));
    }

    /** @param resources of its container, and claims of the pod: JSON with apostrophes for quotes */
    static String specOf(String node, int graceSeconds, String resources, String claims) {
        return """
                {'nodeName':'%s','resourceClaims':%s,'terminationGracePeriodSeconds':%d,
                 'automountServiceAccountToken':false,'containers':[{'name':'c','image':'i','resources':%s}]}"""
                .formatted(node, claims, graceSeconds, resources);
    }

    /** @param status JSON with apostrophes for quotes */
    void podStatus(String name, String status) {
        admin().mergePatch(PODS + "/" + name + "/status", parse("{'status':%s}".formatted(status)).toString());
    }

    private String uid(String pod) {
        return admin().get(PODS + "/" + pod).at("/metadata/uid").asText();
    }

    /** Of a pod that has finalizers: nobody waits for its end. */
    void beginDeletion(String pod) {
        assertThat(admin().send("DELETE", PODS + "/" + pod + "?gracePeriodSeconds=0", AdminClient.JSON, "").isOk())
                .isTrue();
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
        createClaim("'name':'%s'".formatted(name), tolerations);
    }

    /** A claim that somebody made for a pod, which owns it. */
    private void claim(String name, String pod, String annotation, String value) {
        createClaim("""
                'name':'%s','annotations':{'%s':'%s'},'ownerReferences':[
                 {'apiVersion':'v1','kind':'Pod','name':'%s','uid':'%s','controller':true}]"""
                .formatted(name, annotation, value, pod, uid(pod)), "[]");
    }

    private void createClaim(String metadata, String tolerations) {
        admin().create(claims(), parse("""
                {'metadata':{%s},'spec':{'devices':{'requests':[
                 {'name':'r','exactly':{'deviceClassName':'any','tolerations':%s}}]}}}"""
                .formatted(metadata, tolerations)));
    }

    /** Of the same pod and with another UID. */
    void replaceClaim(String name, String pod) {
        deleteClaim(name);
        claim(name, pod, "resource.kubernetes.io/pod-claim-name", "gpu");
    }

    void deleteClaim(String name) {
        admin().delete(claims() + "/" + name);
    }

    /**
     * As the scheduler does it, with a copy of the claim's tolerations.
     *
     * @param tolerations as those of {@link #claim}
     * @param pods that may use it from now on, which exist
     */
    void allocate(String claim, String pool, String device, String tolerations, String... pods) {
        admin().mergePatch(claims() + "/" + claim + "/status", """
                {'status':{'reservedFor':%s,'allocation':{'devices':{'results':[
                 {'request':'r','driver':'%s','pool':'%s','device':'%s','tolerations':%s}]}}}}"""
                .formatted(consumers(pods), DRIVER, pool, device, tolerations).replace('\'', '"'));
    }

    /** These pods may use it from now on, and no others. */
    void reserve(String claim, String... pods) {
        admin().mergePatch(claims() + "/" + claim + "/status",
                "{\"status\":{\"reservedFor\":%s}}".formatted(consumers(pods)));
    }

    private JsonNode consumers(String... pods) {
        return Json.tree(Stream.of(pods).map(pod -> Map.of("resource", "pods", "name", pod, "uid", uid(pod))).toList());
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

    /** With all that was started with it. */
    void stop() throws Exception {
        try {
            for (LoggedProcess each : scheduling) {
                each.close();
            }
        } finally {
            close();
        }
    }

    static JsonNode parse(String json) {
        return Json.parse(json.replace('\'', '"'));
    }

    private static String claims() {
        return RESOURCE + "/namespaces/ml/resourceclaims";
    }
}
