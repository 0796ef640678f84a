package io.nodeward.cli.device;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.pod.EvictionMode;
import io.nodeward.cli.live.GoDuration;
import io.nodeward.core.rules.command.DryRun;
import io.nodeward.core.rules.command.TaintRefusal;
import io.nodeward.core.rules.device.RuleFaults;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

    @Option(names = "--eviction", paramLabel = "MODE", defaultValue = "", description = "taint: NoExecute deletes pods"
            + " (Delete), or leaves a pod while its PodDisruptionBudget does not permit that it goes (Respect) (default:"
            + " what the rule has, and Delete for a new one)")
    String eviction = "";

    @Option(names = "--deadline", paramLabel = "DURATION", defaultValue = "0", description = "taint: with"
            + " --eviction=Respect, how long after the taint was added the pods that are left are deleted all the same,"
            + " from 1s to 8760h; 0 for never (default: ${DEFAULT-VALUE})")
    String deadline = "0";

    @Option(names = "--untaint-after", paramLabel = "DURATION", defaultValue = "", description = "taint: with --class"
            + " or --cel, how long a device that the rule no longer selects keeps the taint, from 1s to 8760h (default:"
            + " what the rule has, and not at all for a new one)")
    String untaintAfter = "";

    @Option(names = "--overwrite", description = "taint: a rule that selects the same and is there already gets the"
            + " taint, the time of --expires, and --eviction and --untaint-after if they are given")
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

    /** Returns whether the rule is to respect PodDisruptionBudgets. */
    public boolean respectsBudgets() {
        return eviction.equals(EvictionMode.RESPECT);
    }

    Optional<Instant> expires(Instant now) {
        return duration("--expires", expires, "a rule that stays")
                .map(after -> now.plus(after).truncatedTo(ChronoUnit.SECONDS));
    }

    /** Returns the fields of the spec that say how pods are evicted, and when devices lose the taint; none that the user does not give. */
    ObjectNode spec() {
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        if (!untaintAfter.isEmpty()) {
            spec.put("untaintAfter", untaintAfter());
        }
        Optional<Duration> after = duration("--deadline", deadline, "no deadline");
        if (after.isPresent() && !respectsBudgets()) {
            throw new IllegalArgumentException("--deadline needs --eviction=" + EvictionMode.RESPECT);
        }
        if (eviction.isEmpty()) {
            return spec;
        }
        if (!RuleFaults.MODES.contains(eviction)) {
            throw new IllegalArgumentException(
                    "--eviction " + eviction + ": must be " + String.join(" or ", RuleFaults.MODES));
        }
        after.ifPresent(time -> spec.put("deadlineSeconds", time.toSeconds()));
        return spec.put("eviction", eviction);
    }

    private String untaintAfter() {
        Duration delay = GoDuration.parse("--untaint-after", untaintAfter);
        if (delay.compareTo(SHORTEST) < 0 || delay.getNano() > 0) {
            throw new IllegalArgumentException(
                    "--untaint-after " + untaintAfter + ": must be whole seconds, at least 1s");
        }
        return delay.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
    }

    private static Optional<Duration> duration(String option, String text, String zero) {
        Duration after = GoDuration.parse(option, text);
        if (after.isZero()) {
            return Optional.empty();
        }
        if (after.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException(option + " " + text + " is too short: at least 1s, or 0 for " + zero);
        }
        return Optional.of(after);
    }
}
