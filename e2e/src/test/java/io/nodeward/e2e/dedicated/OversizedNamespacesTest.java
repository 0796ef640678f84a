package io.nodeward.e2e.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.clusters.ControllerProcess;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.machine.MachineSuite;
import java.nio.file.Path;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A tenant who may create Namespaces stores some with as many annotations and labels as fit. The controller is a process with
 * the heap that it has by default.
 */
class OversizedNamespacesTest {
    private static final int ANNOTATED = 100;
    private static final int ANNOTATION = 250_000;
    /** With the annotations of the others, they took more than the default heap when all of it was kept. */
    private static final int LABELED = 100;
    /** About 1.3 MB, half of it for who has set them. */
    private static final int LABELS = 45_000;
    private static final String GROUP = "{'nodes':{'selector':{'matchLabels':{'pool':'a'}}},'enforcement':'Enforce',"
            + "'who':{'namespaceSelector':{'matchExpressions':[{'key':'l1','operator':'DoesNotExist'}]}},"
            + "'taint':{'key':'dedicated','value':'a','effects':['NoSchedule']}}";

    @Test
    @Tag("deep")
    void namespaces_with_a_megabyte_of_labels_keep_no_node_from_its_taint_and_make_no_pod_a_member(
            @TempDir Path directory) throws Exception {
        try (DedicatedSuite suite = new DedicatedSuite()) {
            suite.grantPods();
            suite.declare("a", GROUP);
            try (ControllerProcess running = suite.process(directory)) {
                awaitTainted(suite, running, "first");
                store(suite, ANNOTATED, "annotated", i -> "'annotations':{'a':'" + "x".repeat(ANNOTATION) + "'}");
                store(suite, LABELED, "labeled", i -> IntStream.range(0, LABELS)
                        .mapToObj(label -> "'n" + i + "l" + label + "':''")
                        .collect(Collectors.joining(",", "'labels':{", "}")));
                pod(suite, "labeled0", "stranger");
                pod(suite, "annotated0", "member");
                awaitTainted(suite, running, "second");
                assertPreview(suite);
            }
            try (ControllerProcess restarted = suite.process(directory)) {
                awaitTainted(suite, restarted, "third");
                assertPreview(suite);
            }
        }
    }

    private static void awaitTainted(DedicatedSuite suite, ControllerProcess nodeward, String node) {
        suite.node(node, "pool=a");
        suite.awaitTaints(node, "dedicated=a:NoSchedule");
        assertThat(nodeward.probe("/healthz")).isEqualTo(200);
    }

    private static void assertPreview(DedicatedSuite suite) {
        suite.awaitPreviewed("a", "notLookedInto", "labeled0/stranger");
        await("the member").atMost(MachineSuite.PATIENCE).until(() -> suite.status("a").path("pods").asInt() == 1);
    }

    private static void pod(DedicatedSuite suite, String namespace, String name) {
        suite.admin().create("/api/v1/namespaces/" + namespace + "/serviceaccounts",
                Json.parse("{\"metadata\":{\"name\":\"default\"}}"));
        suite.pod(namespace, name, "", "[]");
    }

    /** @param fields of the metadata of each, JSON with apostrophes for quotes */
    private static void store(DedicatedSuite suite, int many, String name, IntFunction<String> fields) {
        IntStream.range(0, many).parallel().forEach(i -> {
            AdminClient.Reply reply = suite.admin().send("POST", "/api/v1/namespaces", AdminClient.JSON,
                    "{'metadata':{'name':'%s%d',%s}}".formatted(name, i, fields.apply(i)).replace('\'', '"'));
            assertThat(reply.code()).as("" + reply.body().path("message")).isEqualTo(201);
        });
    }
}
