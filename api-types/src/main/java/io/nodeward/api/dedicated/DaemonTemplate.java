package io.nodeward.api.dedicated;

import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import java.util.List;
import java.util.stream.Stream;

/**
 * A DaemonSet: its controller looks at the template, and not at the pods, when it decides where they run. Of a template that has
 * more than is kept of one pod, nothing is known.
 *
 * @param pod as the template makes it, under the name of the DaemonSet
 * @param spec of the template: tolerations, nodeSelector and required node affinity
 */
public record DaemonTemplate(Metadata metadata, CandidatePod pod, Tree spec) implements KubernetesObject {
    /** Values in what decides where its pods run: a DaemonSet names a few Nodes and labels. */
    private static final int MOST_VALUES = 4096;
    /** Bytes, with a name of a hundred characters. */
    private static final int PER_VALUE = 200;
    private static final List<String> SPEC = List.of("template", "spec");
    private static final List<String> LABELS = List.of("template", "metadata", "labels");
    private static final Shape PARTS = Shape.of(Stream.concat(Stream.of(LABELS), Stream.concat(
            CandidatePod.PARTS.stream(), Stream.of(List.of("nodeSelector"), List.of("affinity", "nodeAffinity",
                    "requiredDuringSchedulingIgnoredDuringExecution")))
            .map(part -> Stream.concat(SPEC.stream(), part.stream()).toList())).toList());
    public static final Projection<DaemonTemplate> PROJECTION =
            Projection.parts(PARTS, Shape.of(List.of()), DaemonTemplate::of);

    /** Makes one of a DaemonSet's parts, whatever they hold. */
    public static DaemonTemplate of(Metadata metadata, Tree spec, Tree status) {
        Tree template = spec.at(SPEC);
        CandidatePod pod = CandidatePod.of(new Metadata(
                metadata.key(), "", "", Texts.map(spec.at(LABELS)), metadata.annotations(), List.of(), false), template,
                Tree.ABSENT);
        return pod.isTruncated() ? new DaemonTemplate(metadata, pod, Tree.ABSENT)
                : template.size() <= MOST_VALUES ? new DaemonTemplate(metadata, pod, template)
                : new DaemonTemplate(metadata,
                        pod.truncated(List.of("spec (" + MOST_VALUES + " values)")), Tree.ABSENT);
    }

    @Override
    public DaemonTemplate reduced() {
        return new DaemonTemplate(metadata, pod.reduced(), Tree.ABSENT);
    }

    @Override
    public long heapBytes() {
        return pod.heapBytes() + (long) PER_VALUE * spec.size();
    }

    @Override
    public List<String> truncatedFields() {
        return pod.truncatedFields().stream().map(field -> "spec.template." + field).toList();
    }

    @Override
    public DaemonTemplate withResourceVersion(String resourceVersion) {
        return new DaemonTemplate(metadata.withResourceVersion(resourceVersion), pod, spec);
    }
}
