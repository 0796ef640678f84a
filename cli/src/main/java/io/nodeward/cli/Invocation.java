package io.nodeward.cli;

import io.nodeward.cli.live.ClusterOptions;
import io.nodeward.cli.live.Time;
import io.nodeward.cli.taint.KubectlFlags;
import io.nodeward.cli.terminal.HarmlessWriter;
import io.nodeward.cli.terminal.Terminal;
import io.nodeward.core.rules.command.TaintRefusal;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** One call of {@code nodeward}, with all that it reads and writes: many may run in one process. */
public record Invocation(
        InputStream in, PrintStream out, PrintStream err, Map<String, String> environment, Terminal terminal) {
    private static final String TAINT = "taint";

    /** Returns the exit code. */
    public int run(String... args) {
        return run(Time.SYSTEM, args);
    }

    int run(Time time, String... args) {
        CommandLine command = Main.commandLine(in, out, terminal, new ClusterOptions(environment), time);
        command.setOut(new PrintWriter(HarmlessWriter.out(utf8(out), terminal), true));
        command.setErr(new PrintWriter(HarmlessWriter.err(utf8(err), terminal), true));
        CommandLine taint = command.getSubcommands().get(TAINT);
        if (args.length == 0 || !args[0].equals(TAINT) || taint == null) {
            return command.execute(args);
        }
        try {
            List<String> flags = KubectlFlags.canonical(
                    taint.getCommandSpec(), Arrays.asList(args).subList(1, args.length));
            List<String> canonical = new ArrayList<>(List.of(TAINT));
            canonical.addAll(flags);
            return command.execute(canonical.toArray(String[]::new));
        } catch (TaintRefusal refusal) {
            taint.getErr().println(refusal.line());
            taint.getErr().println("See '" + taint.getCommandSpec().qualifiedName() + " --help' for usage.");
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    /** What is in the texts of objects is UTF-8, whatever the terminal is set to. */
    private static Writer utf8(PrintStream stream) {
        return new OutputStreamWriter(stream, StandardCharsets.UTF_8);
    }
}
