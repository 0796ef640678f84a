package io.nodeward.e2e.bench;

import io.nodeward.e2e.bench.contender.Contender;
import io.nodeward.e2e.bench.contender.NodewardContender;
import io.nodeward.e2e.bench.contender.Together;
import io.nodeward.e2e.bench.contender.UpstreamContender;
import io.nodeward.e2e.bench.load.IdealClient;
import io.nodeward.e2e.bench.load.Testbed;
import io.nodeward.e2e.bench.scenario.Entrants;
import io.nodeward.e2e.bench.scenario.Scenarios;
import io.nodeward.e2e.bench.scenario.Setup;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
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
    private static final int QUICK_NODES = 100;
    /** The large fleet is so many times the small one. */
    private static final int LARGE = 4;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help")
    boolean help;

    @Option(names = "--pairs", paramLabel = "N", defaultValue = "5", description = "How often each has its turn (default: ${DEFAULT-VALUE})")
    int pairs = 5;

    @Option(names = "--scenario", paramLabel = "NAME", split = ",", description = "Only these (default: all)")
    List<String> names = new ArrayList<>();

    @Option(names = "--nodes", paramLabel = "N", defaultValue = "2000", description = "Size of the large fleet; the small one is a quarter of it (default: ${DEFAULT-VALUE})")
    int nodes = 2000;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "target/bench", description = "For samples and report (default: ${DEFAULT-VALUE})")
    Path out = Path.of("target/bench");

    @Option(names = "--quick", description = "One pair, 100 Nodes, short: to see that everything works")
    boolean quick;

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

    private int run(java.util.function.Consumer<String> say) {
        int large = quick ? Math.min(nodes, QUICK_NODES) : nodes;
        Entrants entrants = entrants(Path.of(System.getProperty("nodeward.checkout", ".")).toAbsolutePath());
        Map<String, String> facts = Facts.of(entrants.all());
        facts.forEach((name, value) -> say.accept(name + ": " + value));
        Results results = new Results(out, say);
        try (Testbed bed = Testbed.start(say)) {
            Setup setup = new Setup(bed, new IdealClient(bed), entrants, quick);
            List<Scenario> chosen = chosen(Scenarios.all(setup, Math.max(1, large / LARGE), large));
            List<String> failed = new ArrayList<>();
            for (Scenario scenario : chosen) {
                try {
                    scenario.run(quick ? 1 : pairs, results);
                } catch (RuntimeException e) {
                    failed.add(scenario.name() + ": " + e.getMessage());
                }
            }
            failed.forEach(failure -> say.accept("FAILED " + failure));
            return failed.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
    }

    private List<Scenario> chosen(List<Scenario> all) {
        List<String> known = all.stream().map(Scenario::name).toList();
        for (String name : names) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("no scenario " + name + "; there are: " + String.join(", ", known));
            }
        }
        return all.stream().filter(scenario -> names.isEmpty() || names.contains(scenario.name())).toList();
    }

    private static Entrants entrants(Path checkout) {
        List<String> launcher = List.of(checkout.resolve("nodeward").toString(), "controller");
        String commit = Facts.commit(checkout);
        Contender official = new NodewardContender("official", launcher, commit);
        return new Entrants(
                List.of(new NodewardContender("fabric8", launcher, commit), official),
                List.of(UpstreamContender.raised()),
                List.of(UpstreamContender.asShipped()),
                List.of(new Together(UpstreamContender.off(), official)));
    }
}
