package io.nodeward.e2e.autoscaler;

import static io.nodeward.e2e.autoscaler.Groups.DEPLOYMENTS;
import static io.nodeward.e2e.autoscaler.Groups.POOLS;
import static io.nodeward.e2e.autoscaler.Groups.TAINTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.autoscaler.Imagined.Release;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A Pod is pending and its group is at zero: whether the autoscaler would scale up, before Nodeward has advertised what Nodes
 * of the group will bear, and after. {@link Imagined} says what stands in for the autoscaler.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ScaleFromZeroTest {
    private static final String GPU = "example.com/gpu=a100:NoSchedule";
    private static final String DRIVER = "example.com/driver:NoExecute";
    private static final String ZONE = "node.cluster.x-k8s.io/zone";

    private final MachineSuite suite = MachineSuite.in("from-zero");
    private final Groups groups = new Groups(suite);
    private Decisions decisions;
    private JsonNode any;
    private JsonNode gpu;

    @BeforeAll
    void start() {
        suite.cluster("c");
        decisions = new Decisions(suite);
        any = decisions.pending("any", List.of(), Map.of());
        gpu = decisions.pending("gpu", tolerating("example.com/gpu"), Map.of());
    }

    private static List<Object> tolerating(String key) {
        return List.of(Map.of("key", key, "operator", "Exists"));
    }

    @AfterAll
    void stop() {
        decisions.close();
        groups.close();
        suite.close();
    }

    @Test
    void a_group_does_not_grow_any_more_for_pods_that_its_nodes_will_not_take() {
        for (String kind : List.of(DEPLOYMENTS, POOLS)) {
            groups.create(kind, "tainted", Groups.sizesAnd("taint.nodeward.io/gpu", GPU));
            for (Release release : List.of(Release.V1_35, Release.V1_36)) {
                assertThat(fits(any, kind, "tainted", release)).as("before, %s", release).isTrue();
            }
        }
        try (RunningNodeward nodeward = suite.start(Groups.GATES)) {
            for (String kind : List.of(DEPLOYMENTS, POOLS)) {
                groups.awaitText(kind, "tainted", GPU);
                for (Release release : List.of(Release.V1_35, Release.V1_36)) {
                    assertThat(fits(any, kind, "tainted", release)).as("after, %s", release).isFalse();
                    assertThat(fits(gpu, kind, "tainted", release)).as("tolerated, %s", release).isTrue();
                }
            }
            assertThat(nodeward.isReady()).isTrue();
        }
    }

    @Test
    void a_group_is_not_kept_at_zero_by_what_is_declared_no_more() {
        groups.create(DEPLOYMENTS, "stale", Groups.SIZES, GPU + ":Always", DRIVER + ":Always");
        try (RunningNodeward nodeward = suite.start(Groups.GATES)) {
            groups.awaitText(DEPLOYMENTS, "stale", GPU + "," + DRIVER);
            assertThat(nodeward.isReady()).isTrue();
        }
        groups.declare(DEPLOYMENTS, "stale", GPU + ":Always");
        assertThat(fits(gpu, DEPLOYMENTS, "stale", Release.V1_35)).as("before").isFalse();
        assertThat(fits(gpu, DEPLOYMENTS, "stale", Release.V1_36)).as("the text wins over the spec").isFalse();
        try (RunningNodeward nodeward = suite.start(Groups.GATES)) {
            groups.awaitText(DEPLOYMENTS, "stale", GPU);
            assertThat(fits(gpu, DEPLOYMENTS, "stale", Release.V1_35)).as("after").isTrue();
            assertThat(fits(gpu, DEPLOYMENTS, "stale", Release.V1_36)).as("after").isTrue();
            assertThat(fits(any, DEPLOYMENTS, "stale", Release.V1_35)).isFalse();
            assertThat(nodeward.isReady()).isTrue();
        }
    }

    /** The driver's taint goes when a Node is ready, which no autoscaler knows. */
    @ParameterizedTest
    @CsvSource({"include,false,false", "exclude,true,false", "startup,true,false"})
    void a_taint_for_initialization_keeps_a_group_at_zero_unless_it_is_hidden(
            String choice, boolean upTo135, boolean from136) {
        String bySpec = choice + "-spec";
        String byAnnotation = choice + "-annotation";
        groups.create(DEPLOYMENTS, bySpec, Groups.SIZES, GPU + ":Always", DRIVER + ":OnInitialization");
        groups.create(DEPLOYMENTS, byAnnotation,
                Groups.sizesAnd("taint.nodeward.io/driver", DRIVER + ":OnInitialization"), GPU + ":Always");
        String driver = switch (choice) {
            case "include" -> "," + DRIVER;
            case "startup" -> ",startup-taint.cluster-autoscaler.kubernetes.io/example.com_driver:NoExecute";
            default -> "";
        };
        try (RunningNodeward nodeward = suite.start(Groups.GATES, "--autoscaler-on-initialization=" + choice)) {
            groups.awaitText(DEPLOYMENTS, bySpec, GPU + driver);
            groups.awaitText(DEPLOYMENTS, byAnnotation, GPU + driver);
            assertThat(nodeward.isReady()).isTrue();
        }
        assertThat(fits(gpu, DEPLOYMENTS, bySpec, Release.V1_35)).isEqualTo(upTo135);
        assertThat(fits(gpu, DEPLOYMENTS, bySpec, Release.V1_36)).isEqualTo(from136);
        assertThat(fits(gpu, DEPLOYMENTS, byAnnotation, Release.V1_35)).isEqualTo(upTo135);
        assertThat(fits(gpu, DEPLOYMENTS, byAnnotation, Release.V1_36)).isEqualTo(upTo135);
    }

    @Test
    void an_entry_of_a_user_counts_in_place_of_what_is_declared() {
        groups.create(DEPLOYMENTS, "user", Groups.sizesAnd(TAINTS, "example.com/own:NoSchedule"), GPU + ":Always");
        try (RunningNodeward nodeward = suite.start(Groups.GATES)) {
            groups.awaitText(DEPLOYMENTS, "user", GPU + ",example.com/own:NoSchedule");
            assertThat(nodeward.isReady()).isTrue();
        }
        assertThat(fits(gpu, DEPLOYMENTS, "user", Release.V1_35)).isFalse();
        assertThat(fits(gpu, DEPLOYMENTS, "user", Release.V1_36)).isFalse();
    }

    @Test
    void a_group_grows_for_pods_that_select_a_label_its_nodes_will_bear() {
        groups.create(DEPLOYMENTS, "labelled", Groups.SIZES);
        groups.patch(DEPLOYMENTS, "labelled", Json.tree(Map.of("spec", Map.of("template", Map.of(
                "metadata", Map.of("labels", Map.of(ZONE, "z", "team", "not-carried")))))).toString());
        JsonNode zoned = decisions.pending("zoned", List.of(), Map.of(ZONE, "z"));
        assertThat(fits(zoned, DEPLOYMENTS, "labelled", Release.V1_36)).as("before").isFalse();
        try (RunningNodeward nodeward = suite.start(Groups.GATES, "--autoscaler-labels")) {
            await("labels").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(
                    groups.annotation(DEPLOYMENTS, "labelled", Groups.LABELS)).isEqualTo(ZONE + "=z"));
            assertThat(nodeward.isReady()).isTrue();
        }
        assertThat(fits(zoned, DEPLOYMENTS, "labelled", Release.V1_36)).as("after").isTrue();
        assertThat(fits(zoned, DEPLOYMENTS, "labelled", Release.V1_35)).as("after").isTrue();
    }

    private boolean fits(JsonNode pod, String kind, String group, Release release) {
        JsonNode object = groups.get(kind, group);
        assertThat(object.at("/spec/replicas").asInt()).isZero();
        return decisions.fits(pod, object, release);
    }
}
