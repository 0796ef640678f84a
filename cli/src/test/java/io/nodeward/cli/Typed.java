package io.nodeward.cli;

import io.nodeward.cli.Cluster.Result;
import io.nodeward.cli.live.ClusterOptions;
import io.nodeward.cli.live.Time;
import io.nodeward.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import picocli.CommandLine;

/** The command as it is typed, where no cluster can be reached. */
final class Typed {
    private Typed() {}

    static Result run(String input, String... args) {
        return run(Terminal.NONE, input, args);
    }

    static Result run(Terminal terminal, String input, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exit = new Invocation(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out), new PrintStream(err), Map.of("KUBECONFIG", "missing"), terminal).run(args);
        return new Result(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** The command line, which reads {@code in} and writes to {@code out}. */
    static CommandLine commandLine(InputStream in, OutputStream out) {
        return Main.commandLine(in, out, Terminal.NONE, new ClusterOptions(), Time.SYSTEM);
    }

    /** A Cluster with a control plane, a MachineDeployment and pods. */
    static String fleet() throws IOException {
        return resource("fleet.yaml");
    }

    /** Devices of two drivers, rules of both kinds, and claims with pods. */
    static String devices() throws IOException {
        return resource("devices.yaml");
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Typed.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
