package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.DedicatedEffect;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.dedicated.EnforcementMode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The fields of a group that nothing acts on yet. The change that makes one of them work takes its line away. */
final class FieldsNotInEffect {
    private static final Set<DedicatedEffect> NO_ADMIT =
            Set.of(DedicatedEffect.NoScheduleNoAdmit, DedicatedEffect.NoScheduleNoAdmitNoExecute);
    private static final List<Field> FIELDS = List.of(
            new Field("spec.enforcement: Warn does what Audit does", PodFeatures::any,
                    spec -> spec.enforcement() == EnforcementMode.Warn),
            new Field("spec.exclusive: no pod is refused or moved", PodFeatures::admission,
                    DedicatedNodesSpec::exclusive),
            new Field("spec.taint.effects: nothing stops a pod that has spec.nodeName", PodFeatures::admission,
                    spec -> spec.taint().effects().stream().anyMatch(NO_ADMIT::contains)),
            new Field("spec.who.deviceClasses: claims of devices are not read", PodFeatures::any,
                    spec -> !spec.who().deviceClasses().isEmpty()),
            new Field("spec.eviction: nobody evicts the pods, and a Node gets NoExecute when they are gone",
                    PodFeatures::evictions, FieldsNotInEffect::respectsBudgets),
            new Field("spec.deadlineSeconds: nobody evicts a pod after it", PodFeatures::evictions,
                    spec -> respectsBudgets(spec) && spec.eviction().deadlineSeconds().isPresent()));

    private FieldsNotInEffect() {}

    private static boolean respectsBudgets(DedicatedNodesSpec spec) {
        return spec.eviction().respectsBudgets() && spec.taint().effectsOnNode().contains("NoExecute");
    }

    /**
     * Of the fields that are set, one finding; empty if all that is declared works.
     *
     * @param features what is done to pods
     */
    static Optional<Finding> of(DedicatedNodesSpec spec, PodFeatures features) {
        String text = FIELDS.stream().filter(field -> !field.works.test(features))
                .filter(field -> field.isSet.test(spec)).map(Field::text)
                .collect(Collectors.joining("; "));
        return text.isEmpty()
                ? Optional.empty()
                : Optional.of(new Finding(Finding.Reason.FieldsNotInEffect, text));
    }

    /** @param works with these features */
    private record Field(String text, Predicate<PodFeatures> works, Predicate<DedicatedNodesSpec> isSet) {}
}
