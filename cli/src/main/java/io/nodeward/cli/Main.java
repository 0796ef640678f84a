package io.nodeward.cli;

import io.nodeward.cli.live.ClusterOptions;
import io.nodeward.cli.live.LiveFailure;
import io.nodeward.cli.live.Time;
import io.nodeward.cli.taint.KubectlFlags;
import io.nodeward.cli.terminal.Terminal;
import io.nodeward.core.rules.command.TaintRefusal;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;

/** Entry of those commands of {@code nodeward} that end by themselves. */
public final class Main {
    private static final String TAINT = "taint";

    private Main() {}

    public static void main(String[] args) {
        Terminal terminal = Terminal.of(System.getProperty("nodeward.terminal", ""),
                System.getProperty("nodeward.columns", ""), System.getenv());
        int exit = run(commandLine(System.in, System.out, terminal, new ClusterOptions()), args);
        if (exit != 0) {
            System.exit(exit);
        }
    }

    /** The exit code. */
    static int run(CommandLine command, String... args) {
        CommandLine taint = command.getSubcommands().get(TAINT);
        if (args.length == 0 || !args[0].equals(TAINT) || taint == null) {
            return command.execute(args);
        }
        try {
            List<String> canonical = new ArrayList<>(List.of(TAINT));
            canonical.addAll(
                    KubectlFlags.canonical(taint.getCommandSpec(), Arrays.asList(args).subList(1, args.length)));
            return command.execute(canonical.toArray(String[]::new));
        } catch (TaintRefusal refusal) {
            taint.getErr().println(refusal.line());
            taint.getErr().println("See '" + taint.getCommandSpec().qualifiedName() + " --help' for usage.");
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    static CommandLine commandLine(InputStream in, OutputStream out) {
        return commandLine(in, out, Terminal.NONE, new ClusterOptions());
    }

    static CommandLine commandLine(InputStream in, OutputStream out, Terminal terminal, ClusterOptions cluster) {
        CommandLine command = new CommandLine(new NodewardCommand());
        command.addSubcommand(new EvalCommand(in, out));
        command.addSubcommand(new PlanCommand(in));
        command.addSubcommand(new TaintCommand(terminal, cluster, Time.SYSTEM));
        command.setExpandAtFiles(false); // a name is what it is
        command.setExecutionExceptionHandler((failure, line, parsed) -> {
            line.getErr().println("nodeward: " + failure.getMessage());
            if (failure instanceof LiveFailure live && !live.advice().isEmpty()) {
                line.getErr().println(live.advice());
            }
            return failure instanceof IllegalArgumentException
                    ? CommandLine.ExitCode.USAGE
                    : CommandLine.ExitCode.SOFTWARE;
        });
        command.setParameterExceptionHandler((wrong, given) -> {
            CommandLine line = wrong.getCommandLine();
            line.getErr().println("nodeward: " + wrong.getMessage());
            line.getErr().println("'" + line.getCommandSpec().qualifiedName() + " --help' says more.");
            return CommandLine.ExitCode.USAGE;
        });
        return command;
    }
}
