package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.cli.Cluster.Result;
import io.nodeward.core.fakeapi.Fault;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Taints of one Machine, beside those that what made it declares for all of its Machines. */
class MachineTaintTest {
    private static final String OLD =
            "[{\"key\":\"old\",\"value\":\"1\",\"effect\":\"NoSchedule\",\"propagation\":\"Always\"}]";
    private static final String MADE =
            "error: machine/m: old=1:NoSchedule is declared by MachineSet set, and would be put"
                    + " back: taint ";

    @TempDir
    Path folder;

    private Owners owners;
    private JsonNode deployment;

    @BeforeEach
    void start() throws IOException {
        owners = new Owners(folder);
        deployment = owners.create("machinedeployments", "{\"name\":\"workers\"}", Owners.template(OLD));
    }

    @AfterEach
    void stop() {
        owners.close();
    }

    private JsonNode set(String labels) throws IOException {
        return owners.create("machinesets", Owners.ownedBy(deployment, "set", labels), Owners.template(OLD));
    }

    private void machine(JsonNode owner, String taints) throws IOException {
        machine(owner, "{}", taints);
    }

    private void machine(JsonNode owner, String labels, String taints) throws IOException {
        owners.create("machines", Owners.ownedBy(owner, "m", labels),
                "{\"clusterName\":\"c\",\"taints\":" + taints + "}");
    }

    private void isRefused(String words, String err) {
        assertThat(owners.taint("machine/m " + words)).isEqualTo(new Result(1, "", err + "\n"));
        assertThat(owners.cluster.server.requests()).noneMatch(request -> request.method().equals("PATCH"));
    }

    private JsonNode alone(String plural, String spec) throws IOException {
        return owners.create(plural, "{\"name\":\"alone\"}", spec);
    }

    @ParameterizedTest
    @ValueSource(strings = {"old-", "old:NoSchedule-", "old=2:NoSchedule --overwrite",
            "old=1:NoSchedule --overwrite --propagation=OnInitialization", "old=1:NoExecute --replace-key"})
    void a_change_that_would_be_put_back_is_refused_with_what_to_taint_instead(String words) throws IOException {
        machine(set("{}"), OLD);

        isRefused(words, MADE + "machinedeployment/workers");
    }

    @Test
    void a_dry_run_of_it_fails_as_well() throws IOException {
        machine(set("{}"), OLD);

        assertThat(owners.taint("machine/m old- --dry-run=server").err())
                .isEqualTo(MADE + "machinedeployment/workers\n");
    }

    @Test
    void taints_of_its_own_come_and_go_beside_them() throws IOException {
        machine(set("{}"), OLD);

        for (String words : new String[]{"mine:NoSchedule", "old=1:NoExecute", "mine- old:NoExecute-",
                "old=1:NoSchedule --ensure"}) {
            assertThat(owners.taint("machine/m " + words).err()).isEmpty();
        }
        JsonNode taints = owners.cluster.server.get("machines", "default", "m").orElseThrow().at("/spec/taints");
        assertThat(taints).isEqualTo(Cluster.JSON.readTree(OLD));
    }

    @Test
    void what_is_declared_may_be_there_before_it_is_carried() throws IOException {
        machine(set("{}"), OLD.replace("old", "other"));

        assertThat(owners.taint("machine/m old=1:NoSchedule").exit()).isZero();
    }

    @Test
    void of_a_topology_the_cluster_is_what_to_taint() throws IOException {
        String labels =
                "{\"topology.cluster.x-k8s.io/owned\":\"\",\"topology.cluster.x-k8s.io/deployment-name\":\"a\"}";
        machine(set(labels), labels, OLD);

        isRefused("old-", MADE + "cluster/c with --place machinedeployment/a");
        assertThat(owners.taint("ms/set b:NoSchedule").err()).isEqualTo("error: machineset/set is made from a"
                + " MachineDeployment: taint cluster/c with --place machinedeployment/a\n");
    }

    @Test
    void of_a_set_or_pool_that_nobody_made_it_is_that() throws IOException {
        machine(alone("machinesets", Owners.template(OLD)), OLD);
        isRefused("old-", "error: machine/m: old=1:NoSchedule is declared by MachineSet alone, and would be put back:"
                + " taint machineset/alone");
        owners.cluster.server.delete("machines", "default", "m");
        machine(alone("machinepools", Owners.template(OLD)), OLD);
        isRefused("old-", "error: machine/m: old=1:NoSchedule is declared by MachinePool alone, and would be put back:"
                + " taint machinepool/alone");
    }

    @Test
    void of_a_control_plane_it_is_that_or_the_topology() throws IOException {
        JsonNode plane = alone("kubeadmcontrolplanes",
                "{\"machineTemplate\":{\"spec\":{\"taints\":" + OLD + "}}}");
        machine(plane, "{\"cluster.x-k8s.io/control-plane\":\"\"}", OLD);
        String err = "error: machine/m: old=1:NoSchedule is declared by KubeadmControlPlane alone, and would be put"
                + " back: ";

        isRefused("old-", err + "edit spec.machineTemplate of KubeadmControlPlane alone");
        owners.merge("machines", "m", "{\"metadata\":{\"labels\":{\"topology.cluster.x-k8s.io/owned\":\"\"}}}");
        isRefused("old-", err + "taint cluster/c with --place controlPlane");
    }

    @Test
    void who_may_not_see_what_made_it_is_warned() throws IOException {
        machine(set("{}"), OLD);
        owners.cluster.server.fault(request -> request.path().contains("/machinesets/"),
                Fault.status(403, "Forbidden", "not you"));

        assertThat(owners.taint("machine/m old-")).isEqualTo(new Result(0, "machine.cluster.x-k8s.io/m untainted\n",
                "Warning: not allowed to get MachineSet set in namespace default: whether it declares the same taints,"
                        + " and puts them back, is not known\n"));
    }

    @Test
    void somebody_who_always_writes_first_is_said() throws IOException {
        owners.create("machines", "{\"name\":\"m\"}", "{\"clusterName\":\"c\"}");
        owners.cluster.server.fault(1_000, request -> request.method().equals("PATCH"),
                Fault.status(409, "Conflict", "the object has been modified"));

        assertThat(owners.taint("machine/m a:NoSchedule")).isEqualTo(new Result(1, "", """
                error: machine/m was changed by others each time it was to be written, 100 times
                'kubectl get machines m -o yaml --show-managed-fields' says who writes to it.
                """));
    }
}
