package io.nodeward.core.rules.command;

import io.nodeward.core.rules.command.TaintRefusal.Reason;
import java.util.List;
import java.util.Optional;

/** The names that effects had in the proposal of taints, before Kubernetes had any. */
public final class ProposedEffects {
    private static final String NO_EXECUTE = "NoScheduleNoAdmitNoExecute";
    private static final String NO_ADMIT = "NoScheduleNoAdmit";

    private ProposedEffects() {}

    /**
     * The words of a command in today's names.
     *
     * @throws TaintRefusal of the effect that never came to be
     */
    public static List<String> today(List<String> words) {
        return words.stream().map(ProposedEffects::today).toList();
    }

    /** What to say beside a refusal of such a name. */
    public static Optional<String> hint(List<String> words) {
        return words.stream().anyMatch(word -> effect(word).startsWith(NO_ADMIT))
                ? Optional.of("With --proposed-effects, " + NO_EXECUTE + " is taken for NoExecute.")
                : Optional.empty();
    }

    private static String today(String word) {
        String effect = effect(word);
        if (effect.equals(NO_ADMIT)) {
            throw TaintRefusal.of(Reason.UNKNOWN_EFFECT, "invalid taint effect: " + NO_ADMIT
                    + ", no Node keeps pods from starting without evicting others; NoExecute does both, NoSchedule neither");
        }
        return effect.equals(NO_EXECUTE) ? word.replace(":" + NO_EXECUTE, ":NoExecute") : word;
    }

    private static String effect(String word) {
        int colon = word.indexOf(':');
        return colon < 0 ? "" : word.substring(colon + 1).replaceFirst("-$", "");
    }
}
