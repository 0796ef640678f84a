package io.nodeward.core.rules.command;

import io.nodeward.core.rules.command.TaintRefusal.Reason;

/** How far a command goes. */
public enum DryRun {
    /** All the way. */
    NONE,
    /** Nothing is sent. */
    CLIENT,
    /** Sent, checked and not stored. */
    SERVER;

    /**
     * As kubectl takes it.
     *
     * @throws TaintRefusal with kubectl's words, if it is none of these
     */
    public static DryRun of(String text) {
        return switch (text) {
            // A flag without a value, which kubectl takes with a warning.
            case "client", "unchanged" -> CLIENT;
            case "server" -> SERVER;
            case "none" -> NONE;
            default -> Flags.truth(text)
                    .map(truth -> truth ? CLIENT : NONE)
                    .orElseThrow(() -> TaintRefusal.of(Reason.UNKNOWN_DRY_RUN, "Invalid dry-run value (" + text
                            + "). Must be \"none\", \"server\", or \"client\"."));
        };
    }
}
