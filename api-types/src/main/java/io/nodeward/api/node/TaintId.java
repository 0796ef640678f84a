package io.nodeward.api.node;

/** What makes a taint the same taint: key and effect, never the value. */
public record TaintId(String key, String effect) {
    /** {@code key:effect}, the form of the tracking annotation and of messages. */
    @Override
    public String toString() {
        return key + ":" + effect;
    }
}
