package io.nodeward.api.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.machine.TaintPlace;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

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
            assertThat(read.as(projection)).isEqualTo(projection.read(bytes));
        }
        assertThat(read.metadata().resourceVersion()).isEqualTo("7");
        assertThat(read.withResourceVersion("8").as(Projection.NODE_GROUP))
                .isEqualTo(Projection.NODE_GROUP.read(bytes).withResourceVersion("8"));
        assertThatThrownBy(() -> read.as(Projection.NODE)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void the_stream_goes_on_after_an_object_that_nests_as_deep_as_a_server_takes_it() throws IOException {
        String deep = "{\"metadata\":{\"name\":\"deep\"},\"spec\":{\"x\":" + "[".repeat(50_000) + "]".repeat(50_000)
                + ",\"y\":" + "9".repeat(1_000_000) + ",\"clusterName\":\"c\"}}";
        String events = "{\"type\":\"ADDED\",\"object\":" + deep + "}\n{\"type\":\"ADDED\",\"object\":" + POOL + "}";
        WatchStream<Projected> stream = new WatchStream<>(
                new ByteArrayInputStream(events.getBytes(StandardCharsets.UTF_8)), Projection.all(ALL));

        assertThat(put(stream).as(Projection.MACHINE_POOL).clusterName()).isEqualTo("c");
        assertThat(put(stream).as(Projection.NODE_GROUP).clusterName()).isEqualTo("c");
        assertThat(stream.next()).isEmpty();
    }

    private static Projected put(WatchStream<Projected> stream) throws IOException {
        return ((WatchEvent.Put<Projected>) stream.next().orElseThrow()).object();
    }
}
