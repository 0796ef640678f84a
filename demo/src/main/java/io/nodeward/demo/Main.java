package io.nodeward.demo;

import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code nodeward demo}: shows taints and labels travel from Machines to Nodes, with nothing to install but a JDK. */
@Command(name = "nodeward demo", sortOptions = false, description = {
        "A guided tour: a small fleet, the real controller, and a table of Machines, Nodes and taints.",
        "Afterwards the fleet is yours; the controller's log is beside the kubeconfig that is then printed."
})
public final class Main implements Callable<Integer> {
    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help")
    boolean help;

    @Option(names = "--once", description = "End after the tour; the exit code is 1 if a step did not come true")
    boolean once;

    @Option(names = "--patience", paramLabel = "SECONDS", defaultValue = "20", description = "How long a step may take to come true (default: ${DEFAULT-VALUE})")
    int patience = 20;

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        Terminal terminal = Terminal.detect(System.getenv());
        Duration atMost = Duration.ofSeconds(patience);
        Pace pace = terminal.interactive() ? Pace.forReader(atMost) : Pace.unwatched(atMost);
        try (Demo demo = Demo.open(System.out, terminal, pace)) {
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("demo-shutdown").unstarted(demo::close));
            demo.listenTo(System.in);
            return demo.run(once) ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
    }
}
