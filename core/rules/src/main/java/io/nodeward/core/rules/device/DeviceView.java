package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceClass;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.device.ResourceSlice;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;

/**
 * The objects as they are at this moment, each found by its key. None of these may block.
 *
 * @param claimsOf all claims that have a device
 * @param claimsFor all claims that are reserved for a consumer: see {@link ResourceClaim#consumers}
 * @param users the pods for which a claim is reserved
 */
public record DeviceView(
        Function<ObjectKey, Optional<CustomResource<DeviceTaintRule>>> rule,
        Function<ObjectKey, Optional<CustomResource<DeviceTaintSlice>>> taintSlice,
        Function<ObjectKey, Optional<DeviceClass>> deviceClass,
        Function<ObjectKey, Optional<ResourceSlice>> resourceSlice,
        Function<ObjectKey, Optional<ResourceClaim>> claim,
        Function<DeviceName, Collection<ResourceClaim>> claimsOf,
        Function<ObjectKey, Collection<ResourceClaim>> claimsFor,
        Function<ResourceClaim, Collection<Pod>> users) {}
