package io.nodeward.core.rules.device;

/**
 * By which a device is known in the whole cluster.
 *
 * @param driver of its slices
 * @param pool of its slices
 * @param device within the pool
 */
public record DeviceName(String driver, String pool, String device) {
    /** As results of allocations are commonly written: {@code driver/pool/device}. */
    @Override
    public String toString() {
        return driver + "/" + pool + "/" + device;
    }
}
