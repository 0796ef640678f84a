package io.nodeward.e2e.crd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ShippedCrdTest {
    private static final String GROUP = "shipped.nodeward.io";
    private static final String MACHINES = "/apis/" + GROUP + "/v1beta2/namespaces/default/machines";
    private static final String CLUSTERS = "/apis/" + GROUP + "/v1beta2/namespaces/default/clusters";
    private static final String VECTORS = "/io/nodeward/core/testkit/vectors/validate.json";
    private static final String THEN = "2026-01-02T03:04:05Z";
    private static final String GOOD = "{\"key\":\"a\",\"effect\":\"NoSchedule\",\"propagation\":\"Always\"}";
    // What admission looks at: a schema can neither know a feature gate nor keep a list of keys.
    private static final Set<String> OF_ADMISSION = Set.of("reservedKey", "featureGate");

    private static AdminClient admin;

    @BeforeAll
    static void install() {
        admin = ControlPlane.shared().admin();
        ClusterApiCrds.install(admin, ShippedCrds.all(GROUP));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void the_schema_takes_and_refuses_what_the_vectors_say(JsonNode vector) {
        List<String> reasons = new ArrayList<>();
        vector.path("expected").path("reasons").forEach(reason -> reasons.add(reason.asText()));
        reasons.removeAll(OF_ADMISSION);
        AdminClient.Reply reply = dryRun(MACHINES, machine(vector.path("input").path("taints")));
        assertThat(reply.code()).as("%s: %s", vector.path("rule").asText(), reply.body())
                .isEqualTo(reasons.isEmpty() ? 201 : 422);
    }

    @Test
    void a_cluster_takes_and_refuses_taints_in_each_of_its_three_places() {
        String good = "[" + GOOD + "]";
        for (String place : List.of(
                "{\"controlPlane\":{\"taints\":%s}}",
                "{\"workers\":{\"machineDeployments\":[{\"name\":\"x\",\"taints\":%s}]}}",
                "{\"workers\":{\"machinePools\":[{\"name\":\"x\",\"taints\":%s}]}}")) {
            assertThat(dryRun(CLUSTERS, cluster(place.formatted(good))).code()).isEqualTo(201);
            AdminClient.Reply refused = dryRun(CLUSTERS, cluster(place.formatted(good.replace("Always", "Never"))));
            assertThat(refused.code()).isEqualTo(422);
            assertThat(refused.body().path("message").asText()).contains("taints[0].propagation");
        }
    }

    @Test
    void fields_nodeward_does_not_know_are_kept_in_both_versions() {
        ObjectNode machine = machine(Json.parse("[" + GOOD + "]"));
        ((ObjectNode) machine.path("metadata")).put("name", "kept");
        ObjectNode spec = (ObjectNode) machine.path("spec");
        spec.put("failureDomain", "zone-a").putObject("bootstrap").put("dataSecretName", "b");
        admin.create(MACHINES, machine);
        JsonNode older = admin.get(MACHINES.replace("v1beta2", "v1beta1") + "/kept");
        assertThat(older.path("spec")).isEqualTo(spec);
        admin.delete(MACHINES + "/kept");
    }

    @ParameterizedTest
    @CsvSource({
            "machines, v1beta2, conditions", "machines, v1beta1, v1beta2.conditions", "clusters, v1beta2, conditions",
            "clusters, v1beta1, v1beta2.conditions"
    })
    void two_managers_apply_a_condition_each_and_leave_the_others_alone(String plural, String version, String place) {
        String path = MACHINES.replace("machines", plural) + "/applied";
        ObjectNode object =
                (ObjectNode) (plural.equals("machines") ? machine(MissingNode.getInstance()) : cluster("{}"));
        object.withObject("metadata").put("name", "applied");
        object.withObject("status");
        admin.create(MACHINES.replace("machines", plural), object);
        String older =
                "[{'type':'Foreign','status':'True','severity':'Info','lastTransitionTime':'%s'}]".formatted(THEN);
        String status = path.replace("v1beta2", version) + "/status";
        admin.mergePatch(status, "{'status':%s}".formatted(nested(place, older)).replace('\'', '"'));
        assertThat(apply(status, object, "one", nested(place, condition("First", "Because"))).code()).isEqualTo(200);
        assertThat(apply(status, object, "two", nested(place, condition("Second", "Because"))).code()).isEqualTo(200);
        assertThat(types(status, place)).containsExactlyInAnyOrder("Foreign", "First", "Second");
        AdminClient.Reply refused = apply(status, object, "two", nested(place, condition("First", "Otherwise")));
        assertThat(refused.code()).as("" + refused.body()).isEqualTo(409);
        assertThat(refused.body().path("message").asText()).contains("\"one\"");
        assertThat(apply(status, object, "one", "{}").code()).isEqualTo(200);
        assertThat(types(status, place)).containsExactlyInAnyOrder("Foreign", "Second");
        admin.delete(path);
    }

    /** What a controller has to know that takes its condition back. */
    @Test
    void the_last_condition_of_a_list_somebody_else_began_cannot_be_let_go() {
        ObjectNode machine = machine(MissingNode.getInstance());
        machine.withObject("metadata").put("name", "applied");
        admin.create(MACHINES, machine);
        String status = MACHINES + "/applied/status";
        for (String type : List.of("Foreign", "Ours")) {
            if (type.equals("Ours")) {
                apply(status, machine, "one", nested("conditions", condition(type, "Because")));
            }
            admin.mergePatch(status, "{'status':%s}".formatted(nested("conditions", condition(type, "Because")))
                    .replace('\'', '"'));
        }
        AdminClient.Reply refused = apply(status, machine, "one", "{}");
        assertThat(refused.code()).as("" + refused.body()).isEqualTo(422);
        assertThat(refused.body().path("message").asText()).contains("conditions in body must be of type array");
        admin.delete(MACHINES + "/applied");
    }

    /** So an object of the same name that came later is not safe from it; its resourceVersion is. */
    @Test
    void applying_to_the_status_looks_at_no_uid() {
        ObjectNode machine = machine(MissingNode.getInstance());
        machine.withObject("metadata").put("name", "applied");
        admin.create(MACHINES, machine);
        String body = "{'apiVersion':'%s/v1beta2','kind':'Machine','metadata':{'name':'applied',%s},'status':%s}";
        String ours = nested("conditions", condition("Ours", "Because"));
        String path = MACHINES + "/applied/status?fieldManager=one";
        assertThat(admin.send("PATCH", path, AdminClient.APPLY_PATCH,
                body.formatted(GROUP, "'uid':'other'", ours).replace('\'', '"')).code()).isEqualTo(200);
        assertThat(admin.send("PATCH", path, AdminClient.APPLY_PATCH,
                body.formatted(GROUP, "'resourceVersion':'1'", "{}").replace('\'', '"')).code()).isEqualTo(409);
        admin.delete(MACHINES + "/applied");
    }

    private static List<String> types(String path, String place) {
        JsonNode conditions = admin.get(path).at("/status/" + place.replace('.', '/'));
        assertThat(conditions.path(0).path("severity").asText()).isEqualTo("Info");
        return conditions.valueStream().map(c -> c.path("type").asText()).toList();
    }

    private static String nested(String place, String list) {
        return place.equals("conditions") ? "{'conditions':%s}".formatted(list)
                : "{'v1beta2':{'conditions':%s}}".formatted(list);
    }

    private static String condition(String type, String reason) {
        return "[{'type':'%s','status':'False','reason':'%s','message':'','lastTransitionTime':'%s'}]"
                .formatted(type, reason, THEN);
    }

    private static AdminClient.Reply apply(String path, ObjectNode object, String manager, String status) {
        String version = path.contains("/v1beta1/") ? "v1beta1" : "v1beta2";
        String body = "{'apiVersion':'%s/%s','kind':'%s','metadata':{'name':'applied'},'status':%s}".formatted(
                GROUP, version, object.path("kind").asText(), status);
        return admin.send("PATCH", path + "?fieldManager=" + manager, AdminClient.APPLY_PATCH, body.replace('\'', '"'));
    }

    @Test
    void the_files_are_accepted_as_they_are() {
        for (String file : List.of("machines.yaml", "clusters.yaml")) {
            var result = ControlPlane.shared().kubectl()
                    .runWithInput(ShippedCrds.text(file), "create", "--dry-run=server", "--validate=strict", "-f", "-");
            // Cluster API's own may be there already, from another suite of this JVM: then the name is taken.
            assertThat(result.out() + result.err()).containsAnyOf("created (server dry run)", "already exists");
        }
    }

    private static Stream<Named<JsonNode>> cases() throws IOException {
        try (InputStream in = ShippedCrdTest.class.getResourceAsStream(VECTORS)) {
            assertThat(in).as(VECTORS + " is in nodeward-core-testkit: build with -am").isNotNull();
            JsonNode cases = Json.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8)).path("cases");
            return cases.valueStream()
                    .filter(vector -> vector.path("input").path("kind").asText().equals("Machine"))
                    .map(vector -> Named.of(vector.path("name").asText(), vector));
        }
    }

    private static ObjectNode machine(JsonNode taints) {
        ObjectNode machine = (ObjectNode) Json.parse("""
                {"apiVersion":"%s/v1beta2","kind":"Machine","metadata":{"name":"vector"},"spec":{"clusterName":"c"}}"""
                .formatted(GROUP));
        if (!taints.isMissingNode()) {
            ((ObjectNode) machine.path("spec")).set("taints", taints);
        }
        return machine;
    }

    private static JsonNode cluster(String topology) {
        return Json.parse("""
                {"apiVersion":"%s/v1beta2","kind":"Cluster","metadata":{"name":"vector"},"spec":{"topology":%s}}"""
                .formatted(GROUP, topology));
    }

    private static AdminClient.Reply dryRun(String collection, JsonNode object) {
        return admin.send("POST", collection + "?dryRun=All", AdminClient.JSON, object.toString());
    }
}
