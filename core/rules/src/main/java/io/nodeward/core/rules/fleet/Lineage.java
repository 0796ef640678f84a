package io.nodeward.core.rules.fleet;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.OwnerRef;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Who made an object: the owner that controls it, if it is of a kind that declares taints for what it makes. */
public final class Lineage {
    private static final Set<String> MAKERS = Set.of("MachineDeployment", "MachineSet", "MachinePool");
    private static final String CONTROL_PLANES = "controlplane.";

    private Lineage() {}

    /** The owner that made an object; any other owner only keeps it from being collected. */
    public static Optional<OwnerRef> maker(List<OwnerRef> owners) {
        for (OwnerRef owner : owners) {
            if (owner.controller() && makes(owner)) {
                return Optional.of(owner);
            }
        }
        return Optional.empty();
    }

    private static boolean makes(OwnerRef owner) {
        return owner.group().equals(ClusterApi.GROUP)
                ? MAKERS.contains(owner.kind())
                : owner.apiVersion().startsWith(CONTROL_PLANES);
    }

    /** The group of its kind, whatever the version. */
    public static String group(OwnerRef owner) {
        return owner.group();
    }

    /**
     * Whether a reference is to this very object: one that was made anew under the same name is another.
     *
     * @param uid of the object found under the name; what is written by hand has none
     */
    public static boolean isTo(OwnerRef owner, String uid) {
        return owner.uid().isEmpty() || uid.isEmpty() || owner.uid().equals(uid);
    }
}
