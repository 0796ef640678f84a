package io.nodeward.e2e.backend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.Resource;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Managers that quarrel at random: FakeApiServer and kube-apiserver give the same answers and end in the same state. */
class FakeAppliesAlikeTest {
    private static final int OBJECTS = 12;
    private static final int WRITES = 12;

    @ParameterizedTest
    @CsvSource({"NODE, 1", "NODE, 2", "MACHINE, 3", "MACHINE, 4", "CLUSTER, 5", "CLUSTER, 6", "MACHINE_DEPLOYMENT, 7",
            "MACHINE_DEPLOYMENT, 8", "MACHINE_POOL, 9", "MACHINE_POOL, 10"})
    void the_fake_applies_as_kube_apiserver_does(AppliedKind kind, long seed) {
        ControlPlane controlPlane = ControlPlane.shared();
        ClusterApiCrds.install(controlPlane.admin());
        try (FakeApiServer fake = FakeApiServer.start(AppliedKind.served());
                ApiServer theirs = api(controlPlane.adminKubeconfig().toYaml());
                ApiServer ours = api(fake.kubeconfig())) {
            RandomWrites writes = new RandomWrites(seed, kind);
            for (int i = 0; i < OBJECTS; i++) {
                quarrel(writes, kind, "alike-" + seed + "-" + i, theirs, ours);
            }
        }
    }

    private static void quarrel(
            RandomWrites writes, AppliedKind kind, String name, ApiServer theirs, ApiServer ours) {
        Resource resource = kind.resource;
        ObjectKey key = new ObjectKey(resource.namespaced() ? "default" : "", name);
        for (ApiServer api : List.of(theirs, ours)) {
            api.create(resource, key.namespace(), bytes(created(kind, name)), "creator");
            if (kind == AppliedKind.NODE) { // kube-apiserver puts a taint on new ones
                api.patch(resource, key, Patch.merge(bytes("{\"spec\":{\"taints\":null}}"), "creator"));
            }
        }
        List<String> history = new ArrayList<>();
        for (int i = 0; i < WRITES; i++) {
            RandomWrites.Write write = writes.next(name);
            history.add(write.toString());
            String wanted = answer(theirs, resource, key, write);
            assertThat(answer(ours, resource, key, write)).as(String.join("\n", history)).isEqualTo(wanted);
        }
        theirs.patch(resource, key, Patch.merge(bytes("{\"metadata\":{\"finalizers\":null}}"), "creator"));
        theirs.delete(resource, key);
    }

    private static String created(AppliedKind kind, String name) {
        return "{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"metadata\":{\"name\":\"%s\"},\"spec\":%s}".formatted(
                kind.resource.apiVersion(), kind.kind, name, kind.spec);
    }

    /** The refusal, or the state after the write: what both servers show of it. */
    private static String answer(ApiServer api, Resource resource, ObjectKey key, RandomWrites.Write write) {
        try {
            if (write.status()) {
                api.patchStatus(resource, key, write.patch());
            } else {
                api.patch(resource, key, write.patch());
            }
        } catch (ApiFailure refused) {
            return refused.status().code() + " " + refused.status().message();
        }
        return state(Json.parse(new String(api.get(resource, key), StandardCharsets.UTF_8)));
    }

    private static String state(JsonNode object) {
        ObjectNode metadata = (ObjectNode) object.path("metadata");
        TreeSet<String> owners = new TreeSet<>();
        for (JsonNode entry : metadata.path("managedFields")) {
            boolean timed = entry.has("time");
            owners.add(sorted(((ObjectNode) entry).without("time")) + (timed ? "" : " without a time"));
        }
        metadata.remove(List.of("managedFields", "uid", "resourceVersion", "creationTimestamp"));
        if (object.path("status") instanceof ObjectNode status) {
            status.remove(List.of("daemonEndpoints", "nodeInfo"));
        }
        return sorted(object) + "\n" + String.join("\n", owners);
    }

    // A typed server shows fields that are empty, and knows no order of fields.
    private static String sorted(JsonNode node) {
        if (node.isArray()) {
            return node.valueStream().map(FakeAppliesAlikeTest::sorted).toList().toString();
        }
        if (!node.isObject()) {
            return node.toString();
        }
        TreeSet<String> fields = new TreeSet<>();
        node.properties().forEach(field -> {
            JsonNode value = field.getValue();
            boolean empty = value.isNull() || value.isTextual() && value.asText().isEmpty();
            if (!empty
                    && !(List.of("spec", "status").contains(field.getKey()) && value.isEmpty() && value.isObject())) {
                fields.add(field.getKey() + ":" + sorted(value));
            }
        });
        return fields.toString();
    }

    private static ApiServer api(String kubeconfig) {
        return new ApiServer(new Fabric8Backend().connect(new ClusterAccess(kubeconfig, Optional.empty(), "alike")));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
