package io.nodeward.api.device;

/**
 * By which a device is known in the whole cluster.
 *
 * @param driver of its slices
 * @param pool of its slices
 * @param device within the pool
 */
public record DeviceName(String driver, String pool, String device) {
    /** Whether it has all three names: otherwise it is that of no device. */
    public boolean isComplete() {
        return !driver.isEmpty() && !pool.isEmpty() && !device.isEmpty();
    }

    /** As results of allocations are commonly written: {@code driver/pool/device}. */
    @Override
    public String toString() {
        return driver + "/" + pool + "/" + device;
    }
}
