package io.nodeward.controller.app;

import java.io.IOException;
import picocli.CommandLine;

/** Entry of {@code nodeward controller}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        int exit = run(args);
        if (exit != 0) {
            System.exit(exit);
        }
    }

    /** Returns the exit code: 0 stopped in good order, 1 failed, 2 wrong usage. */
    static int run(String[] args) {
        CommandLine command = new CommandLine(new ControllerCommand());
        command.setExecutionExceptionHandler((failure, line, parsed) -> {
            line.getErr().println("nodeward: " + failure.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        });
        try {
            command.setDefaultValueProvider(ConfigFile.of(args, command.getCommandSpec()));
        } catch (IOException e) {
            command.getErr().println("nodeward: " + e.getMessage());
            return CommandLine.ExitCode.USAGE;
        }
        return command.execute(args);
    }
}
