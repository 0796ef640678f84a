package io.nodeward.core.rules.guard;

import io.nodeward.api.guard.NodeTaintGuard;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Finds what a NodeTaintGuard cannot mean. The schema refuses it as well, but the stored object may be of a newer or an older schema,
 * and a guard with a part left out would protect something else than it says.
 */
public final class GuardFaults {
    private GuardFaults() {}

    /** Returns the faults, each with its field; empty if there are none. */
    public static List<String> of(NodeTaintGuard guard) {
        List<String> faults = new ArrayList<>();
        if (!guard.scope().equals(NodeTaintGuard.TAINTS) && !guard.scope().equals(NodeTaintGuard.SPEC)) {
            faults.add("spec.scope: must be Taints or Spec, and is '" + guard.scope() + "'");
        }
        if (guard.scope().equals(NodeTaintGuard.SPEC) && !guard.keyPrefixes().isEmpty()) {
            faults.add("spec.keyPrefixes: may only be set together with spec.scope Taints");
        }
        NodeTaintGuard.Exempt exempt = guard.exempt();
        Predicate<String> isText = text -> !text.isEmpty();
        check(faults, "spec.keyPrefixes", guard.keyPrefixes(), isText, "must be a text that is not empty");
        check(faults, "spec.exempt.components", exempt.components().orElse(List.of()),
                text -> Component.of(text).isPresent(), "must be one of " + String.join(", ", Component.texts()));
        check(faults, "spec.exempt.users", exempt.users(), isText, "must be a text that is not empty");
        check(faults, "spec.exempt.groups", exempt.groups(), isText, "must be a text that is not empty");
        check(faults, "spec.exempt.serviceAccounts", exempt.serviceAccounts(), text -> text.matches("[^/:]+/[^/:]+"),
                "must be namespace/name");
        return faults;
    }

    private static void check(
            List<String> faults, String field, List<String> values, Predicate<String> isValid, String otherwise) {
        IntStream.range(0, values.size()).filter(i -> !isValid.test(values.get(i))).forEach(
                i -> faults.add(field + "[" + i + "]: " + otherwise + ", and is '" + values.get(i) + "'"));
    }
}
