package io.nodeward.api.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.device.DeviceTaintSlice.Entry;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.EvictionMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceTaintSliceTest {
    @Test
    void a_slice_is_read_whole() throws IOException {
        CustomResource<DeviceTaintSlice> object = DeviceTaintSlice.PROJECTION.read(
                bytes("""
                        {'metadata':{'name':'health','generation':3},'spec':{'driver':'gpu.example.com','pool':'node-1','taints':[
                          {'device':'gpu-0','taint':{'key':'example.com/hot','value':'very','effect':'None',
                           'timeAdded':'2026-01-02T03:04:05Z','data':{'a':1},'description':'90 degrees'}},
                          {'device':'gpu-1','taint':{'key':'example.com/hot','effect':'NoExecute','evictionsPerSecond':2}}],
                          'eviction':'Respect'},
                         'status':{'devices':3}}"""));
        assertThat(object.key()).isEqualTo(ObjectKey.clusterScoped("health"));
        assertThat(object.generation()).isEqualTo(3);
        assertThat(object.spec()).isEqualTo(new DeviceTaintSlice("gpu.example.com", "node-1", List.of(
                new Entry("gpu-0", new RuleTaint("example.com/hot", "very", "None",
                        Optional.of(Instant.parse("2026-01-02T03:04:05Z")), new TaintData("{\"a\":1}", 7), "90 degrees",
                        10)),
                new Entry("gpu-1",
                        new RuleTaint("example.com/hot", "", "NoExecute", Optional.empty(), TaintData.NONE, "", 2))),
                new EvictionMode(EvictionMode.RESPECT, OptionalLong.empty())));
        assertThat(object.spec().name(object.spec().taints().getFirst()))
                .hasToString("gpu.example.com/node-1/gpu-0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{'driver':1,'pool':[],'taints':{}}", "{'taints':null}"})
    void what_is_missing_or_of_another_type_is_empty(String spec) throws IOException {
        assertThat(DeviceTaintSlice.of(Trees.read(bytes(spec)))).isEqualTo(new DeviceTaintSlice("", "", List.of()));
    }

    @Test
    void an_entry_of_another_type_names_no_device_and_stays() throws IOException {
        assertThat(DeviceTaintSlice.of(Trees.read(bytes("{'taints':[7,{'device':'a','taint':1}]}"))).taints())
                .extracting(Entry::device).containsExactly("", "a");
    }

    private static byte[] bytes(String json) {
        return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }
}
