package io.nodeward.api.machine;

import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A Cluster API MachinePool, from v1beta2 or v1beta1: what both have in common is all that is read.
 *
 * @param template what it declares for its Nodes or Machines
 * @param infrastructure the object that provides the machines
 * @param providerIds of its machines; one may have no Node yet
 * @param nodes {@code status.nodeRefs}, as found by Cluster API
 * @param conditions Nodeward's own
 */
public record MachinePool(
        Metadata metadata,
        String clusterName,
        Template template,
        InfrastructureRef infrastructure,
        List<String> providerIds,
        List<NodeRef> nodes,
        List<Condition> conditions)
        implements KubernetesObject {
    public MachinePool {
        providerIds = List.copyOf(providerIds);
        nodes = List.copyOf(nodes);
        conditions = List.copyOf(conditions);
    }

    /**
     * {@code spec.template}.
     *
     * @param labels of its metadata
     * @param annotations likewise
     * @param taints of its spec
     */
    public record Template(Map<String, String> labels, Map<String, String> annotations, List<MachineTaint> taints) {
        public Template {
            taints = List.copyOf(taints);
        }
    }

    /** @param group without a version; empty texts if there is none */
    public record InfrastructureRef(String group, String kind, String name) {}

    /** @param uid of the Node it was; empty if it is not said */
    public record NodeRef(String name, String uid) {}

    public ObjectKey cluster() {
        return new ObjectKey(metadata.key().namespace(), clusterName);
    }

    @Override
    public List<String> truncatedFields() {
        List<String> truncated = new ArrayList<>(0);
        if (providerIds.size() > MOST_ELEMENTS) {
            truncated.add("spec.providerIDList");
        }
        if (template.taints().size() > MOST_ELEMENTS) {
            truncated.add("spec.template.spec.taints");
        }
        if (nodes.size() > MOST_ELEMENTS) {
            truncated.add("status.nodeRefs");
        }
        return truncated;
    }

    @Override
    public MachinePool withResourceVersion(String resourceVersion) {
        return new MachinePool(metadata.withResourceVersion(resourceVersion), clusterName, template, infrastructure,
                providerIds, nodes, conditions);
    }

    /** The same with those of its machines that the other does not list. */
    public MachinePool minus(MachinePool other) {
        Set<String> ids = new HashSet<>(other.providerIds);
        Set<NodeRef> refs = new HashSet<>(other.nodes);
        return new MachinePool(metadata, clusterName, template, infrastructure,
                providerIds.stream().filter(id -> !ids.contains(id)).toList(),
                nodes.stream().filter(ref -> !refs.contains(ref)).toList(), conditions);
    }

    /** Equal for two versions of a MachinePool that ask the same of their Nodes, whichever these are. */
    public MachinePool demand() {
        return new MachinePool(metadata.withResourceVersion(""), clusterName, template, infrastructure, List.of(),
                List.of(), List.of());
    }
}
