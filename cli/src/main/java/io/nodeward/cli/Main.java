package io.nodeward.cli;

import io.nodeward.cli.live.ClusterOptions;
import io.nodeward.cli.live.LiveFailure;
import io.nodeward.cli.live.Time;
import io.nodeward.cli.terminal.Terminal;
import java.io.InputStream;
import java.io.OutputStream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Entry of those commands of {@code nodeward} that end by themselves. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Terminal terminal = Terminal.of(System.getProperty("nodeward.terminal", ""),
                System.getProperty("nodeward.columns", ""), System.getenv());
        int exit = new Invocation(System.in, System.out, System.err, System.getenv(), terminal).run(args);
        if (exit != 0) {
            System.exit(exit);
        }
    }

    static CommandLine commandLine(InputStream in, OutputStream out) {
        return commandLine(in, out, Terminal.NONE, new ClusterOptions());
    }

    static CommandLine commandLine(InputStream in, OutputStream out, Terminal terminal, ClusterOptions cluster) {
        CommandLine command = new CommandLine(new NodewardCommand());
        command.addSubcommand(new EvalCommand(in, out));
        command.addSubcommand(new PlanCommand(in, cluster));
        command.addSubcommand(new ValidateCommand(in, terminal));
        command.addSubcommand(new ExplainCommand(in, terminal, cluster));
        command.addSubcommand(new TreeCommand(in, terminal, cluster));
        command.addSubcommand(new TaintCommand(terminal, cluster, Time.SYSTEM));
        command.addSubcommand(new CompletionCommand());
        command.getSubcommands().values().forEach(sub -> sub.getCommandSpec().versionProvider(new Version())
                .addMixin("standard", CommandSpec.forAnnotatedObject(new StandardOptions())));
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
