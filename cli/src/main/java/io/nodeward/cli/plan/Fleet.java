package io.nodeward.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.node.Node;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.rules.impact.Budget;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Objects of one workload cluster and of those that declare taints for it, by what they are. */
final class Fleet {
    private static final ObjectMapper JSON = new JsonMapper();

    private final Map<Document.Id, Document> documents = new LinkedHashMap<>();
    private final String cluster;

    /** @param cluster whose Machines and pools are meant; empty for all */
    Fleet(List<Document> documents, String cluster) {
        this.cluster = cluster;
        for (Document document : documents) {
            Document other = this.documents.putIfAbsent(document.id(), document);
            if (other != null) {
                throw document.error("is in " + other.source() + " already");
            }
        }
    }

    Optional<Document> find(Document.Id id) {
        return Optional.ofNullable(documents.get(id));
    }

    void put(Document document) {
        documents.put(document.id(), document);
    }

    /** Of a kind of Cluster API. */
    List<Document> clusterApi(String kind) {
        return of(ClusterApi.GROUP, kind).toList();
    }

    List<Node> nodes() {
        return of("", "Node").map(document -> read(document, Projection.NODE)).toList();
    }

    List<Pod> pods() {
        return of("", "Pod").map(document -> read(document, Projection.POD)).toList();
    }

    List<Machine> machines() {
        return clusterApi("Machine").stream().map(document -> read(document, Projection.MACHINE))
                .filter(machine -> isMeant(machine.clusterName())).toList();
    }

    List<MachinePool> pools() {
        return clusterApi("MachinePool").stream().map(document -> read(document, Projection.MACHINE_POOL))
                .filter(pool -> isMeant(pool.clusterName())).toList();
    }

    List<Budget> budgets() {
        return of("policy", "PodDisruptionBudget")
                .filter(document -> document.json().at("/spec/selector").isObject()) // without one it selects nothing
                .map(document -> new Budget(document.id().key(), Selectors.of(document))).toList();
    }

    private boolean isMeant(String name) {
        return cluster.isEmpty() || cluster.equals(name);
    }

    private Stream<Document> of(String group, String kind) {
        return documents.values().stream()
                .filter(document -> document.id().kind().equals(kind) && document.id().group().equals(group));
    }

    private static <T extends KubernetesObject> T read(Document document, Projection<T> projection) {
        try {
            return projection.read(JSON.writeValueAsBytes((JsonNode) document.json()));
        } catch (IOException e) {
            throw document.error(String.valueOf(e.getMessage()));
        }
    }
}
