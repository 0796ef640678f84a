package io.nodeward.e2e.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.guard.NodeTaintGuard;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.home.HomeSuite;
import io.nodeward.e2e.machine.MachineSuite;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The guard controller in a cluster of its own. Each test has a guard with a key prefix of its own. */
final class GuardSuite extends HomeSuite {
    private static final String ADMISSION = "/apis/admissionregistration.k8s.io/v1/validatingadmission";

    GuardSuite() {
        super("guard", "NodeTaintGuards", NodeTaintGuard.DEFINITION);
    }

    static String policy(String guard) {
        return ADMISSION + "policies/nodeward-guard." + guard;
    }

    static String binding(String guard) {
        return ADMISSION + "policybindings/nodeward-guard." + guard;
    }

    /** One who may do anything under this name, as far as RBAC goes. */
    AdminClient user(String name, String... groups) {
        return as(name, Stream.concat(Stream.of(groups),
                Stream.of("system:masters")).toArray(String[]::new));
    }

    /** Returns a client of this user with these groups alone. */
    AdminClient only(String name, String... groups) {
        return as(name, groups);
    }

    /** Returns a client of this user. RBAC lets it do anything by a group that no guard knows. */
    AdminClient editor(String name, String group) {
        admin().createIfAbsent("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", Json.parse("""
                {"metadata":{"name":"guarded-editors"},
                 "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"cluster-admin"},
                 "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"Group","name":"guarded-editors"}]}"""));
        return as(name, group, "guarded-editors");
    }

    /** A change of a Node that is not stored. */
    static AdminClient.Reply tries(AdminClient who, String node, String patch) {
        return who.send("PATCH", Fleet.nodePath(node) + "?dryRun=All", AdminClient.MERGE_PATCH,
                patch.replace('\'', '"'));
    }

    /** The answer to a taint that would be added. */
    static AdminClient.Reply taints(AdminClient who, String node, String key) {
        return tries(who, node, "{'spec':{'taints':[" + taint(key) + "]}}");
    }

    static String taint(String key) {
        return "{'key':'" + key + "','effect':'NoSchedule'}";
    }

    /** The taints of a Node with so many of this prefix, each with another key. */
    static String taints(String prefix, IntStream numbers) {
        return numbers.mapToObj(i -> taint(prefix + "k" + i)).collect(Collectors.joining(",", "[", "]"));
    }

    /** Waits until the API server refuses the taint: it learns of a policy by a watch of its own. */
    static void awaitRefused(AdminClient who, String node, String key) {
        await("the refusal of " + key).atMost(MachineSuite.PATIENCE)
                .untilAsserted(() -> assertThat(taints(who, node, key).code()).isEqualTo(403));
    }

    static void awaitAllowed(AdminClient who, String node, String key) {
        await("leave to add " + key).atMost(MachineSuite.PATIENCE)
                .untilAsserted(() -> assertThat(taints(who, node, key).isOk()).isTrue());
    }

    JsonNode specOf(String path) {
        return admin().get(path).path("spec");
    }

    Optional<JsonNode> find(String path) {
        return admin().find(path);
    }
}
