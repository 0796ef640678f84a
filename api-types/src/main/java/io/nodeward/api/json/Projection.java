package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.admission.WebhookConfiguration;
import io.nodeward.api.core.KubeconfigSecret;
import io.nodeward.api.core.ConfigMap;
import io.nodeward.api.core.SecretData;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.ClusterClass;
import io.nodeward.api.machine.ClusterTopology;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.api.machine.ProviderDefinition;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.PartialObject;
import io.nodeward.api.node.Node;
import io.nodeward.api.pod.Pod;
import io.nodeward.api.pod.PodGroupMember;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Reads one object of a stream into a small record, skipping what no rule reads. A Node of 15 KB becomes about 1 KB.
 *
 * @param <T> the record
 */
public final class Projection<T extends KubernetesObject> {
    /**
     * Elements that are read of each list of an object that anybody may create, and of its labels. Of a longer list one more is
     * read, so that a record can say that it does not know all.
     */
    public static final int MOST_PARTS = 256;

    private static final Shape NOTHING = Shape.of(List.of());

    public static final Projection<Node> NODE = new Projection<>(new NodeReader());
    public static final Projection<Pod> POD = new Projection<>(new PodReader());
    /**
     * A pod without what it tolerates, its labels and its annotations: where it runs, whether it has ended, and its place in a
     * PodGroup.
     */
    public static final Projection<Pod> PLACED_POD = parts(
            Shape.of(List.of(List.of("nodeName"), List.of("schedulingGroup", "podGroupName"),
                    List.of("resourceClaims", "name"), List.of("resourceClaims", "resourceClaimName"))),
            Shape.of(List.of(List.of("phase"), List.of("resourceClaimStatuses", "name"),
                    List.of("resourceClaimStatuses", "resourceClaimName"))),
            (metadata, spec, status) -> new Pod(metadata, spec.at("nodeName").string(), List.of(), "",
                    status.at("phase").string(), PodGroupMember.of(spec, status), PodGroupMember.truncated(spec)));
    public static final Projection<Machine> MACHINE = new Projection<>(new MachineReader());
    public static final Projection<MachinePool> MACHINE_POOL = new Projection<>(NodeGroupReader.MACHINE_POOL);
    public static final Projection<NodeGroup> NODE_GROUP = new Projection<>(NodeGroupReader.NODE_GROUP);
    public static final Projection<Cluster> CLUSTER = new Projection<>(ClusterReader.CLUSTER);
    public static final Projection<ClusterTopology> CLUSTER_TOPOLOGY = new Projection<>(TopologyReader.TOPOLOGY);
    public static final Projection<ClusterClass> CLUSTER_CLASS = new Projection<>(TopologyReader.CLUSTER_CLASS);
    public static final Projection<ProviderDefinition> PROVIDER_DEFINITION =
            new Projection<>(ProviderDefinitionReader.DEFINITION);
    public static final Projection<KubeconfigSecret> KUBECONFIG_SECRET = new Projection<>(DataReader.KUBECONFIG);
    public static final Projection<ConfigMap> CONFIG_MAP = new Projection<>(DataReader.CONFIG_MAP);
    public static final Projection<SecretData> SECRET_DATA = new Projection<>(DataReader.SECRET);
    public static final Projection<WebhookConfiguration> WEBHOOK_CONFIGURATION =
            new Projection<>(WebhookConfigurationReader.CONFIGURATION);
    public static final Projection<PartialObject> METADATA =
            new Projection<>(new ShapeReader<>((metadata, others) -> new PartialObject(metadata)));
    /** An object by its key, uid and resourceVersion, without labels and annotations, which may be as large as an object. */
    public static final Projection<PartialObject> IDENTITY = parts(
            NOTHING, NOTHING, (metadata, spec, status) -> new PartialObject(metadata));

    @FunctionalInterface
    interface Reader<T> {
        T read(JsonParser p) throws IOException;
    }

    /** Makes a value of the parts of an object that were read. */
    @FunctionalInterface
    public interface ObjectOfParts<T> {
        T of(Metadata metadata, Tree spec, Tree status);
    }

    /** Makes a value of the parts of an object and of another field of its metadata. */
    @FunctionalInterface
    public interface ObjectOfMoreParts<T> {
        T of(Metadata metadata, Tree other, Tree spec, Tree status);
    }

    private final Reader<T> reader;

    private Projection(Reader<T> reader) {
        this.reader = reader;
    }

    /**
     * Objects of a kind that keeps its declared taints in one place.
     *
     * @param alsoOwned where other versions of the kind keep them: an object written in those may be read in this
     */
    public static Projection<TaintHolder> taintHolder(TaintPlace place, TaintPlace... alsoOwned) {
        return new Projection<>(TaintHolderReader.of(place, alsoOwned));
    }

    /**
     * Objects of a kind that a controller defines.
     *
     * @param shape which parts of the spec are read
     * @param spec makes a value of those parts, whatever they hold: absent ones too
     */
    public static <S> Projection<CustomResource<S>> customResource(Shape shape, Function<Tree, S> spec) {
        return customResource(shape, (tree, status) -> spec.apply(tree));
    }

    /**
     * As {@link #customResource(Shape, Function)}, for a controller that reads from the status what it wrote there.
     *
     * @param spec which parts of the spec are read
     * @param both makes one value of those parts and of the status without its conditions, whatever they hold
     */
    public static <S> Projection<CustomResource<S>> customResource(Shape spec, BiFunction<Tree, Tree, S> both) {
        return new Projection<>(CustomResourceReader.of(spec, both));
    }

    /**
     * Returns a projection of a kind of Kubernetes of which one feature reads more than others do. It reads no label and no
     * annotation, and of each list {@link #MOST_PARTS} distinct elements and one more.
     *
     * @param spec which parts of the spec are read
     * @param status likewise of the status
     * @param object makes a value of those parts, whatever they hold
     */
    public static <T extends KubernetesObject> Projection<T> parts(
            Shape spec, Shape status, ObjectOfParts<T> object) {
        return parts(NOTHING, spec, status,
                (metadata, other, specTree, statusTree) -> object.of(metadata, specTree, statusTree));
    }

    /**
     * Returns a projection as above that reads more of the metadata.
     *
     * @param metadata which parts are read of {@code labels}, {@code annotations} and at most one field that {@link Metadata} lacks
     */
    public static <T extends KubernetesObject> Projection<T> parts(
            Shape metadata, Shape spec, Shape status, ObjectOfMoreParts<T> object) {
        return new Projection<>(new ShapeReader<>(TreeReader::bounded,
                (p, others) -> MetadataReader.bounded(p, metadata, others),
                (kept, tree) -> object.of(kept, other(tree.at("metadata")), tree.at("spec"), tree.at("status")),
                new Shape(false, Map.of("metadata", metadata, "spec", spec, "status", status))));
    }

    /** Returns the one field of metadata that {@link Metadata} lacks. */
    private static Tree other(Tree metadata) {
        return metadata instanceof Tree.Fields(Map<String, Tree> fields)
                ? fields.values().stream().findFirst().orElse(Tree.ABSENT)
                : Tree.ABSENT;
    }

    /** Reads each object by all of these, as each of them reads it alone. It fails if none of them can read the object. */
    public static Projection<Projected> all(Collection<Projection<?>> projections) {
        return new Projection<>(new SharedReader(Set.copyOf(projections)));
    }

    T read(JsonParser p) throws IOException {
        return reader.read(p);
    }

    /**
     * Reads a single object.
     *
     * @throws IOException if the bytes are not a JSON object
     */
    public T read(byte[] object) throws IOException {
        try (JsonParser p = Json.parser(object)) {
            if (p.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("not a JSON object");
            }
            return read(p);
        }
    }
}
