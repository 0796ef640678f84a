package io.nodeward.e2e.bench.scale;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.e2e.bench.Sample;
import io.nodeward.e2e.bench.Scenario;
import io.nodeward.e2e.bench.contender.NodewardContender;
import io.nodeward.e2e.bench.load.Pause;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Measures the CPU that a controller takes for one event until it rests, beside many objects that it decides about. */
public record StateEvents(String name, List<NodewardContender> contenders, List<String> flags, int events,
        Consumer<FakeApiServer> filling, Event event) implements Scenario {
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final int DEVICES = 128;
    private static final Duration REST = Duration.ofSeconds(1);
    /** Share of one CPU that a controller takes that rests. */
    private static final double IDLE = 0.05;

    /** Changes the cluster. */
    private interface Event {
        void send(FakeApiServer server, int number);
    }

    public StateEvents {
        contenders = List.copyOf(contenders);
        flags = List.copyOf(flags);
    }

    /** Has pods go and come again on Nodes of dedicated groups. */
    public static StateEvents ofPods(List<NodewardContender> contenders, int groups, int nodes, int pods) {
        return new StateEvents("pod-events-" + pods, contenders,
                List.of("--controllers=dedicated", "--feature-gates=DedicatedNodes=true"), Math.min(pods / 2, 5_000),
                server -> {
                    fill(server, "namespaces", groups, i -> "{'metadata':{'name':'ns-%d'}}".formatted(i));
                    fill(server, "nodes", nodes, i -> "{'metadata':{'name':'n%d','labels':{'group':'g%d'}}}"
                            .formatted(i, i % groups));
                    fill(server, "pods", pods, i -> pod(i, i % groups, i % nodes));
                    fill(server, "dedicatednodes", groups,
                            i -> """
                                    {'metadata':{'name':'g%1$d'},'spec':{'nodes':{'selector':{'matchLabels':{'group':'g%1$d'}}},
                                     'who':{'namespaces':['ns-%1$d']},'taint':{'key':'dedicated','value':'g%1$d','effects':['NoSchedule']}}}
                                    """
                                    .formatted(i));
                },
                (server, i) -> {
                    server.delete("pods", "ns-" + i % groups, "p" + i);
                    server.create("pods", json(pod(i, i % groups, (i + 1) % nodes)));
                });
    }

    private static String pod(int number, int namespace, int node) {
        return """
                {'metadata':{'name':'p%d','namespace':'ns-%d'},'spec':{'nodeName':'n%d','containers':[{'name':'c','image':'i'}],
                 'tolerations':[{'key':'dedicated','operator':'Equal','value':'g%d','effect':'NoSchedule'}]},'status':{'phase':'Running'}}
                """
                .formatted(number, namespace, node, number % 7);
    }

    /** Has a driver publish one of its slices again, with another version of its devices. */
    public static StateEvents ofSlices(List<NodewardContender> contenders, int rules, int devices) {
        int slices = Math.ceilDiv(devices, DEVICES);
        return new StateEvents("slice-events-" + devices, contenders,
                List.of("--controllers=devices", "--feature-gates=DeviceTaints=true"), 300,
                server -> {
                    fill(server, "resourceslices", slices, i -> """
                            {'metadata':{'name':'s%1$d'},'spec':{'driver':'gpu.example.com','nodeName':'n%1$d',
                             'pool':{'name':'n%1$d','generation':1,'resourceSliceCount':1},'devices':%2$s}}
                            """.formatted(i, devices(0)));
                    fill(server, "devicetaintrules.nodeward.io", rules,
                            i -> """
                                    {'metadata':{'name':'r%1$d'},'spec':{'deviceSelector':{'driver':'gpu.example.com','selectors':[{'cel':
                                     {'expression':'device.attributes[~gpu.example.com~].firmware == %1$d'}}]},
                                     'taint':{'key':'example.com/firmware','value':'v%1$d','effect':'None'}}}
                                    """
                                    .formatted(i).replace("~", "\\\""));
                },
                (server, i) -> server.mergePatch("resourceslices", "", "s" + i % slices,
                        json("{'spec':{'devices':%s}}".formatted(devices(i + 1)))));
    }

    private static String devices(int version) {
        return IntStream.range(0, DEVICES).mapToObj(i -> "{'name':'d%d','attributes':{'firmware':{'int':%d}}}"
                .formatted(i, (version + i) % 200)).toList().toString();
    }

    private static void fill(FakeApiServer server, String resource, int count, IntFunction<String> object) {
        IntStream.range(0, count).parallel().forEach(i -> server.create(resource, json(object.apply(i))));
    }

    private static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FakeApiServer server() {
        return FakeApiServer.start(Stream
                .of(own("dedicatednodes", "DedicatedNodes"), own("devicetaintrules", "DeviceTaintRule"),
                        own("devicetaintslices", "DeviceTaintSlice"),
                        Kind.custom("apps", List.of("v1"), "daemonsets", "DaemonSet"),
                        devices("deviceclasses", "DeviceClass").clusterScoped(),
                        devices("resourceslices", "ResourceSlice").clusterScoped(),
                        devices("resourceclaims", "ResourceClaim"),
                        devices("resourceclaimtemplates", "ResourceClaimTemplate"))
                .reduce(Options.defaults(), Options::withKind, (a, b) -> b));
    }

    private static Kind own(String plural, String name) {
        return Kind.custom("nodeward.io", List.of("v1alpha1"), plural, name).clusterScoped();
    }

    private static Kind devices(String plural, String name) {
        return Kind.custom("resource.k8s.io", List.of("v1"), plural, name);
    }

    @Override
    public void run(int pairs, Consumer<Sample> samples) {
        try (FakeApiServer server = server()) {
            filling.accept(server);
            for (int pair = 1; pair <= pairs; pair++) {
                for (NodewardContender contender : pair % 2 == 1 ? contenders : contenders.reversed()) {
                    samples.accept(new Sample(name(), contender.name(), pair, figures(server, contender), Map.of()));
                }
            }
        }
    }

    private Map<String, Double> figures(FakeApiServer server, NodewardContender contender) {
        Map<String, Double> figures = new TreeMap<>();
        List<String> launcher = Stream.concat(contender.launcher().stream(), flags.stream()).toList();
        try (StartedController controller =
                StartedController.start(launcher, contender.backend(), server.kubeconfig())) {
            controller.await("it to be ready", controller::isReady);
            figures.put("first_list_cpu_s", atRest(controller));
            send(server, 0); // the first ones compile
            double before = atRest(controller);
            send(server, events);
            figures.put("cpu_us_per_event", (atRest(controller) - before) * 1e6 / events);
            figures.put("peak_rss_mib", controller.peakRssMib());
        }
        return figures;
    }

    private void send(FakeApiServer server, int from) {
        IntStream.range(from, from + events).forEach(number -> event.send(server, number));
    }

    /** Waits until the controller takes no CPU to speak of. Returns what it has taken so far, in seconds. */
    private static double atRest(StartedController controller) {
        double[] last = {controller.cpuSeconds(), 0};
        controller.await("it to rest", () -> {
            Pause.of(REST);
            last[1] = last[0];
            last[0] = controller.cpuSeconds();
            return last[0] - last[1] < REST.toMillis() / 1e3 * IDLE;
        });
        return last[0];
    }
}
