package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.CustomResourceDefinition;
import io.nodeward.api.meta.ObjectKey;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An object that {@link DeviceState} looks at.
 *
 * @param object of a pod one of its {@linkplain io.nodeward.api.pod.Pod#consumers keys}, by which claims name it
 */
public record DeviceKey(Kind kind, ObjectKey object) {
    /** The kind of the object. What declares taints comes first. */
    public enum Kind {
        TAINT_SLICE,
        RULE,
        DEVICE_CLASS,
        RESOURCE_SLICE,
        CLAIM,
        POD
    }

    /** Makes the key of an object without a namespace. */
    public static DeviceKey of(Kind kind, String name) {
        return new DeviceKey(kind, ObjectKey.clusterScoped(name));
    }

    /** Makes the key of a DeviceTaintRule or DeviceTaintSlice. */
    public static DeviceKey of(CustomResource<?> object) {
        return new DeviceKey(object.spec() instanceof DeviceTaintRule ? Kind.RULE : Kind.TAINT_SLICE, object.key());
    }

    /** Returns the definition of a kind that declares taints. */
    public static CustomResourceDefinition definition(Kind kind) {
        return kind == Kind.RULE ? DeviceTaintRule.DEFINITION : DeviceTaintSlice.DEFINITION;
    }

    /** Returns whether what is known of a rule or a DeviceTaintSlice depends on this object: it depends on no other one of these. */
    public boolean concerns(DeviceKey declared) {
        return kind.compareTo(Kind.RULE) > 0 || equals(declared);
    }

    /** Returns the objects of one kind. */
    public static Set<ObjectKey> objects(Kind kind, Collection<DeviceKey> keys) {
        return keys.stream().filter(key -> key.kind() == kind).map(DeviceKey::object).collect(Collectors.toSet());
    }
}
