package io.nodeward.controller.devices;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.device.EvictionState;
import io.nodeward.core.rules.device.EvictionState.Shown;
import io.nodeward.core.rules.device.ObservedTaints;
import io.nodeward.core.runtime.controller.MapFunction;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.StatusDetails.Text;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of an eviction, as its status shows it.
 *
 * @param message of the condition {@code EvictionInProgress}
 * @param slowed why pods are evicted later than they might be
 */
record EvictionProgress(EvictionState state, String message, Optional<String> slowed) {
    static final String CONDITION = "EvictionInProgress";
    /** The field of the status that is set once it has shown that pods are evicted. */
    static final String BEGAN = "evictionBegan";

    Text text() {
        return new Text(state.status(), new Blocked(state.reason(), message));
    }

    /** Returns what the status of an object shows. */
    static Shown shown(CustomResource<?> object) {
        if (!Trees.read(object.status()).at(BEGAN).equals(Tree.of(true))) {
            return Shown.NEVER;
        }
        return object.conditions().stream().anyMatch(condition -> condition.type().equals(CONDITION)
                && condition.status().equals(Condition.TRUE) && condition.observedGeneration() == object.generation())
                        ? Shown.NOW : Shown.ONCE;
    }

    /** Returns the object if its status shows something else of what the next decision reads of it. */
    static Set<ObjectKey> mapShown(@Nullable CustomResource<?> before, @Nullable CustomResource<?> after) {
        return MapFunction.differs(before, after, EvictionProgress::remembered)
                ? Set.of(MapFunction.latest(before, after).key())
                : Set.of();
    }

    private static List<Object> remembered(CustomResource<?> object) {
        Tree status = Trees.read(object.status());
        return List.of(shown(object), status.at(DeclaredTaints.OBSERVED_TAINT), status.at(ObservedTaints.FIELD));
    }
}
