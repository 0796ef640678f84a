package io.nodeward.cli.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.cli.snapshot.Manifest;
import java.util.Set;

/**
 * What a pause holds up: by the annotation everything; by {@code spec.paused} of a MachineDeployment rollouts alone, while
 * Cluster API carries taints, labels and annotations to its MachineSets all the same.
 */
final class PausedEdit {
    private static final String ANNOTATIONS = "/metadata/annotations";
    private static final String SPEC = "/spec/paused";

    private PausedEdit() {}

    /** Of an owner that is paused, or whose pause the edit begins or ends. */
    static void warn(Manifest there, Manifest edited, Set<String> warnings) {
        if (there.isPaused() || edited.isPaused()) {
            warnings.add(there.id() + " is paused: what is planned comes once it is not");
        } else if (there.id().kind().equals("MachineDeployment")) {
            warnOfRollouts(there, edited, warnings);
        }
    }

    private static void warnOfRollouts(Manifest there, Manifest edited, Set<String> warnings) {
        if (holdsRollouts(there, edited)) {
            warnings.add(
                    there.id() + ": spec.paused holds rollouts back until it ends, and nothing else that is planned");
        } else if (there.json().at(SPEC).asBoolean()) {
            warnings.add(there.id() + ": the edit ends spec.paused: a rollout that waits for it is not planned");
        }
    }

    /** What a file does not name stays, unless it is the whole object. */
    private static boolean holdsRollouts(Manifest there, Manifest edited) {
        boolean whole = edited.json().at(Edit.TEMPLATE + "/spec").has("infrastructureRef");
        return edited.json().at(SPEC).asBoolean(!whole && there.json().at(SPEC).asBoolean());
    }

    /** Whether the edit lets rollouts go that {@code spec.paused} held back. */
    static boolean letsRolloutsGo(Manifest there, Manifest edited) {
        return there.id().kind().equals("MachineDeployment") && there.json().at(SPEC).asBoolean()
                && !holdsRollouts(there, edited);
    }

    /** What is paused is not planned, and what is paused no more is. */
    static Manifest after(Manifest there, Manifest edited) {
        ObjectNode owner = there.json().deepCopy();
        if (edited.isPaused()) {
            owner.withObject(ANNOTATIONS)
                    .set(ClusterApi.PAUSED_ANNOTATION, edited.json().at(ANNOTATIONS).get(ClusterApi.PAUSED_ANNOTATION));
        } else if (there.isPaused()) {
            owner.withObject(ANNOTATIONS).remove(ClusterApi.PAUSED_ANNOTATION);
        }
        return new Manifest(owner, there.source());
    }
}
