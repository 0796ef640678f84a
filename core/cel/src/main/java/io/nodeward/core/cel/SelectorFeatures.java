package io.nodeward.core.cel;

/**
 * The feature gates of the cluster that change what expressions may say.
 *
 * @param consumableCapacity {@code device.allowMultipleAllocations} is there; on by default
 * @param listAttributes attributes may have several values, and {@code includes} asks for one of them; off by default
 */
public record SelectorFeatures(boolean consumableCapacity, boolean listAttributes) {
    /** As a cluster has them whose gates nobody touched. */
    public static final SelectorFeatures DEFAULT = new SelectorFeatures(true, false);

    /** As {@link #DEFAULT}, but for attributes that may have several values. */
    public static SelectorFeatures withListAttributes(boolean listAttributes) {
        return new SelectorFeatures(DEFAULT.consumableCapacity, listAttributes);
    }
}
