package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.MachinePool.InfrastructureRef;
import io.nodeward.api.machine.MachinePool.NodeRef;
import io.nodeward.api.machine.MachinePool.Template;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.api.meta.Metadata;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Reads MachinePools, and what these have in common with MachineDeployments and MachineSets, from v1beta2 or v1beta1. */
final class NodeGroupReader {
    private static final Set<String> ANNOTATIONS = Set.of(
            CapacityAnnotations.TAINTS, CapacityAnnotations.LABELS, CapacityAnnotations.TAINTS_TRACKING,
            CapacityAnnotations.LABELS_TRACKING);
    private static final String FIELD = "f:";
    /** The manifest, which is long and in every object that was made with kubectl. */
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
    private static final Shape OF_MANIFEST = Shape.of(List.of(List.of("annotations")));
    private static final String[] TEMPLATE = {
            "spec.clusterName", "spec.template.metadata.labels", "spec.template.metadata.annotations",
            "spec.template.spec.infrastructureRef" + Parts.REFERENCE, "spec.template.spec.taints" + Parts.TAINT,
            "status.conditions" + Parts.CONDITION, "status.v1beta2.conditions" + Parts.CONDITION};

    static final Projection.Reader<MachinePool> MACHINE_POOL =
            new ShapeReader<>(TreeReader::first, NodeGroupReader::pool,
                    parts("spec.providerIDList", "status.nodeRefs.name", "status.nodeRefs.uid"));

    static final Projection.Reader<NodeGroup> NODE_GROUP = new ShapeReader<>(NodeGroupReader::group,
            parts("metadata.managedFields.manager", "metadata.managedFields.operation",
                    "metadata.managedFields.fieldsV1.f:metadata.f:annotations"));

    private NodeGroupReader() {}

    private static String[] parts(String... others) {
        return Stream.of(TEMPLATE, others).flatMap(Stream::of).toArray(String[]::new);
    }

    private static MachinePool pool(Metadata metadata, Tree object) {
        Tree spec = object.at("spec");
        Tree status = object.at("status");
        return new MachinePool(metadata, Parts.text(spec, "clusterName"), template(spec), infrastructure(spec),
                spec.at("providerIDList").elements().stream().map(Parts::scalar).toList(),
                status.at("nodeRefs").elements().stream()
                        .map(node -> new NodeRef(Parts.text(node, "name"), Parts.scalar(node.at("uid")))).toList(),
                Parts.ownConditions(status));
    }

    private static Template template(Tree spec) {
        Tree template = spec.at("template");
        Tree metadata = template.at("metadata");
        return new Template(Parts.texts(metadata.at("labels")), Parts.texts(metadata.at("annotations")),
                Parts.taints(template.at("spec")));
    }

    private static InfrastructureRef infrastructure(Tree spec) {
        Tree reference = spec.at("template").at("spec").at("infrastructureRef");
        return new InfrastructureRef(
                Parts.group(reference), Parts.text(reference, "kind"), Parts.text(reference, "name"));
    }

    private static NodeGroup group(Metadata metadata, Tree object) {
        Tree spec = object.at("spec");
        Map<String, Set<String>> appliers = new HashMap<>(0);
        for (Tree entry : object.at("metadata").at("managedFields").elements()) {
            if (Parts.scalar(entry.at("operation")).equals("Apply")) {
                applied(entry.at("fieldsV1").at("f:metadata").at("f:annotations"), FIELD,
                        Parts.text(entry, "manager"), appliers);
            }
        }
        // What is in the manifest is set again whenever it is applied, even if others have changed it meanwhile.
        String manifest = metadata.annotations().get(LAST_APPLIED);
        if (manifest != null) {
            applied(annotations(manifest), "", NodeGroup.CLIENT_SIDE_APPLY, appliers);
        }
        return new NodeGroup(manifest == null ? metadata : withoutManifest(metadata), Parts.text(spec, "clusterName"),
                template(spec), infrastructure(spec), appliers, Parts.ownConditions(object.at("status")));
    }

    private static void applied(Tree fields, String prefix, String manager, Map<String, Set<String>> appliers) {
        if (fields instanceof Tree.Fields(Map<String, Tree> byName)) {
            ANNOTATIONS.stream().filter(name -> byName.containsKey(prefix + name))
                    .forEach(name -> appliers.computeIfAbsent(name, any -> new HashSet<>()).add(manager));
        }
    }

    /** Returns the annotations of a manifest, which may be broken behind them. The rest may be large and is not kept. */
    private static Tree annotations(String manifest) {
        Tree[] metadata = {Tree.ABSENT};
        try (JsonParser p = Json.parser(manifest)) {
            p.nextToken();
            Json.field(p, "metadata",
                    value -> metadata[0] = new TreeReader(Integer.MAX_VALUE).read(value, OF_MANIFEST));
        } catch (IOException noManifest) { // its author applies nothing more
            return metadata[0].at("annotations");
        }
        return metadata[0].at("annotations");
    }

    private static Metadata withoutManifest(Metadata all) {
        Map<String, String> annotations = new TreeMap<>(all.annotations());
        annotations.remove(LAST_APPLIED);
        return new Metadata(all.key(), all.uid(), all.resourceVersion(), all.labels(), annotations, all.owners(),
                all.deleting());
    }
}
