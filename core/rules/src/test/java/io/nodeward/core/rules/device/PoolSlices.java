package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import io.nodeward.core.rules.device.Pools.Device;
import io.nodeward.core.rules.device.Pools.Slice;
import java.util.List;

/** Slices of the pool {@code p} of the driver {@code d}, for tests. */
final class PoolSlices {
    private PoolSlices() {}

    @SafeVarargs
    @SuppressWarnings("varargs")
    static Slice<String> slice(long generation, Device<String>... devices) {
        return new Slice<>("d", "p", generation, List.of(devices));
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    static Slice<String> slice(long generation, long slices, Device<String>... devices) {
        return new Slice<>("d", "p", generation, slices, List.of(devices));
    }

    static Device<String> device(String name, String facts) {
        return device(name, facts, 1);
    }

    static Device<String> device(String name, String facts, long bytes) {
        return new Device<>(name, facts, List.of(), bytes);
    }

    static DeviceName name(String device) {
        return new DeviceName("d", "p", device);
    }
}
