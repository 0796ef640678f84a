package io.nodeward.api.device;

import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import java.util.List;

/**
 * A DeviceClass.
 *
 * @param expressions all of which have to hold for its devices; a selector of a kind that is not known here is an empty one,
 *     which is no expression
 */
public record DeviceClass(Metadata metadata, List<String> expressions) implements KubernetesObject {
    private static final Shape SPEC = Shape.of(List.of(List.of("selectors", "cel", "expression")));
    public static final Projection<DeviceClass> PROJECTION =
            Projection.parts(SPEC, Shape.of(List.of()), (metadata, spec, status) -> of(metadata, spec));

    /** A copy of what is given. */
    public DeviceClass {
        expressions = List.copyOf(expressions);
    }

    /** Of a spec, whatever it holds. */
    public static DeviceClass of(Metadata metadata, Tree spec) {
        return new DeviceClass(metadata, DeviceTaintSelector.expressions(spec.at("selectors")));
    }

    @Override
    public DeviceClass withResourceVersion(String resourceVersion) {
        return new DeviceClass(metadata.withResourceVersion(resourceVersion), expressions);
    }
}
