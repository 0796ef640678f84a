package io.nodeward.e2e.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.crd.ShippedCrds;
import io.nodeward.e2e.machine.HomeAccount;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the status of a DeviceTaintRule says, of what a driver, a scheduler and a kubelet would have written. */
class DevicePreviewTest {
    private static final String RULES = "/apis/nodeward.io/v1alpha1/devicetaintrules";
    private static final String SLICES = "/apis/resource.k8s.io/v1/resourceslices";
    private static final String CLAIMS = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String BROKEN = "device.attributes[\\\"gpu.example.com\\\"].model == \\\"broken\\\"";
    private static final String TAINT = "'taint':{'key':'example.com/broken','effect':'None'}";

    private ControlPlane controlPlane;

    private void start(String... flags) {
        controlPlane = ControlPlane.start(Options.standard().withApiServerFlags(flags));
        ClusterApiCrds.install(admin(), List.of(ShippedCrds.own("devicetaintrules")));
        admin().createIfAbsent("/api/v1/namespaces/default/serviceaccounts", parse("{'metadata':{'name':'default'}}"));
    }

    @AfterEach
    void stop() {
        controlPlane.close();
    }

    @Test
    void it_follows_devices_claims_and_pods_and_says_after_a_restart_what_is_unknown() {
        start();
        Path kubeconfig = HomeAccount.of(controlPlane, "devices", RULES);
        publish("s", "broken", "good");
        allocate("claim", "x0", "victim");
        allocate("tolerates", "x0", "stays");
        AuditLog.Mark mark = controlPlane.audit().mark();
        try (RunningNodeward nodeward = run(kubeconfig)) {
            rule("cel", "'deviceSelector':{'selectors':[{'cel':{'expression':'" + BROKEN + "'}}]}," + TAINT);
            awaitStatus("cel", "True", "InEffect", "1");
            assertThat(status("cel").path("observedGeneration").asInt()).isPositive()
                    .isEqualTo(admin().get(RULES + "/cel").at("/metadata/generation").asInt());
            JsonNode preview = status("cel").path("preview");
            assertThat(names(preview, "devices")).containsExactly("gpu.example.com/node-1/x0");
            assertThat(names(preview, "evicted")).containsExactly("default/victim");
            assertThat(names(preview, "tolerating")).containsExactly("default/stays");
            String added = time("cel");
            assertThat(added).as("by the controller").matches("20\\d\\d-.*:\\d\\dZ");
            applyWithoutTime("cel");
            admin().delete(PODS + "/victim"); // which its kubelet, which there is not, has to end
            awaitStatus("cel", "True", "InEffect", "0");
            assertThat(time("cel")).isEqualTo(added);
            rule("bad", "'deviceSelector':{'selectors':[{'cel':{'expression':'device.nome'}}]}," + TAINT);
            awaitStatus("bad", "False", "Invalid", "");
            rule("class", "'deviceSelector':{'deviceClassName':'gpus'}," + TAINT);
            awaitStatus("class", "False", "DeviceClassNotFound", "0");
            nodeward.awaitIdle();
        }
        assertThat(patches(mark, "", "cel")).as("the time is written once").hasSize(1);
        assertThat(controlPlane.audit().since(mark).filter(DevicePreviewTest::isOurs))
                .allMatch(request -> request.code() < 400);
        admin().delete(SLICES + "/s");
        try (RunningNodeward nodeward = run(kubeconfig)) {
            await().atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(condition("cel", "DevicesUnknown")
                    .path("message").asText()).contains("gpu.example.com/node-1/x0: no ResourceSlice publishes"));
            assertThat(status("cel").has("pods")).isFalse();
            assertThat(condition("cel", "Ready").path("status").asText()).isEqualTo("True");
            assertThat(nodeward.isReady()).isTrue();
        }
    }

    @Test
    @Tag("deep")
    void a_rule_says_that_the_server_has_no_devices_and_counts_none() {
        start("--runtime-config=resource.k8s.io/v1=false");
        Path kubeconfig = HomeAccount.of(controlPlane, "devices", RULES);
        rule("all", "'deviceSelector':{}," + TAINT);
        try (RunningNodeward nodeward = run(kubeconfig, "--blocked-after=1s")) {
            awaitStatus("all", "Unknown", "Waiting", "");
            assertThat(condition("all", "Ready").path("message").asText())
                    .startsWith("waiting for all deviceclasses, resourceslices, resourceclaims of the cluster.");
            assertThat(status("all").has("devices")).isFalse();
            assertThat(nodeward.isReady()).as("other controllers run").isTrue();
        }
    }

    private static RunningNodeward run(Path kubeconfig, String... more) {
        return RunningNodeward.start(kubeconfig, Stream.concat(
                Stream.of("--controllers=devices", "--feature-gates=DeviceTaints=true"), Stream.of(more))
                .toArray(String[]::new));
    }

    /** Devices x0, x1 and so on, of these models. */
    private void publish(String slice, String... models) {
        String devices = IntStream.range(0, models.length)
                .mapToObj(i -> "{'name':'x%d','attributes':{'model':{'string':'%s'}}}".formatted(i, models[i]))
                .collect(Collectors.joining(","));
        admin().create(SLICES, parse("""
                {'metadata':{'name':'%s'},'spec':{'driver':'gpu.example.com','nodeName':'node-1',
                 'pool':{'name':'node-1','generation':1,'resourceSliceCount':1},'devices':[%s]}}"""
                .formatted(slice, devices)));
    }

    /** A pod on the Node of the device, and its claim, which tolerates all if its name says so. */
    private void allocate(String claim, String device, String pod) {
        String toleration = claim.equals("tolerates") ? ",'tolerations':[{'operator':'Exists'}]" : "";
        JsonNode running = admin().create(PODS, parse("""
                {'metadata':{'name':'%s'},'spec':{'nodeName':'node-1','containers':[{'name':'c','image':'i'}]}}"""
                .formatted(pod)));
        admin().create(CLAIMS, parse("""
                {'metadata':{'name':'%s'},'spec':{'devices':{'requests':[
                 {'name':'r','exactly':{'deviceClassName':'any'%s}}]}}}""".formatted(claim, toleration)));
        AdminClient.Reply reply = admin().send("PATCH", CLAIMS + "/" + claim + "/status", AdminClient.MERGE_PATCH,
                """
                        {'status':{'allocation':{'devices':{'results':[{'request':'r','driver':'gpu.example.com','pool':'node-1',
                         'device':'%s'%s}]}},'reservedFor':[{'resource':'pods','name':'%s','uid':'%s'}]}}"""
                        .formatted(device, toleration, pod, running.at("/metadata/uid").asText()).replace('\'', '"'));
        assertThat(reply.isOk()).as("%s", reply.body()).isTrue();
    }

    private void rule(String name, String spec) {
        admin().create(RULES, parse("""
                {'apiVersion':'nodeward.io/v1alpha1','kind':'DeviceTaintRule','metadata':{'name':'%s'},'spec':{%s}}"""
                .formatted(name, spec)));
    }

    /** As a tool does that keeps the rule as it is in its repository. */
    private void applyWithoutTime(String name) {
        AdminClient.Reply reply = admin().send("PATCH", RULES + "/" + name + "?fieldManager=gitops",
                AdminClient.APPLY_PATCH, parse("""
                        {'apiVersion':'nodeward.io/v1alpha1','kind':'DeviceTaintRule','metadata':{'name':'%s'},
                         'spec':{%s}}""".formatted(name, TAINT)).toString());
        assertThat(reply.isOk()).as("%s", reply.body()).isTrue();
    }

    private String time(String rule) {
        return admin().get(RULES + "/" + rule).at("/spec/taint/timeAdded").asText();
    }

    private JsonNode status(String rule) {
        return admin().get(RULES + "/" + rule).path("status");
    }

    private JsonNode condition(String rule, String type) {
        return status(rule).path("conditions").valueStream()
                .filter(condition -> condition.path("type").asText().equals(type)).findFirst()
                .orElseGet(() -> parse("{}"));
    }

    /** @param pods that would be evicted; empty if that is not shown */
    private void awaitStatus(String rule, String ready, String reason, String pods) {
        await(rule).atMost(MachineSuite.PATIENCE).untilAsserted(() -> {
            JsonNode object = admin().get(RULES + "/" + rule);
            JsonNode condition = condition(rule, "Ready");
            assertThat(condition.path("status").asText()).as("%s", object).isEqualTo(ready);
            assertThat(condition.path("reason").asText()).isEqualTo(reason);
            assertThat(condition.path("observedGeneration").asInt())
                    .isEqualTo(object.at("/metadata/generation").asInt());
            assertThat(object.at("/status/pods").asText()).isEqualTo(pods);
        });
    }

    private static List<String> names(JsonNode preview, String field) {
        return preview.path(field).path("names").valueStream().map(JsonNode::asText).toList();
    }

    private List<AuditRequest> patches(AuditLog.Mark since, String subresource, String name) {
        return controlPlane.audit().since(since).filter(request -> isOurs(request) && request.isWrite()
                && request.resource().equals("devicetaintrules" + subresource) && request.name().equals(name)).toList();
    }

    private static boolean isOurs(AuditRequest request) {
        return request.user().equals(HomeAccount.user("devices"));
    }

    private AdminClient admin() {
        return controlPlane.admin();
    }

    private static JsonNode parse(String json) {
        return Json.parse(json.replace('\'', '"'));
    }
}
