package io.nodeward.controller.app;

import io.nodeward.core.rules.command.Nearest;
import io.nodeward.core.rules.taint.Initialization;
import io.nodeward.core.runtime.webhook.WebhookClientConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Entry of {@code nodeward controller}. */
public final class Main {
    /** As Kubernetes writes such words. */
    private static final Map<String, Initialization> INITIALIZATIONS = new TreeMap<>(Map.of(
            "whenUntracked", Initialization.WHEN_UNTRACKED, "whenUninitialized", Initialization.WHEN_UNINITIALIZED));

    private Main() {}

    public static void main(String[] args) {
        int exit = run(args);
        if (exit != 0) {
            System.exit(exit);
        }
    }

    /** Returns the exit code: 0 stopped in good order, 1 failed, 2 wrong usage. */
    static int run(String[] args) {
        try {
            return commandLine(args).execute(args);
        } catch (IOException e) {
            System.err.println("nodeward: " + e.getMessage());
            return CommandLine.ExitCode.USAGE;
        }
    }

    /** @throws IOException if the config file that the arguments name cannot be used */
    static CommandLine commandLine(String[] args) throws IOException {
        return commandLine(List.of(), args);
    }

    /** As above, with the flags of other controllers. */
    static CommandLine commandLine(List<OutOfTreeController> others, String[] args) throws IOException {
        ControllerCommand controller = new ControllerCommand(others);
        CommandLine command = new CommandLine(controller);
        command.setResourceBundle(new HelpLists());
        controller.configs.forEach(config -> command.addMixin(config.getClass().getName(), config));
        command.getCommandSpec().mixinStandardHelpOptions(true); // in the list of options after all others
        registerConverters(command);
        command.setDefaultValueProvider(ConfigFile.of(args, command));
        command.setExecutionExceptionHandler((failure, line, parsed) -> {
            line.getErr().println("nodeward: " + failure.getMessage());
            return failure instanceof IllegalArgumentException ? CommandLine.ExitCode.USAGE
                    : CommandLine.ExitCode.SOFTWARE;
        });
        command.setParameterExceptionHandler((wrong, given) -> {
            CommandLine line = wrong.getCommandLine();
            line.getErr().println("nodeward: " + wrong.getMessage() + hint(wrong, line));
            line.getErr().println("'" + line.getCommandName() + " --help' lists the options.");
            return CommandLine.ExitCode.USAGE;
        });
        return command;
    }

    private static void registerConverters(CommandLine command) {
        command.registerConverter(Duration.class, new DurationText());
        command.registerConverter(Initialization.class,
                text -> Optional.ofNullable(INITIALIZATIONS.get(text)).orElseThrow(
                        () -> new TypeConversionException("'" + text + "' is none of " + INITIALIZATIONS.keySet())));
        command.registerConverter(InetSocketAddress.class, text -> Addresses.find(text)
                .orElseThrow(() -> new TypeConversionException(Addresses.isNone(text))));
        command.registerConverter(WebhookClientConfig.class, text -> {
            try {
                return WebhookClientConfig.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        });
    }

    private static String hint(CommandLine.ParameterException wrong, CommandLine line) {
        if (!(wrong instanceof CommandLine.UnmatchedArgumentException unmatched)) {
            return "";
        }
        String option = unmatched.getUnmatched().get(0).replaceFirst("=.*", "");
        return Nearest.hint(option, line.getCommandSpec().optionsMap().keySet());
    }
}
