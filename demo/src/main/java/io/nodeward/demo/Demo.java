package io.nodeward.demo;

import io.nodeward.controller.app.Nodeward;
import io.nodeward.core.fakeapi.FakeApiServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** Server, fleet, controller and display of one demo. Closed once, by whoever comes first. */
final class Demo implements AutoCloseable {
    private final PrintStream out;
    private final Pace pace;
    private final Terminal terminal;
    private final Workplace workplace;
    private final FakeApiServer server;
    private final Fleet fleet;
    private final BlockingQueue<Happening> happenings = new LinkedBlockingQueue<>();
    private final Witness witness = new Witness(happenings);
    private final Display display;
    private @Nullable Nodeward controller;
    private boolean closed;

    private Demo(PrintStream out, Terminal terminal, Pace pace, Workplace workplace) throws IOException {
        this.out = out;
        this.terminal = terminal;
        this.pace = pace;
        this.workplace = workplace;
        this.server = FakeApiServer.start(FleetObjects.kinds());
        this.fleet = new Fleet(server);
        fleet.create();
        server.listen(request -> happenings.add(new Happening.Asked(request, System.nanoTime())));
        workplace.writeKubeconfig(server.kubeconfig());
        this.display = terminal.open(out);
    }

    /** With the fleet on the server and nothing running yet. */
    static Demo open(PrintStream out, Terminal terminal, Pace pace) throws IOException {
        Workplace workplace = Workplace.create();
        // Before the first logger: the table must not be written over.
        System.setProperty("nodeward.demo.log", workplace.log().toString());
        System.setProperty("logback.configurationFile", "io/nodeward/demo/logback.xml");
        return new Demo(out, terminal, pace, workplace);
    }

    FakeApiServer server() {
        return server;
    }

    Workplace workplace() {
        return workplace;
    }

    void listenTo(InputStream keyboard) {
        if (terminal.interactive()) {
            Keyboard.listen(keyboard, happenings);
        }
    }

    /**
     * Leads the tour and, unless {@code once}, stays until somebody quits.
     *
     * @return whether all steps came true
     */
    boolean run(boolean once) throws InterruptedException {
        Guide guide = new Guide(fleet, witness, display, pace);
        List<Step> steps = new Tour(fleet).steps(this::startController);
        guide.lead(steps);
        if (!once && !guide.hasQuit()) {
            new Live(fleet, witness, display, workplace.kubeconfig(), terminal.interactive()).follow();
        }
        close(guide.hasFailed());
        return guide.hasQuit() || (once ? report(guide.done(), steps) : !guide.hasFailed());
    }

    // Counted again, now that the controller has stopped: nothing may have been written after a step was over.
    private boolean report(int cameTrue, List<Step> steps) {
        int due = steps.stream().mapToInt(Step::writes).sum();
        long made = server.requests().stream()
                .map(request -> new Happening.Asked(request, 0))
                .filter(asked -> asked.byController() && asked.isWrite())
                .count();
        out.println(cameTrue + " of " + steps.size() + " steps came true; " + made + " writes were made, " + due
                + " were due.");
        if (cameTrue < steps.size()) {
            out.println("The controller's log is " + workplace.log());
        }
        return cameTrue == steps.size() && made == due;
    }

    private synchronized void startController() {
        if (closed) {
            return;
        }
        try {
            controller = Nodeward.start(
                    "--kubeconfig", workplace.kubeconfig().toString(),
                    "--feature-gates", "TopologyTaintPropagation=true",
                    "--cluster-servers", "127.0.0.1",
                    "--health-address", "127.0.0.1:0",
                    "--metrics-address", "127.0.0.1:0");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        close(false);
    }

    private synchronized void close(boolean keepLog) {
        if (closed) {
            return;
        }
        closed = true;
        display.close();
        try (server) {
            if (controller != null) {
                controller.close();
            }
        } finally {
            workplace.remove(keepLog);
        }
    }
}
