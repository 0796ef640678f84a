package io.nodeward.cli.device;

import io.nodeward.cli.live.GoDuration;
import io.nodeward.core.rules.command.DryRun;
import io.nodeward.core.rules.command.TaintRefusal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of {@code device taint} and {@code device untaint}. */
public final class DeviceTaintOptions {
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    @Option(names = "--class", paramLabel = "NAME", defaultValue = "", description = "taint: the devices of this"
            + " DeviceClass, in place of NAMES")
    String deviceClass = "";

    @Option(names = "--cel", paramLabel = "EXPRESSION", description = "taint: the devices for which this holds, in"
            + " place of NAMES; may be given again, and all have to hold")
    List<String> expressions = new ArrayList<>();

    @Option(names = "--name", paramLabel = "NAME", defaultValue = "", description = "taint: of the rule (default: made"
            + " of the key and what is selected, the same each time)")
    String name = "";

    @Option(names = "--expires", paramLabel = "DURATION", defaultValue = "0", description = "taint: the controller"
            + " deletes the rule after so long, from 1s to 8760h (365 days); 0 for a rule that stays (default:"
            + " ${DEFAULT-VALUE})")
    String expires = "0";

    @Option(names = "--overwrite", description = "taint: a rule that selects the same and is there already gets the"
            + " taint and the time of --expires")
    boolean overwrite;

    @Option(names = {"-y", "--yes"}, description = "Do not ask before pods are evicted, or several rules are deleted")
    boolean yes;

    @Option(names = "--dry-run", paramLabel = "HOW", defaultValue = "none", description = "taint, untaint: none, client"
            + " (print what would be sent) or server (send it to be checked, not stored) (default: ${DEFAULT-VALUE})")
    String dryRun = "none";

    DryRun dryRun() {
        try {
            return DryRun.of(dryRun);
        } catch (TaintRefusal refusal) {
            throw new IllegalArgumentException(String.join(", ", refusal.faults()), refusal);
        }
    }

    Optional<Instant> expires(Instant now) {
        Duration after = GoDuration.parse("--expires", expires);
        if (after.isZero()) {
            return Optional.empty();
        }
        if (after.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException(
                    "--expires " + expires + " is too short: at least 1s, or 0 for a rule that stays");
        }
        return Optional.of(now.plus(after).truncatedTo(ChronoUnit.SECONDS));
    }
}
