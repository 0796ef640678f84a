package io.nodeward.cli.explain;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.snapshot.DedicatedGroups;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.core.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Fetches DedicatedNodes, and what besides pods decides whether these are their members: of that, what groups ask for.
 *
 * @param lists all of a kind, in a namespace or in all
 * @param found takes each object
 */
record LiveGroups(LiveCluster cluster, Refining refining, BiFunction<Resource, String, List<ObjectNode>> lists,
        Consumer<ObjectNode> found) {
    private static final Resource NAMESPACES = new Resource("", "v1", DedicatedGroups.NAMESPACES, false);
    private static final Resource DAEMON_SETS = new Resource("apps", "v1", DedicatedGroups.DAEMON_SETS, true);
    private static final String NO_TEMPLATES =
            "which pods DedicatedNodes drive off by the templates of their DaemonSets is not known";
    private static final String NO_GROUPS = "what DedicatedNodes do is not known";
    private static final String NO_MEMBERS = "which pods are members of DedicatedNodes is not known";

    /**
     * Fetches.
     *
     * @param namespace of the only pod that is asked about; empty for all
     * @param claiming whether any pod has claims of devices
     * @param edited objects as they are to be, groups among them
     */
    void fetch(String namespace, boolean claiming, List<Manifest> edited) {
        List<ObjectNode> groups = new ArrayList<>();
        Resource kind = Resource.of(DedicatedNodes.DEFINITION);
        refining.attempt(kind.plural(), "list " + kind.plural() + "." + kind.group(), NO_GROUPS,
                () -> cluster.served(kind.group(), kind.plural(), List.of(kind.version()))
                        .ifPresent(served -> groups.addAll(lists.apply(kind, ""))));
        groups.forEach(found);
        edited.stream().filter(manifest -> manifest.id().kind().equals(DedicatedNodes.DEFINITION.kind()))
                .map(Manifest::json).forEach(groups::add); // a new group may be the only one that asks
        if (ask(groups, "namespaceSelector")) {
            namespaces(namespace);
        }
        if (claiming && ask(groups, "deviceClasses")) {
            DedicatedGroups.CLAIMS.forEach(plural -> claims(plural, namespace));
        }
        if (namespace.isEmpty() && !groups.isEmpty()) {
            refining.attempt(DedicatedGroups.DAEMON_SETS, "list " + DedicatedGroups.DAEMON_SETS + ".apps", NO_TEMPLATES,
                    () -> lists.apply(DAEMON_SETS, "").forEach(found));
        }
    }

    private static boolean ask(List<ObjectNode> groups, String how) {
        return groups.stream().anyMatch(
                group -> group.at("/spec/who").has(how) || group.at("/status/applied/who").has(how));
    }

    private void namespaces(String only) {
        if (only.isEmpty()) {
            refining.attempt(DedicatedGroups.NAMESPACES, "list namespaces", NO_MEMBERS,
                    () -> lists.apply(NAMESPACES, "").forEach(found));
        } else {
            refining.attempt(DedicatedGroups.NAMESPACES, "get namespace " + only, NO_MEMBERS,
                    () -> cluster.find(NAMESPACES, ObjectKey.clusterScoped(only)).ifPresent(found));
        }
    }

    private void claims(String plural, String namespace) {
        refining.attempt(plural, "list " + plural + (namespace.isEmpty() ? "" : " in namespace " + namespace),
                NO_MEMBERS, () -> {
                    Optional<Resource> served = cluster.served(DedicatedGroups.DEVICES, plural, List.of("v1"));
                    served.ifPresent(kind -> lists.apply(kind, namespace).forEach(found));
                });
    }
}
