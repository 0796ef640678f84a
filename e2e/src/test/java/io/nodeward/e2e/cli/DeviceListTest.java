package io.nodeward.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Command.Result;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What device list and explain device say of a real server's objects, as a driver and a scheduler write them. */
class DeviceListTest {
    private static final String DRIVER = "list.example.com";
    private static final String SLICE = "/apis/resource.k8s.io/v1/resourceslices/device-list";
    private static final String CLAIMS = "/apis/resource.k8s.io/v1/namespaces/device-list/resourceclaims";
    private static final String NAMESPACE = "/api/v1/namespaces/device-list";
    private static final String PODS = NAMESPACE + "/pods";

    private static final String TOLERATION =
            "{'key':'example.com/hot','operator':'Exists','effect':'NoExecute','tolerationSeconds':600}";

    private static AdminClient admin;
    private static Typed typed;

    @BeforeAll
    static void start() {
        ControlPlane controlPlane = ControlPlane.shared();
        admin = controlPlane.admin();
        typed = new Typed(controlPlane, controlPlane.adminKubeconfig());
        admin.create("/api/v1/namespaces", parse("{'metadata':{'name':'device-list'}}"));
        admin.createIfAbsent(NAMESPACE + "/serviceaccounts", parse("{'metadata':{'name':'default'}}"));
        admin.create("/apis/resource.k8s.io/v1/resourceslices", parse("""
                {'metadata':{'name':'device-list'},'spec':{'driver':'list.example.com','nodeName':'list-1',
                 'pool':{'name':'list-1','generation':1,'resourceSliceCount':1},'devices':[
                 {'name':'x0','attributes':{'model':{'string':'a'}},'capacity':{'memory':{'value':'80Gi'}},
                  'taints':[{'key':'example.com/hot','value':'very','effect':'NoExecute'}]},{'name':'x1'}]}}"""));
        JsonNode pod = admin.create(PODS, parse("""
                {'metadata':{'name':'user'},'spec':{'nodeName':'list-1','containers':[{'name':'c','image':'i'}]}}"""));
        admin.create(CLAIMS, parse("""
                {'metadata':{'name':'claim'},'spec':{'devices':{'requests':[{'name':'r','exactly':
                 {'deviceClassName':'any','tolerations':[%1$s]}}]}}}""".formatted(TOLERATION)));
        AdminClient.Reply reply = admin.send("PATCH", CLAIMS + "/claim/status", AdminClient.MERGE_PATCH, """
                {'status':{'allocation':{'devices':{'results':[{'request':'r','driver':'list.example.com',
                 'pool':'list-1','device':'x0','tolerations':[%1$s]}]}},
                 'reservedFor':[{'resource':'pods','name':'user','uid':'%2$s'}]}}"""
                .formatted(TOLERATION, pod.at("/metadata/uid").asText()).replace('\'', '"'));
        assertThat(reply.isOk()).as("%s", reply.body()).isTrue();
    }

    @AfterAll
    static void end() {
        admin.delete(SLICE);
        admin.delete(CLAIMS + "/claim");
        admin.send("DELETE", PODS + "/user?gracePeriodSeconds=0", AdminClient.JSON, "");
    }

    @Test
    void devices_are_listed_with_taints_and_users() {
        Result result = typed.run("device", "list", "--driver", DRIVER, "-o", "wide");
        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.out().lines().map(line -> line.replaceAll(" +", " ").replaceAll(" \\d+[sm] ", " 1s ")))
                .containsExactly(
                        "NODE DEVICE TAINT FROM BY AGE DESCRIPTION USED BY",
                        "list-1 list.example.com/list-1/x0 example.com/hot=very:NoExecute driver 1s device-list/user (claim)",
                        "list-1 list.example.com/list-1/x1");
    }

    @Test
    void a_device_is_explained_with_who_uses_it() {
        Result result = typed.run("explain", "device", "list-1/x0", "-o", "json");
        assertThat(result.exit()).as(result.err()).isZero();
        JsonNode json = Json.parse(result.out());
        assertThat(json.path("resourceSlice").asText()).isEqualTo("device-list");
        assertThat(json.at("/taints/0/timeAdded").asText()).as("by the server").startsWith("20");
        assertThat(json.at("/pods/0/state").asText()).isEqualTo("Running");
        assertThat(json.at("/pods/0/evictions/0/afterSeconds").asLong()).isEqualTo(600);
        assertThat(List.of("toleratedBy", "taint")).allSatisfy(field -> assertThat(
                json.at("/pods/0/evictions/0").path(field).asText()).startsWith("example.com/hot"));
    }

    private static JsonNode parse(String json) {
        return Json.parse(json.replace('\'', '"'));
    }
}
