package io.nodeward.cli;

import io.nodeward.cli.live.ClusterOptions;
import io.nodeward.cli.live.Time;
import io.nodeward.cli.terminal.Harmless;
import io.nodeward.cli.terminal.StandardOutput;
import io.nodeward.cli.terminal.Terminal;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Entry of those commands of {@code nodeward} that end by themselves. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Terminal terminal = Terminal.of(System.getProperty("nodeward.terminal", ""),
                System.getProperty("nodeward.columns", ""), System.getenv());
        PrintStream out = StandardOutput.open(Boolean.getBoolean("nodeward.pipe"));
        int exit = run(new Invocation(System.in, out, System.err, System.getenv(), terminal), args);
        if (out.checkError() && exit == 0) {
            System.err.println("error: not all of it could be written to standard output");
            exit = CommandLine.ExitCode.SOFTWARE;
        }
        if (exit != 0) {
            System.exit(exit);
        }
    }

    /** Of a fleet that is larger than the heap, which the launcher sets, nothing is known half. */
    private static int run(Invocation invocation, String[] args) {
        try {
            return invocation.run(args);
        } catch (OutOfMemoryError e) {
            System.err.println("error: not enough memory for this: NODEWARD_JAVA_OPTS gives it more, as -Xmx4g");
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    /** @param time of commands that wait for others */
    static CommandLine commandLine(
            InputStream in, OutputStream out, Terminal terminal, ClusterOptions cluster, Time time) {
        CommandLine command = new CommandLine(new NodewardCommand());
        command.addSubcommand(new EvalCommand(in, out));
        command.addSubcommand(new PlanCommand(in, terminal, cluster));
        command.addSubcommand(new ValidateCommand(in, terminal));
        command.addSubcommand(new ExplainCommand(in, terminal, cluster));
        command.addSubcommand(new TreeCommand(in, terminal, cluster));
        command.addSubcommand(new DeviceCommand(in, terminal, cluster, time));
        command.addSubcommand(new TaintCommand(terminal, cluster, time));
        command.addSubcommand(new PauseCommand(cluster));
        command.addSubcommand(new ResumeCommand(cluster));
        command.addSubcommand(new CompletionCommand());
        command.getSubcommands().values().forEach(sub -> sub.getCommandSpec().versionProvider(new Version())
                .addMixin("standard", CommandSpec.forAnnotatedObject(new StandardOptions())));
        command.setExpandAtFiles(false); // a name is what it is
        command.setColorScheme(Help.defaultColorScheme(terminal.colours() ? Ansi.ON : Ansi.OFF));
        command.setExecutionExceptionHandler((failure, line, parsed) -> {
            FailureWords.of(failure).forEach(line.getErr()::println);
            return CommandLine.ExitCode.SOFTWARE;
        });
        command.setParameterExceptionHandler((wrong, given) -> {
            CommandLine line = wrong.getCommandLine();
            line.getErr().println("error: " + Harmless.lines(wrong.getMessage() + suggestion(wrong)));
            line.getErr().println("'" + line.getCommandSpec().qualifiedName() + " --help' says more.");
            return CommandLine.ExitCode.SOFTWARE; // kubectl ends with 1 after wrong usage, too
        });
        return command;
    }

    /** Suggests an option; what picocli finds for an unknown command is often another one. */
    private static String suggestion(ParameterException wrong) {
        return wrong instanceof UnmatchedArgumentException unmatched
                ? unmatched.getSuggestions().stream().filter(found -> found.startsWith("-")).findFirst()
                        .map(found -> "; did you mean " + found + "?").orElse("")
                : "";
    }
}
