package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.MachinePool.InfrastructureRef;
import io.nodeward.api.machine.MachinePool.Template;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.runtime.cluster.PoolInfrastructure.Makes;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ClusterAccess;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolInfrastructureTest {
    private static final String GROUP = "infrastructure.cluster.x-k8s.io";
    private static final String OBJECT = "/apis/" + GROUP + "/v1beta2/namespaces/fleet/somemachinepools/p";

    private final FakeApiServer server = FakeApiServer.start(Options.defaults()
            .withKind(Kind.custom(GROUP, List.of("v1beta2"), "somemachinepools", "SomeMachinePool")));
    private final ApiServer client = new ApiServer(new Fabric8Backend()
            .connect(new ClusterAccess(server.kubeconfig(), Optional.empty(), "test")));
    private final PoolInfrastructure infrastructure = new PoolInfrastructure(client, System::nanoTime);

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    @Test
    void who_names_a_kind_of_machines_makes_them_and_is_asked_once() {
        object("'status':{'infrastructureMachineKind':'SomeMachine'}");
        assertThat(infrastructure.makesMachines(pool("SomeMachinePool"))).isTrue();
        server.clearRequests();
        assertThat(infrastructure.makesMachines(pool("SomeMachinePool"))).isTrue();
        assertThat(server.requests()).isEmpty();

        infrastructure.forget(pool("SomeMachinePool").key());
        assertThat(infrastructure.makesMachines(pool("SomeMachinePool"))).isTrue();
        assertThat(server.requests()).singleElement().satisfies(r -> assertThat(r.path()).isEqualTo(OBJECT));
    }

    @Test
    void who_names_none_makes_none() {
        object("'status':{'ready':true,'replicas':3}");
        assertThat(infrastructure.makesMachines(pool("SomeMachinePool"))).isFalse();
        server.clearRequests();
        assertThat(infrastructure.makesMachines(pool("SomeMachinePool"))).isFalse();
        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            'status':{'infrastructureMachineKind':'M'}              | MACHINES
            'status':{'ready':true}                                 | NONE
            'status':{'initialization':{'provisioned':true}}        | NONE
            'status':{'initialization':{'provisioned':false}}       | UNKNOWN
            'status':{'ready':false,'replicas':0}                   | UNKNOWN
            """, quoteCharacter = '`')
    void what_names_no_kind_before_it_is_set_up_may_do_so_later(String status, Makes expected) {
        object(status);

        assertThat(infrastructure.makes(pool("SomeMachinePool").key(), pool("SomeMachinePool").infrastructure()))
                .isEqualTo(expected);
    }

    @Test
    void a_pool_without_infrastructure_asks_nobody() {
        assertThat(infrastructure.makesMachines(pool(""))).isFalse();
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void what_is_not_there_or_not_for_us_to_read_makes_none_as_far_as_is_known() {
        assertThat(infrastructure.makesMachines(pool("SomeMachinePool"))).isFalse();
        assertThat(infrastructure.makesMachines(pool("NoSuchPool"))).isFalse();
        infrastructure.forget(pool("SomeMachinePool").key());
        server.fault(1, r -> r.path().equals(OBJECT), Fault.status(403, "Forbidden", "no"));
        assertThat(infrastructure.makesMachines(pool("SomeMachinePool"))).isFalse();
    }

    @Test
    void who_does_not_answer_is_asked_again() {
        object("'status':{'infrastructureMachineKind':'SomeMachine'}");
        server.fault(1, r -> r.path().equals(OBJECT), Fault.status(503, "ServiceUnavailable", "not now"));
        assertThatExceptionOfType(ApiFailure.class)
                .isThrownBy(() -> infrastructure.makesMachines(pool("SomeMachinePool")));
        assertThat(infrastructure.makesMachines(pool("SomeMachinePool"))).isTrue();
    }

    private static MachinePool pool(String kind) {
        Metadata metadata = new Metadata(
                new ObjectKey("fleet", "p"), "uid", "1", Map.of(), Map.of(), List.of(), false);
        InfrastructureRef ref = kind.isEmpty()
                ? new InfrastructureRef("", "", "")
                : new InfrastructureRef(GROUP, kind, "p");
        return new MachinePool(metadata, "c", new Template(Map.of(), Map.of(), List.of()), ref, List.of(), List.of(),
                List.of());
    }

    private void object(String status) {
        server.create("namespaces", json("{'metadata':{'name':'fleet'}}"));
        server.create("somemachinepools",
                json("{'metadata':{'namespace':'fleet','name':'p'},'spec':{}," + status + "}"));
    }

    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
