package io.nodeward.controller.app;

import java.io.IOException;
import picocli.CommandLine;

/** Text of generated pages. */
public final class Reference {
    private Reference() {}

    public static String flags() throws IOException {
        CommandLine command = Main.commandLine(new String[0]);
        command.setUsageHelpWidth(100);
        return "```\n" + command.getUsageMessage(CommandLine.Help.Ansi.OFF) + "```\n";
    }
}
