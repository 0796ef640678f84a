package io.nodeward.api.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.device.DeviceAttribute.Bool;
import io.nodeward.api.device.DeviceAttribute.Int;
import io.nodeward.api.device.DeviceAttribute.Several;
import io.nodeward.api.device.DeviceAttribute.Text;
import io.nodeward.api.device.DeviceAttribute.Unknown;
import io.nodeward.api.device.DeviceAttribute.Version;
import io.nodeward.api.meta.ObjectKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceSliceTest {
    @Test
    void a_slice_is_read_as_a_server_writes_it() throws IOException {
        ResourceSlice slice =
                read("""
                        {'apiVersion':'resource.k8s.io/v1','kind':'ResourceSlice',
                         'metadata':{'name':'node-1-gpu.example.com-x7k2','generateName':'node-1-gpu.example.com-','uid':'u',
                          'resourceVersion':'7','generation':2,'creationTimestamp':'2026-01-01T00:00:00Z','managedFields':[{'manager':'gpu','operation':'Update'}],
                          'ownerReferences':[{'apiVersion':'v1','kind':'Node','name':'node-1','uid':'n','controller':true}]},
                         'spec':{'driver':'gpu.example.com','nodeName':'node-1',
                          'pool':{'name':'node-1','generation':3,'resourceSliceCount':1},
                          'sharedCounters':[{'name':'memory','counters':{'slots':{'value':'4'}}}],
                          'devices':[
                           {'name':'gpu-0','allowMultipleAllocations':true,
                            'attributes':{'model':{'string':'a100'},'index':{'int':-9223372036854775808},'healthy':{'bool':false},
                             'driverVersion':{'version':'1.2.3'},'other.example.com/zones':{'strings':['east','west']}},
                            'capacity':{'memory':{'value':'40Gi','requestPolicy':{'default':'1Gi','validValues':['1Gi']}}},
                            'consumesCounters':[{'counterSet':'memory','counters':{'slots':{'value':'1'}}}],
                            'taints':[{'key':'example.com/hot','value':'very','effect':'NoExecute',
                              'timeAdded':'2026-01-02T03:04:05Z'},{'key':'example.com/old','effect':'NoSchedule'}]},
                           {'name':'gpu-1'}]}}""");

        assertThat(slice.key()).isEqualTo(ObjectKey.clusterScoped("node-1-gpu.example.com-x7k2"));
        assertThat(List.of(slice.driver(), slice.pool(), slice.nodeName()))
                .containsExactly("gpu.example.com", "node-1", "node-1");
        assertThat(slice.created()).isEqualTo("2026-01-01T00:00:00Z");
        assertThat(slice.generation()).isEqualTo(3);
        assertThat(slice.slices()).isEqualTo(1);
        assertThat(slice.devices()).containsExactly(
                new PublishedDevice("gpu-0", new DeviceFacts("gpu.example.com", true,
                        Map.of("model", new Text("a100"), "index", new Int(Long.MIN_VALUE), "healthy", new Bool(false),
                                "driverVersion", new Version("1.2.3"), "other.example.com/zones",
                                new Several(List.of(new Text("east"), new Text("west")))),
                        Map.of("memory", "40Gi")),
                        List.of(new DeviceTaint("example.com/hot", "very", "NoExecute",
                                Instant.parse("2026-01-02T03:04:05Z")),
                                new DeviceTaint("example.com/old", "", "NoSchedule", Instant.EPOCH))),
                new PublishedDevice("gpu-1", new DeviceFacts("gpu.example.com", false, Map.of(), Map.of()), List.of()));
        assertThat(slice.withResourceVersion("8").metadata().resourceVersion()).isEqualTo("8");
        assertThat(slice.withResourceVersion("8").sameState(slice)).isTrue();
    }

    /** API servers store no more, and no longer ones: a status could not show them. */
    @Test
    void of_a_device_sixteen_taints_are_read_and_none_that_is_too_long() throws IOException {
        String taints = IntStream.range(0, 1_000).mapToObj(i -> i == 1 ? "{'key':'" + "k".repeat(318) + "'}"
                : i == 2 ? "{'key':'k','value':'" + "v".repeat(64) + "'}"
                : i == 3 ? "{'key':'k','effect':'" + "e".repeat(64) + "'}"
                : "{'key':'k" + i + "','effect':'None'}").collect(Collectors.joining(","));
        List<DeviceTaint> read = read("{'metadata':{'name':'s'},'spec':{'driver':'d','pool':{'name':'p'},'devices':["
                + "{'name':'x','taints':[" + taints + "]}]}}").devices().getFirst().taints();

        assertThat(read).extracting(DeviceTaint::key).hasSize(13).startsWith("k0", "k4").endsWith("k15");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "{'int':9223372036854775807}            | Int[value=9223372036854775807]",
            "{'int':9223372036854775808}            | Unknown[]",
            "{'int':1.0}                            | Unknown[]",
            "{'int':'1'}                            | Unknown[]",
            "{'int':true}                           | Unknown[]",
            "{'bool':'true'}                        | Unknown[]",
            "{'bool':1}                             | Unknown[]",
            "{'string':1}                           | Unknown[]",
            "{'string':''}                          | Text[value=]",
            "{'string':['a']}                       | Unknown[]",
            "{'version':1.2}                        | Unknown[]",
            "{'version':'not one'}                  | Version[value=not one]",
            "{'ints':[1,2]}                         | Several[values=[Int[value=1], Int[value=2]]]",
            "{'bools':[true]}                       | Several[values=[Bool[value=true]]]",
            "{'versions':['1.0.0']}                 | Several[values=[Version[value=1.0.0]]]",
            "{'strings':[]}                         | Several[values=[]]",
            "{'ints':[1,'2']}                       | Unknown[]",
            "{'ints':[1,null]}                      | Unknown[]",
            "{'ints':[[1]]}                         | Unknown[]",
            "{'ints':{'0':1}}                       | Unknown[]",
            "{'int':1,'strings':['a']}              | Several[values=[Text[value=a]]]",
            "{'string':'a','int':1}                 | Int[value=1]",
            "{'int':null,'string':'a'}              | Text[value=a]",
            "{'float':1}                            | Unknown[]",
            "{}                                     | Unknown[]",
            "'a'                                    | Unknown[]",
            "null                                   | Unknown[]",
    })
    void an_attribute_of_another_type_is_unknown(String json, String attribute) throws IOException {
        assertThat(facts("'attributes':{'a':" + json + "}").attributes()).hasSize(1)
                .extractingByKey("a").hasToString(attribute);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "{'value':'40Gi'} | 40Gi", "{'value':40} | 40", "{'value':1e3} | 1e3", "{'value':0.5} | 0.5",
            "{'value':'many'} | many", "{'value':true} | ~~", "{'value':{}} | ~~", "{} | ~~", "'40Gi' | ~~"
    })
    void a_capacity_is_a_text_that_may_be_no_quantity(String json, String text) throws IOException {
        assertThat(facts("'capacity':{'a':" + json + "}").capacity()).isEqualTo(Map.of("a", text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{'metadata':7,'spec':[]}", "{'metadata':{'creationTimestamp':'once'}}",
            "{'metadata':{'creationTimestamp':{}}}",
            "{'spec':{'driver':{},'pool':'p','devices':{},'nodeName':1}}",
            "{'spec':{'driver':'d','pool':{'name':'p','generation':'3'},'devices':'all'}}",
            "{'spec':{'driver':'d','pool':{'generation':18446744073709551616},'devices':[{'name':'a'}]}}",
            "{'spec':{'pool':{'name':'p'},'devices':[{'name':'a'}]}}",
            "{'spec':{'driver':'d','pool':{'name':'p'},'devices':[7,null,[{'name':'a'}],{},{'name':''},{'name':{}}]}}"
    })
    void what_is_missing_or_of_another_type_publishes_nothing(String json) throws IOException {
        ResourceSlice slice = read(json);

        assertThat(slice.devices()).isEmpty();
        assertThat(slice.generation()).isZero();
        assertThat(slice.slices()).isZero();
        assertThat(slice.nodeName()).isEmpty();
        assertThat(slice.created()).isEqualTo(Instant.EPOCH);
    }

    @Test
    void what_is_of_another_type_in_a_device_is_missing() throws IOException {
        assertThat(device("'attributes':[],'capacity':'much','allowMultipleAllocations':'true','taints':{}"))
                .isEqualTo(device("'x':1"));
        assertThat(device("'taints':[{'key':1,'value':{},'effect':[],'timeAdded':'yesterday'},7]").taints())
                .containsOnly(new DeviceTaint("", "", "", Instant.EPOCH));
    }

    @Test
    void all_texts_of_its_devices_count_for_its_node_and_none_is_left_if_memory_is_short() throws IOException {
        String spec =
                "{'spec':{'driver':'d','pool':{'name':'p','generation':3,'resourceSliceCount':2}%s,'devices':[%s]}}";
        ResourceSlice none = read(spec.formatted(",'nodeName':'n'", ""));
        ResourceSlice one = read(spec.formatted(",'nodeName':'n'", "{'name':'x','attributes':{'a':{'string':'%1$s'},"
                + "'b':{'version':'%1$s'},'c':{'strings':['%1$s','%1$s']}},'capacity':{'e':{'value':'%1$s'}},"
                + "'taints':[{'key':'%2$s'}]}").formatted("x".repeat(1000), "x".repeat(300)));

        assertThat(one.heapBytes() - none.heapBytes()).isBetween(5_700L, 8_300L);
        assertThat(one.account()).isEqualTo("Node n");
        assertThat(read(spec.formatted("", "")).account()).as("of no Node").isEqualTo("d/p");
        assertThat(one.reduced()).isEqualTo(
                new ResourceSlice(one.metadata(), "d", "p", 3, 2, "n", one.created(), List.of(), false));
        assertThat(one.reduced().heapBytes()).isEqualTo(none.heapBytes());
        assertThat(none.reduced()).isSameAs(none);
        assertThat(one.reduced().withResourceVersion("8").known()).isFalse();
    }

    @Test
    void a_device_has_one_identity_in_the_cluster() throws IOException {
        ResourceSlice slice = read("{'spec':{'driver':'d','pool':{'name':'a/b'},'devices':[{'name':'x'}]}}");

        assertThat(slice.devices()).extracting(slice::name).containsExactly(new DeviceName("d", "a/b", "x"));
        assertThat(new DeviceName("d", "a/b", "x")).hasToString("d/a/b/x");
    }

    @Test
    void many_attributes_deep_trees_and_huge_texts_are_read_in_a_stack_of_usual_size() throws IOException {
        String huge = "x".repeat(1 << 20);
        String attributes = IntStream.range(0, 32).mapToObj(i -> "'a" + i + "':{'int':" + i + "}")
                .collect(Collectors.joining(","));
        String many = IntStream.range(0, 128).mapToObj(i -> "{'name':'d" + i + "','attributes':{" + attributes + "}}")
                .collect(Collectors.joining(","));
        String deep = "[".repeat(20_000) + "]".repeat(20_000);
        ResourceSlice slice = read("{'spec':{'driver':'d','pool':{'name':'p'},'devices':[" + many
                + ",{'name':'deep','attributes':{'a':" + deep + ",'b':{'ints':" + deep + "}},'taints':" + deep + "}"
                + ",{'name':'huge','attributes':{'" + huge + "':{'string':'" + huge + "'}}}]}}");

        assertThat(slice.devices()).hasSize(130).extracting(device -> device.facts().attributes().size())
                .containsOnly(32, 2, 1);
        assertThat(slice.devices().get(128).facts().attributes().values()).containsOnly(new Unknown());
        assertThat(slice.devices().get(129).facts().attributes()).as("no server stores such a text")
                .isEqualTo(Map.of(huge, new Unknown()));
    }

    private static DeviceFacts facts(String fields) throws IOException {
        return device(fields).facts();
    }

    private static PublishedDevice device(String fields) throws IOException {
        return read("{'spec':{'driver':'d','pool':{'name':'p'},'devices':[{'name':'x'," + fields + "}]}}")
                .devices().getFirst();
    }

    private static ResourceSlice read(String json) throws IOException {
        return ResourceSlice.PROJECTION.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
