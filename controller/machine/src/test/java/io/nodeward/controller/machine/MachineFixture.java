package io.nodeward.controller.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.testkit.quiet.Quiet;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A management cluster with one Cluster, its workload cluster, and the controller between them. */
abstract class MachineFixture {
    static final String NAMESPACE = "fleet";
    static final Predicate<Request> PATCH = request -> request.method().equals("PATCH");
    static final Predicate<Request> WATCH = request -> request.query().contains("watch=true");

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String TRACKED = "/metadata/annotations/cluster.x-k8s.io~1taints-from-machine";

    final Quiet quiet = new Quiet();
    FakeApiServer management;
    FakeApiServer workload;
    RunningController controller;

    @BeforeEach
    void startServers() {
        management = quiet.start(Options.defaults());
        workload = quiet.start(Options.defaults());
        management.create("namespaces", json("{'metadata':{'name':'fleet'}}"));
        cluster("c", workload);
    }

    void cluster(String name, FakeApiServer server) {
        management.create("clusters", object(name, "'spec':{}"));
        ObjectNode secret = object(name + "-kubeconfig", "'type':'cluster.x-k8s.io/secret','stringData':{}");
        ((ObjectNode) secret.at("/metadata")).putObject("labels").put("cluster.x-k8s.io/cluster-name", name);
        ((ObjectNode) secret.at("/stringData")).put("value", server.kubeconfig());
        management.create("secrets", secret);
    }

    @AfterEach
    void stopAll() {
        if (controller != null) {
            controller.close();
        }
        management.close();
        workload.close();
    }

    /** Starts the controller and waits until every Node is as declared; then forgets the requests so far. */
    void startConverged() {
        controller = new RunningController(management.kubeconfig(), quiet);
        settle();
        assertThat(workload.list("nodes")).allMatch(this::isTracked);
        management.clearRequests();
        workload.clearRequests();
    }

    private boolean isTracked(JsonNode node) {
        return !node.at(TRACKED).isMissingNode();
    }

    /** Waits until the controller has seen all that was done, and whatever it makes of it: a request too many too. */
    void settle() {
        quiet.await();
    }

    /** A Machine and its Node of the same name. */
    void machineWithNode(String name, String... taints) {
        machine(name, "fake://" + name, taints);
        node(name, "fake://" + name);
    }

    void machine(String name, String providerId, String... taints) {
        ObjectNode machine = object(name, "'spec':{'clusterName':'c','providerID':'" + providerId + "'}");
        ((ObjectNode) machine.at("/spec")).set("taints", declared(taints));
        management.create("machines", machine);
    }

    void node(String name, String providerId, String... taints) {
        ObjectNode node = json("{'metadata':{'name':'" + name + "'},'spec':{'providerID':'" + providerId + "'}}");
        ((ObjectNode) node.at("/spec")).set("taints", taints(taints));
        workload.create("nodes", node);
    }

    /** Declares these taints, and only these. */
    void declare(String machine, String... taints) {
        ObjectNode patch = json("{'spec':{}}");
        ((ObjectNode) patch.at("/spec")).set("taints", declared(taints));
        management.mergePatch("machines", NAMESPACE, machine, patch);
    }

    /** Somebody else adds a taint to the Node, in a write of his own. */
    void foreignTaint(String node, String taint) {
        List<String> all = new ArrayList<>(taintsOf(node));
        all.add(taint);
        ObjectNode patch = json("{'spec':{}}");
        ((ObjectNode) patch.at("/spec")).set("taints", taints(all.toArray(String[]::new)));
        workload.mergePatch("nodes", "", node, patch);
    }

    /** {@code key=value:Effect}, with {@code :OnInitialization} for that propagation. */
    private static JsonNode declared(String... taints) {
        JsonNode all = taints(taints);
        all.forEach(taint -> ((ObjectNode) taint).put(
                "propagation", taint.path("propagation").asText("Always")));
        return all;
    }

    private static JsonNode taints(String... taints) {
        ArrayNode array = MAPPER.createArrayNode();
        for (String taint : taints) {
            String[] parts = taint.split("[=:]");
            ObjectNode json = array.addObject().put("key", parts[0]).put("value", parts[1]).put("effect", parts[2]);
            if (parts.length > 3) {
                json.put("propagation", parts[3]);
            }
        }
        return array.isEmpty() ? MAPPER.nullNode() : array;
    }

    List<String> taintsOf(String node) {
        JsonNode taints = workload.get("nodes", "", node).orElseThrow().at("/spec/taints");
        return StreamSupport.stream(taints.spliterator(), false)
                .map(t -> t.path("key").asText() + "=" + t.path("value").asText() + ":" + t.path("effect").asText())
                .toList();
    }

    String tracked(String node) {
        return workload.get("nodes", "", node).orElseThrow().at(TRACKED).asText("none");
    }

    void awaitTaints(String node, String... taints) {
        await().untilAsserted(
                () -> assertThat(new TreeSet<>(taintsOf(node))).as("taints of %s", node)
                        .containsExactlyInAnyOrder(taints));
    }

    /** The answers to patches since the requests were last forgotten. */
    List<Integer> patches() {
        return workload.requests().stream().filter(PATCH).map(Request::code).toList();
    }

    /** Returns what else was sent to it, without the requests by which a watch finds out after a cut that a backup was restored. */
    List<String> otherRequests() {
        return workload.requests().stream()
                .filter(PATCH.or(WATCH).or(r -> r.path().equals("/version"))
                        .or(r -> Pattern.matches("(.*&)?limit=1(&.*)?", r.query())).negate())
                .map(r -> r.method() + " " + r.path())
                .toList();
    }

    List<JsonNode> events(String reason) {
        return management.list("events").stream().filter(e -> e.path("reason").asText().equals(reason)).toList();
    }

    static ObjectNode object(String name, String rest) {
        return json("{'metadata':{'namespace':'fleet','name':'" + name + "'}," + rest + "}");
    }

    /** JSON with single quotes. */
    static ObjectNode json(String text) {
        try {
            return (ObjectNode) MAPPER.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
