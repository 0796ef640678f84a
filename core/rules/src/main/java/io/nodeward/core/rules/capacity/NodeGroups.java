package io.nodeward.core.rules.capacity;

import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.meta.Metadata;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which MachineDeployments, MachineSets and MachinePools the autoscaler takes for node groups. */
public final class NodeGroups {
    private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]{1,18}");

    private NodeGroups() {}

    /**
     * Whether the autoscaler may change its size: the annotations name sizes, and it is no MachineSet of a
     * MachineDeployment. What else the autoscaler asks for, as capacities, may come and go.
     *
     * @param group of Cluster API, before the names of the annotations; the autoscaler's environment may name another
     */
    public static boolean isNodeGroup(Metadata metadata, String group) {
        Map<String, String> annotations = metadata.annotations();
        OptionalLong min = size(annotations.get(group + "/" + CapacityAnnotations.MIN_SIZE));
        OptionalLong max = size(annotations.get(group + "/" + CapacityAnnotations.MAX_SIZE));
        return min.isPresent() && max.isPresent() && min.getAsLong() >= 0 && max.getAsLong() > 0
                && min.getAsLong() <= max.getAsLong() && !isOwned(metadata);
    }

    /**
     * Whether it is a MachineSet of a MachineDeployment: its annotations, ours too, are copies of the deployment's, and
     * are nobody else's to change.
     */
    public static boolean isOwned(Metadata metadata) {
        return metadata.owners().stream()
                .anyMatch(owner -> owner.kind().equals("MachineDeployment") && !owner.name().isEmpty());
    }

    /** Empty if it is no number; zero if it is not said. */
    private static OptionalLong size(@Nullable String text) {
        if (text == null) {
            return OptionalLong.of(0);
        }
        return INTEGER.matcher(text).matches() ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }
}
