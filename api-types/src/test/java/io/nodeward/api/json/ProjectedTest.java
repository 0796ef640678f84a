package io.nodeward.api.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.api.meta.KubernetesObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProjectedTest {
    private static final Projection<?> TEMPLATE = Projection.taintHolder(TaintPlace.TEMPLATE);
    private static final List<Projection<?>> ALL =
            List.of(Projection.MACHINE_POOL, Projection.NODE_GROUP, Projection.METADATA, TEMPLATE);
    private static final String POOL =
            """
                    {"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"MachinePool","metadata":{"namespace":"n","name":"p","uid":"u",
                     "resourceVersion":"7","labels":{"a":"ä \\ud83d\\ude00"},"annotations":{
                      "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size":"5"},"managedFields":[{"manager":"m",
                      "operation":"Apply","fieldsV1":{"f:spec":{"f:template":{"f:spec":{"f:taints":{"k:{\\"key\\":\\"k\\",\\"effect\\":\\"NoExecute\\"}":{".":{},"f:key":{}}}}}}}}]},
                     "spec":{"clusterName":"c","replicas":3,"x":[1.5e300,12345678901234567890,null,true],"providerIDList":["a","b"],
                      "template":{"metadata":{"labels":{"l":"v"}},"spec":{"infrastructureRef":{"apiGroup":"g","kind":"K",
                       "name":"i"},"taints":[{"key":"k","effect":"NoExecute","propagation":"Always"}]}}},
                     "status":{"nodeRefs":[{"name":"n1","uid":"u1"}],"conditions":[{"type":"nodeward.io/TaintsBlocked",
                      "status":"True","reason":"R","message":"m","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}""";

    @Test
    void each_projection_reads_of_it_what_it_reads_alone() throws IOException {
        byte[] bytes = POOL.getBytes(StandardCharsets.UTF_8);
        Projected read = Projection.all(ALL).read(bytes);

        for (Projection<?> projection : ALL) {
            assertThat(read.as(projection)).isEqualTo(Optional.of(projection.read(bytes)));
        }
        assertThat(read.metadata().resourceVersion()).isEqualTo("7");
        assertThat(read.withResourceVersion("8").as(Projection.NODE_GROUP))
                .hasValue(Projection.NODE_GROUP.read(bytes).withResourceVersion("8"));
        assertThat(read.as(Projection.NODE)).isEmpty();
    }

    /** Half a surrogate pair, numbers that no type holds, and what is no object. */
    @ParameterizedTest
    @ValueSource(strings = {
            "{'metadata':{'name':'x','labels':{'l':'\\udc00'}},'spec':{'clusterName':'\\ud83d'}}",
            "{'metadata':{'name':'x'},'spec':{'clusterName':-0.10e+0000400}}",
            "{'metadata':{'name':12345678901234567890.00},'spec':{'providerIDList':[1e9999999999]}}",
            "{}", "12", "'text'", "[{}]", "null"})
    void whatever_comes_each_reads_it_as_alone_and_then_the_next(String json) throws IOException {
        String events = event(json.replace('\'', '"')) + event(POOL);
        WatchStream<Projected> stream = stream(events, Projection.all(ALL));
        Projected first = put(stream);
        Projected next = put(stream);

        for (Projection<?> projection : ALL) {
            WatchStream<? extends KubernetesObject> alone = stream(events, projection);
            assertThat(first.as(projection)).isEqualTo(Optional.of(put(alone)));
            assertThat(next.as(projection)).isEqualTo(Optional.of(put(alone)));
        }
    }

    @Test
    void what_one_cannot_read_the_others_read_and_all_read_the_next() throws IOException {
        String owners = "{\"metadata\":{\"name\":\"x\",\"managedFields\":[" + "0,".repeat(100_000) + "0]}}";
        assertThatThrownBy(() -> put(stream(event(owners), TEMPLATE))).hasMessageContaining("too many elements");
        WatchStream<Projected> stream =
                stream(event(owners) + event(POOL), Projection.all(List.of(TEMPLATE, Projection.MACHINE_POOL)));
        Projected first = put(stream);
        Projected next = put(stream);

        assertThat(first.as(TEMPLATE)).isEmpty();
        assertThat(first.as(Projection.MACHINE_POOL)).hasValueSatisfying(
                pool -> assertThat(pool.key().name()).isEqualTo("x"));
        assertThat(next.records()).hasSize(2);
        assertThatThrownBy(() -> put(stream(event(owners), Projection.all(List.of(TEMPLATE)))))
                .hasMessageContaining("too many elements");
    }

    @Test
    void the_stream_goes_on_after_an_object_that_nests_as_deep_as_a_server_takes_it() throws IOException {
        String deep = "{\"metadata\":{\"name\":\"deep\"},\"spec\":{\"x\":" + "[".repeat(50_000) + "]".repeat(50_000)
                + ",\"y\":" + "9".repeat(1_000_000) + ",\"clusterName\":\"c\"}}";
        WatchStream<Projected> stream = stream(event(deep) + event(POOL), Projection.all(ALL));

        assertThat(put(stream).as(Projection.MACHINE_POOL)).map(MachinePool::clusterName).hasValue("c");
        assertThat(put(stream).as(Projection.NODE_GROUP)).map(NodeGroup::clusterName).hasValue("c");
        assertThat(stream.next()).isEmpty();
    }

    private static String event(String object) {
        return "{\"type\":\"ADDED\",\"object\":" + object + "}\n";
    }

    private static <T extends KubernetesObject> WatchStream<T> stream(String events, Projection<T> projection) {
        return new WatchStream<>(new ByteArrayInputStream(events.getBytes(StandardCharsets.UTF_8)), projection);
    }

    private static <T extends KubernetesObject> T put(WatchStream<T> stream) throws IOException {
        return ((WatchEvent.Put<T>) stream.next().orElseThrow()).object();
    }
}
