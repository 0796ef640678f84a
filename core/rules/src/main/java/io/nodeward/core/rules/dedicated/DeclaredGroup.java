package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.DedicatedAnnotations;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.meta.CustomResource;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A DedicatedNodes beside what was last in force of it.
 *
 * @param desired its spec
 * @param applied the spec that is established; empty if none is
 * @param refusesDaemonSets whether it comes into force although pods of DaemonSets are refused then
 */
public record DeclaredGroup(String name, DedicatedNodesSpec desired, Optional<DedicatedNodesSpec> applied,
        boolean refusesDaemonSets) {
    /** One that waits for DaemonSets whose pods would be refused. */
    public DeclaredGroup(String name, DedicatedNodesSpec desired, Optional<DedicatedNodesSpec> applied) {
        this(name, desired, applied, false);
    }

    public static DeclaredGroup of(CustomResource<DedicatedNodes> object) {
        return new DeclaredGroup(object.key().name(), object.spec().spec(), object.spec().applied(),
                "true".equals(object.metadata().annotations().get(DedicatedAnnotations.REFUSE_DAEMON_SETS)));
    }

    /** Returns the group as its spec declares it and, if that is another, as it was last in force. */
    public Stream<Group> versions() {
        return Stream.concat(Stream.of(desired), applied.stream()).distinct().map(spec -> new Group(name, spec));
    }

    /** Returns the group whose taint Nodes get, if they get one. */
    public Optional<Group> inForce() {
        return held().filter(Group::isEnforced);
    }

    DeclaredGroup with(DedicatedNodesSpec spec, Optional<DedicatedNodesSpec> established) {
        return new DeclaredGroup(name, spec, established, refusesDaemonSets);
    }

    boolean enforces() {
        return desired.enforcement() == EnforcementMode.Enforce;
    }

    /** Returns the group as it is established. */
    Optional<Group> held() {
        return applied.map(spec -> new Group(name, spec));
    }
}
