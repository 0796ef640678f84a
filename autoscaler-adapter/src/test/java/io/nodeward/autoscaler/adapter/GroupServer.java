package io.nodeward.autoscaler.adapter;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.machine.MachinePool.Template;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.Verb;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What an API server makes of a node group when somebody changes it, and who applies which annotation then. */
final class GroupServer {
    private GroupServer() {}

    static NodeGroup updated(NodeGroup group, ObjectChange change, String manager) {
        return switch (change.verb()) {
            case Verb.MergePatch(Tree patch) -> changed(group, texts(patch));
            case Verb.Apply(Tree content, boolean force) -> {
                Map<String, String> texts = new TreeMap<>();
                texts(content).forEach((annotation, text) -> texts.put(annotation, text.orElseThrow()));
                yield applied(group, manager, texts);
            }
            default -> throw new IllegalArgumentException("not of annotations: " + change.verb());
        };
    }

    private static Map<String, Optional<String>> texts(Tree content) {
        Map<String, Optional<String>> texts = new TreeMap<>();
        if (content.at(List.of("metadata", "annotations")) instanceof Tree.Fields(Map<String, Tree> fields)) {
            fields.forEach((annotation, text) -> texts.put(annotation,
                    text.equals(Tree.ABSENT) ? Optional.empty() : Optional.of(text.string())));
        }
        return texts;
    }

    /** A merge patch: what it changes is nobody's who had applied it. */
    static NodeGroup changed(NodeGroup group, Map<String, Optional<String>> changes) {
        Map<String, String> annotations = new TreeMap<>(group.metadata().annotations());
        Map<String, Set<String>> appliers = new TreeMap<>(group.appliers());
        changes.forEach((annotation, text) -> {
            if (!text.equals(Optional.ofNullable(annotations.get(annotation)))) {
                appliers.remove(annotation);
            }
            text.ifPresentOrElse(to -> annotations.put(annotation, to), () -> annotations.remove(annotation));
        });
        return with(group, annotations, appliers);
    }

    /** Server-side apply with force. */
    static NodeGroup applied(NodeGroup group, String manager, Map<String, String> texts) {
        Map<String, String> annotations = new TreeMap<>(group.metadata().annotations());
        Map<String, Set<String>> appliers = new TreeMap<>();
        group.appliers().forEach((annotation, managers) -> {
            Set<String> left = new HashSet<>(managers);
            if (left.remove(manager) && left.isEmpty() && !texts.containsKey(annotation)) {
                annotations.remove(annotation);
            }
            if (!left.isEmpty()) {
                appliers.put(annotation, left);
            }
        });
        texts.forEach((annotation, text) -> {
            Set<String> managers = text.equals(annotations.put(annotation, text))
                    ? new HashSet<>(appliers.getOrDefault(annotation, Set.of()))
                    : new HashSet<>();
            managers.add(manager);
            appliers.put(annotation, managers);
        });
        return with(group, annotations, appliers);
    }

    static NodeGroup declared(NodeGroup group, Template template) {
        return new NodeGroup(group.metadata(), group.clusterName(), template, group.infrastructure(),
                group.appliers(), group.conditions());
    }

    static NodeGroup conditions(NodeGroup group, List<Condition> conditions) {
        return new NodeGroup(group.metadata(), group.clusterName(), group.template(), group.infrastructure(),
                group.appliers(), conditions);
    }

    static NodeGroup owned(NodeGroup group, List<OwnerRef> owners) {
        Metadata m = group.metadata();
        return with(group, new Metadata(m.key(), m.uid(), "", m.labels(), m.annotations(), owners, false));
    }

    static NodeGroup labelled(NodeGroup group, Map<String, String> labels) {
        Metadata m = group.metadata();
        return with(group, new Metadata(m.key(), m.uid(), "", labels, m.annotations(), m.owners(), false));
    }

    private static NodeGroup with(NodeGroup group, Map<String, String> annotations, Map<String, Set<String>> appliers) {
        Metadata m = group.metadata();
        return new NodeGroup(new Metadata(m.key(), m.uid(), "", m.labels(), annotations, m.owners(), false),
                group.clusterName(), group.template(), group.infrastructure(), appliers, group.conditions());
    }

    private static NodeGroup with(NodeGroup group, Metadata metadata) {
        return new NodeGroup(metadata, group.clusterName(), group.template(), group.infrastructure(),
                group.appliers(), group.conditions());
    }
}
