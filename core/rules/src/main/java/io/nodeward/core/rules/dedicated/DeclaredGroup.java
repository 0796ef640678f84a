package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.meta.CustomResource;
import java.util.Optional;

/**
 * A DedicatedNodes beside what was last in force of it.
 *
 * @param desired its spec
 * @param applied the spec that is established; empty if none is
 */
public record DeclaredGroup(String name, DedicatedNodesSpec desired, Optional<DedicatedNodesSpec> applied) {
    public static DeclaredGroup of(CustomResource<DedicatedNodes> object) {
        return new DeclaredGroup(object.key().name(), object.spec().spec(), object.spec().applied());
    }

    boolean enforces() {
        return desired.enforcement() == EnforcementMode.Enforce;
    }

    /** Returns the group as it is established. */
    Optional<Group> held() {
        return applied.map(spec -> new Group(name, spec));
    }
}
