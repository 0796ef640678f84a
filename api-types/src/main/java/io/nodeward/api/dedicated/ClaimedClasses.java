package io.nodeward.api.dedicated;

import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A ResourceClaim or a ResourceClaimTemplate, as far as it makes pods members of groups.
 *
 * @param requests each by the DeviceClasses of its alternatives, of which it gets one; usually there is one
 * @param known whether {@code requests} are all that it has; there are none if not
 */
public record ClaimedClasses(Metadata metadata, Set<Set<String>> requests, boolean known) implements KubernetesObject {
    private static final List<String> REQUESTS = List.of("devices", "requests");
    public static final Projection<ClaimedClasses> OF_CLAIM = projection(List.of());
    public static final Projection<ClaimedClasses> OF_TEMPLATE = projection(List.of("spec"));
    /** What is read of a ResourceClaim that is being written. */
    public static final Shape WRITTEN = shape(Stream.concat(Stream.of("spec"), REQUESTS.stream()).toList());

    public ClaimedClasses {
        requests = Set.copyOf(requests);
    }

    /** Makes one of which all is known. */
    public ClaimedClasses(Metadata metadata, Set<Set<String>> requests) {
        this(metadata, requests, true);
    }

    /** @param path within the spec to that of the claim */
    private static Projection<ClaimedClasses> projection(List<String> path) {
        List<String> requests = Stream.concat(path.stream(), REQUESTS.stream()).toList();
        return Projection.parts(shape(requests), Shape.of(List.of()),
                (metadata, spec, status) -> of(metadata, spec.at(path)));
    }

    private static Shape shape(List<String> requests) {
        return Shape.of(Stream.of("exactly", "firstAvailable").map(kind -> Stream
                .concat(requests.stream(), Stream.of(kind, "deviceClassName")).toList()).toList());
    }

    /** Of a ResourceClaim that is being written, whatever it holds. */
    public static ClaimedClasses written(ObjectKey key, Tree object) {
        return of(new Metadata(key, "", "", Map.of(), Map.of(), List.of(), false), object.at("spec"));
    }

    /** @param spec of the claim, whatever it holds */
    static ClaimedClasses of(Metadata metadata, Tree spec) {
        return new ClaimedClasses(metadata, spec.at(REQUESTS).elements().stream()
                .map(request -> Stream.concat(
                        Stream.of(request.at("exactly")).filter(Tree.Fields.class::isInstance),
                        request.at("firstAvailable").elements().stream())
                        .map(alternative -> alternative.at("deviceClassName").string())
                        .collect(Collectors.toUnmodifiableSet()))
                .filter(alternatives -> !alternatives.isEmpty())
                .collect(Collectors.toSet()));
    }

    @Override
    public List<String> truncatedFields() {
        return known ? List.of() : List.of("spec" + SHORT_OF_MEMORY);
    }

    /** Makes no pod a member: a claim that is there is not waited for, so nobody would compare it with its pods later. */
    @Override
    public ClaimedClasses reduced() {
        return new ClaimedClasses(metadata, Set.of(), false);
    }

    @Override
    public long heapBytes() {
        return KubernetesObject.super.heapBytes() + requests.stream().mapToLong(alternatives -> 3L * Metadata.PER_TEXT
                + alternatives.stream().mapToLong(name -> Metadata.PER_TEXT + name.length()).sum()).sum();
    }

    @Override
    public ClaimedClasses withResourceVersion(String resourceVersion) {
        return new ClaimedClasses(metadata.withResourceVersion(resourceVersion), requests, known);
    }
}
