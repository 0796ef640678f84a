package io.nodeward.e2e.bench;

import io.nodeward.e2e.bench.contender.Contender;
import io.nodeward.e2e.bench.contender.NodewardContender;
import io.nodeward.e2e.bench.contender.Together;
import io.nodeward.e2e.bench.contender.UpstreamContender;
import io.nodeward.e2e.bench.load.IdealClient;
import io.nodeward.e2e.bench.load.Testbed;
import io.nodeward.e2e.bench.micro.MicroScenario;
import io.nodeward.e2e.bench.report.Report;
import io.nodeward.e2e.bench.scale.CachedNodes;
import io.nodeward.e2e.bench.scale.ManyClusters;
import io.nodeward.e2e.bench.scale.StateEvents;
import io.nodeward.e2e.bench.scenario.Entrants;
import io.nodeward.e2e.bench.scenario.Scenarios;
import io.nodeward.e2e.bench.scenario.Setup;
import io.nodeward.e2e.controlplane.Directories;
import io.nodeward.e2e.image.UnpackedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code nodeward bench}: Nodeward, the upstream manager and an ideal client on the same servers, in turn. */
@Command(name = "nodeward bench", sortOptions = false, description = {
        "Measures Nodeward with each backend beside the Cluster API manager and an ideal client:",
        "on one real API server with its etcd, in turn, several times. Nothing else should run meanwhile."
})
public final class Main implements Callable<Integer> {
    private static final int COLUMNS = 80;
    /** The columns of the time before each line. */
    private static final int TIME = 8;
    private static final int QUICK_NODES = 100;
    /** The large fleet is so many times the small one. */
    private static final int LARGE = 4;
    private static final int QUICK_SCALE = 50;
    private static final List<String> BACKENDS = List.of("fabric8", "official");

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help")
    boolean help;

    @Option(names = "--pairs", paramLabel = "N", defaultValue = "5", description = "How often each has its turn"
            + " (default: ${DEFAULT-VALUE})")
    int pairs = 5;

    @Option(names = "--scenario", paramLabel = "NAME", split = ",", description = "Only these (default: all)")
    List<String> names = new ArrayList<>();

    @Option(names = "--nodes", paramLabel = "N", defaultValue = "2000", description = "Size of the large fleet;"
            + " the small one is a quarter of it (default: ${DEFAULT-VALUE})")
    int nodes = 2000;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "target/bench", description = "For samples and report"
            + " (default: ${DEFAULT-VALUE})")
    Path out = Path.of("target/bench");

    @Option(names = "--add", description = "Keep what DIR has of other scenarios: a full run in parts")
    boolean add;

    @Option(names = "--quick", description = "One pair, 100 Nodes, short: to see that everything works")
    boolean quick;

    @Option(names = "--image", paramLabel = "FILE", description = "Take the controller from nodeward-oci.tar,"
            + " which 'nodeward image' writes, not from the checkout; only root may")
    @Nullable
    Path image;

    @Option(names = "--beside", paramLabel = "CHECKOUT", description = "Measure the controller of this checkout, too, which is built")
    @Nullable
    Path beside;

    @Spec
    @Nullable
    CommandSpec spec;

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public Integer call() {
        PrintWriter console = spec == null ? new PrintWriter(System.out) : spec.commandLine().getOut();
        long start = System.nanoTime();
        return run(line -> {
            console.printf("%6.1f  %s%n", (System.nanoTime() - start) / 1e9, line);
            console.flush();
        });
    }

    private int run(Consumer<String> say) {
        Path checkout = Path.of(System.getProperty("nodeward.checkout", ".")).toAbsolutePath().normalize();
        if (image == null) {
            String launcher = checkout.resolve("nodeward").toString();
            return run(say, Facts.commit(checkout), List.of(launcher, "controller"));
        }
        try {
            Path directory = Files.createTempDirectory("nodeward-image-");
            try {
                UnpackedImage unpacked = UnpackedImage.of(image, directory);
                return run(say, unpacked.revision() + " (image)", unpacked.launcher());
            } finally {
                Directories.delete(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the image cannot be unpacked", e);
        }
    }

    /**
     * @param version of the controller
     * @param launcher the command that starts it, without flags
     */
    private int run(Consumer<String> say, String version, List<String> launcher) {
        Entrants entrants = entrants(launcher, version);
        List<Scenario> every = alone(launcher, version);
        List<Scenario> alone = wanted(every);
        List<String> failed = new ArrayList<>();
        Map<String, String> facts;
        Results results;
        try (Testbed bed = Testbed.start(say); IdealClient ideal = new IdealClient(bed)) {
            Setup setup = new Setup(bed, ideal, entrants, quick);
            List<Scenario> all = Scenarios.all(setup, Math.max(1, large() / LARGE), large());
            requireKnown(names(all, every));
            List<Scenario> beside = wanted(all);
            List<String> again = names(beside, alone);
            Report.Earlier earlier = add ? Report.read(out) : new Report.Earlier(List.of(), Map.of());
            facts = Facts.added(earlier.facts(), facts(version, entrants, again), again);
            facts.forEach((name, value) -> say.accept(name + ": " + value));
            results = new Results(
                    out, earlier.samples().stream().filter(s -> !again.contains(s.scenario())).toList(), say);
            run(beside, results, facts, failed);
        }
        run(alone, results, facts, failed);
        say.accept("");
        Report.table(results.samples(), COLUMNS - TIME).lines().forEach(say);
        failed.forEach(failure -> say.accept("FAILED " + failure));
        return failed.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private Map<String, String> facts(String version, Entrants entrants, List<String> scenarios) {
        Map<String, String> facts = Facts.of(entrants);
        facts.put("pairs", Integer.toString(pairs()));
        facts.put(Facts.MEASURED, "%s, commit %s, pairs: %d, %s".formatted(
                LocalDate.now(ZoneOffset.UTC), version, pairs(), String.join(" ", scenarios)));
        return facts;
    }

    private static List<String> names(List<Scenario> some, List<Scenario> others) {
        return Stream.concat(some.stream(), others.stream()).flatMap(scenario -> scenario.names().stream()).toList();
    }

    private List<Scenario> wanted(List<Scenario> all) {
        return names.isEmpty() ? all : all.stream()
                .filter(scenario -> scenario.names().stream().anyMatch(names::contains))
                .map(scenario -> scenario.only(names)).toList();
    }

    /** The report is written after each, so that a run which is stopped leaves what it has. */
    private void run(
            List<Scenario> scenarios, Results results, Map<String, String> facts, List<String> failed) {
        for (Scenario scenario : scenarios) {
            try {
                scenario.run(pairs(), results);
            } catch (RuntimeException e) {
                failed.add(scenario.name() + ": " + e.getMessage());
                Facts.failed(facts, scenario, e);
            }
            Report.write(results.samples(), facts, out);
        }
    }

    /** Those with servers of their own, or none: they measure what one contender takes. */
    private List<Scenario> alone(List<String> launcher, String version) {
        List<NodewardContender> contenders =
                Stream.concat(nodeward(launcher, version).stream(), beside()).toList();
        int scale = quick ? QUICK_SCALE : 1;
        return List.of(
                CachedNodes.onRealServers(launcher, 1, 1),
                CachedNodes.onRealServers(launcher, 10_000 / scale, 10_000 / scale),
                CachedNodes.served(launcher, 10_000 / scale, 10_000 / scale),
                CachedNodes.served(launcher, 50_000 / scale, 10_000 / scale),
                new ManyClusters(launcher, 50 / scale, 200),
                StateEvents.ofPods(contenders, 200 / scale, 5_000 / scale, 100_000 / scale),
                StateEvents.ofSlices(contenders, 100 / scale, 10_000 / scale),
                quick ? new Quick(new MicroScenario(1, 1, 100)) : new MicroScenario());
    }

    /** Under another name, as it says nothing about goals. */
    private record Quick(Scenario scenario) implements Scenario {
        @Override
        public String name() {
            return scenario.name() + "-quick";
        }

        @Override
        public void run(int pairs, Consumer<Sample> samples) {
            scenario.run(pairs, sample -> samples.accept(new Sample(
                    name(), sample.contender(), sample.pair(), sample.figures(), sample.series())));
        }
    }

    private int pairs() {
        return quick ? 1 : pairs;
    }

    private int large() {
        return quick ? Math.min(nodes, QUICK_NODES) : nodes;
    }

    private void requireKnown(List<String> known) {
        for (String name : names) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("no scenario " + name + "; there are: " + String.join(", ", known));
            }
        }
    }

    private Entrants entrants(List<String> launcher, String version) {
        List<NodewardContender> nodeward = nodeward(launcher, version);
        return new Entrants(
                Stream.<Contender>concat(nodeward.stream(), beside()).toList(),
                List.of(UpstreamContender.raised()),
                List.of(UpstreamContender.asShipped()),
                List.copyOf(nodeward(launcher, version, "--feature-gates=MachinePoolTaintPropagation=true")),
                List.copyOf(nodeward(launcher, version, "--leader-election", "--leader-election-namespace=default")),
                List.of(new Together(UpstreamContender.off(), nodeward.getLast())));
    }

    private Stream<NodewardContender> beside() {
        return beside == null ? Stream.of() : BACKENDS.stream().map(backend -> new NodewardContender("beside", backend,
                List.of(beside.resolve("nodeward").toString(), "controller"), Facts.commit(beside), List.of()));
    }

    /** Returns a contender for each backend. */
    private static List<NodewardContender> nodeward(List<String> launcher, String version, String... flags) {
        return BACKENDS.stream()
                .map(backend -> new NodewardContender(backend, launcher, version, List.of(flags))).toList();
    }
}
