package io.nodeward.e2e.clusters;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Options;
import java.time.Duration;
import java.util.function.IntFunction;

/** A management cluster with many Clusters, each with its kubeconfig Secret and one Machine that declares a taint. */
final class ManyClusters implements AutoCloseable {
    private static final String NAMESPACE = "fleet";
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final FakeApiServer management = FakeApiServer.start(Options.defaults());
    private final int count;

    ManyClusters(int count) {
        this.count = count;
        management.create("namespaces", json("{'metadata':{'name':'fleet'}}"));
    }

    String kubeconfig() {
        return management.kubeconfig();
    }

    int count() {
        return count;
    }

    /** The Node's providerID of a cluster's Machine. */
    static String providerId(int cluster) {
        return "fake://n" + cluster;
    }

    /** @param kubeconfigs by number of the cluster, from 0 */
    void create(IntFunction<String> kubeconfigs, String taint) {
        for (int i = 0; i < count; i++) {
            management.create("clusters", json("{'metadata':{'namespace':'fleet','name':'c%d'},'spec':{}}", i));
            ObjectNode secret = json("{'type':'cluster.x-k8s.io/secret','metadata':{'namespace':'fleet',"
                    + "'name':'c%d-kubeconfig','labels':{'cluster.x-k8s.io/cluster-name':'c%d'}}}", i, i);
            management.create("secrets", secret.set("stringData", value(kubeconfigs.apply(i))));
            management.create("machines", json("{'metadata':{'namespace':'fleet','name':'m%d'},'spec':{"
                    + "'clusterName':'c%d','providerID':'%s','taints':[%s]}}", i, i, providerId(i), declared(taint)));
        }
    }

    /** Gives every cluster another kubeconfig, and waits until each has been read. */
    void change(IntFunction<String> kubeconfigs) {
        management.clearRequests();
        for (int i = 0; i < count; i++) {
            management.mergePatch("secrets", NAMESPACE, "c" + i + "-kubeconfig",
                    json("{}").set("stringData", value(kubeconfigs.apply(i))));
        }
        await("kubeconfigs to be read").atMost(PATIENCE).until(() -> management.requests().stream()
                .filter(request -> request.method().equals("GET") && request.path().endsWith("-kubeconfig"))
                .count() >= count);
    }

    /** The Machine declares this taint and no other. */
    void declare(int cluster, String taint) {
        management.mergePatch("machines", NAMESPACE, "m" + cluster, json("{'spec':{'taints':[%s]}}", declared(taint)));
    }

    void delete() {
        for (int i = 0; i < count; i++) {
            management.delete("machines", NAMESPACE, "m" + i);
            management.delete("clusters", NAMESPACE, "c" + i);
            management.delete("secrets", NAMESPACE, "c" + i + "-kubeconfig");
        }
    }

    /** Reasons of the condition on each Cluster that has it. */
    long blocked() {
        return management.list("clusters").stream().map(cluster -> cluster.at("/status/conditions"))
                .filter(conditions -> !conditions.findValuesAsText("reason").isEmpty())
                .count();
    }

    static boolean hasTaint(JsonNode node, String taint) {
        return node.at("/spec/taints").findValuesAsText("key").contains(taint);
    }

    private static String declared(String taint) {
        return "{'key':'%s','effect':'NoSchedule','propagation':'Always'}".formatted(taint);
    }

    private static ObjectNode value(String kubeconfig) {
        return MAPPER.createObjectNode().put("value", kubeconfig);
    }

    /** JSON with single quotes. */
    static ObjectNode json(String text, Object... parts) {
        try {
            return (ObjectNode) MAPPER.readTree(text.formatted(parts).replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    @Override
    public void close() {
        management.close();
    }
}
