package io.nodeward.api.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.core.Event;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.Cluster.Initialization;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.ObjectKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterProjectionTest {
    private static final String FOREIGN = "{'type':'Available','status':'False','reason':'X','message':'m'}";
    private static final String OWN = "{'type':'nodeward.io/Blocked','status':'True','reason':'KubeconfigRefused',"
            + "'message':'m','lastTransitionTime':'2026-11-21T10:00:00Z'}";
    private static final Condition BLOCKED = new Condition("nodeward.io/Blocked", "True", "KubeconfigRefused", "m",
            Instant.parse("2026-11-21T10:00:00Z"));

    @ParameterizedTest(name = "{1}: {0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                                                                              | NOT_REPORTED
            {'observedGeneration':1}                                                        | NOT_REPORTED
            {'conditions':[OWN]}                                                            | NOT_REPORTED
            {'conditions':[{'type':'example.com/Audited','status':'True'}]}                 | NOT_REPORTED
            {'phase':'Pending'}                                                             | AWAITING_INFRASTRUCTURE
            {'conditions':[FOREIGN]}                                                        | AWAITING_INFRASTRUCTURE
            {'initialization':{'controlPlaneInitialized':true}}                             | AWAITING_INFRASTRUCTURE
            {'initialization':{'infrastructureProvisioned':true}}                           | AWAITING_CONTROL_PLANE
            {'initialization':{'infrastructureProvisioned':true,'controlPlaneInitialized':false}} | AWAITING_CONTROL_PLANE
            {'initialization':{'infrastructureProvisioned':true,'controlPlaneInitialized':true}}  | INITIALIZED
            {'infrastructureReady':false,'controlPlaneReady':false}                         | AWAITING_INFRASTRUCTURE
            {'infrastructureReady':true,'conditions':[{'type':'ControlPlaneInitialized','status':'False'}]} | AWAITING_CONTROL_PLANE
            {'infrastructureReady':true,'conditions':[{'type':'ControlPlaneInitialized','status':'True'}]}  | INITIALIZED
            {'infrastructureReady':'yes','conditions':{'type':'ControlPlaneInitialized'}}   | AWAITING_INFRASTRUCTURE
            """)
    void a_cluster_is_as_far_as_its_status_says_in_either_version(String status, Initialization stage)
            throws IOException {
        assertThat(cluster(status.replace("OWN", OWN).replace("FOREIGN", FOREIGN)).initialization()).isEqualTo(stage);
    }

    @Test
    void of_conditions_only_own_ones_are_kept() throws IOException {
        assertThat(cluster("{'conditions':[" + FOREIGN + "," + OWN + "]}").conditions()).containsExactly(BLOCKED);
        assertThat(cluster("{'conditions':[" + FOREIGN + "],'v1beta2':{'conditions':[" + OWN + "]}}").conditions())
                .containsExactly(BLOCKED);
        String status = "'status':{'v1beta2':{'conditions':[" + OWN + "]},'conditions':[" + FOREIGN + "]}";
        Machine machine = Projection.MACHINE.read(json("{'metadata':{'name':'m'}," + status + "}"));
        assertThat(machine.conditions()).containsExactly(BLOCKED);
        assertThat(machine.declaration().conditions()).isEmpty();
    }

    @Test
    void conditions_are_read_in_the_order_in_which_custom_resources_come_as_well() throws IOException {
        String own = "{'lastTransitionTime':'2026-11-21T10:00:00Z','message':'m','reason':'KubeconfigRefused',"
                + "'status':'True','type':'nodeward.io/Blocked'}";
        String foreign = "{'lastTransitionTime':'not a time','message':'m','reason':'X','status':'True',"
                + "'type':'ControlPlaneInitialized'}";
        Cluster cluster = cluster("{'infrastructureReady':true,'conditions':[" + foreign + "," + own + "]}");
        assertThat(cluster.conditions()).containsExactly(BLOCKED);
        assertThat(cluster.initialization()).isEqualTo(Initialization.INITIALIZED);
    }

    @Test
    void a_condition_is_applied_to_where_its_version_keeps_it() {
        Event.Regarding object =
                new Event.Regarding("cluster.x-k8s.io/v1beta2", "Cluster", new ObjectKey("ns", "c"), "u", "7");
        String entry = "{\"type\":\"nodeward.io/Blocked\",\"status\":\"True\",\"reason\":\"KubeconfigRefused\","
                + "\"message\":\"m\",\"lastTransitionTime\":\"2026-11-21T10:00:00Z\"}";
        String head = "{\"apiVersion\":\"cluster.x-k8s.io/v1beta2\",\"kind\":\"Cluster\","
                + "\"metadata\":{\"name\":\"c\",\"namespace\":\"ns\",\"uid\":\"u\",\"resourceVersion\":\"7\"},\"status\":";
        assertThat(StatusPatch.of(object, false, List.of(BLOCKED), Map.of()))
                .asString()
                .isEqualTo(head + "{\"conditions\":[" + entry + "]}}");
        assertThat(StatusPatch.of(object, true, List.of(BLOCKED), Map.of()))
                .asString()
                .isEqualTo(head + "{\"v1beta2\":{\"conditions\":[" + entry + "]}}}");
        assertThat(StatusPatch.of(object, true, List.of(), Map.of())).asString()
                .isEqualTo(head.replace(",\"status\":", "}"));
    }

    private static Cluster cluster(String status) throws IOException {
        return Projection.CLUSTER.read(json("{'metadata':{'name':'c'},'status':" + status + "}"));
    }

    private static byte[] json(String text) {
        return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }
}
