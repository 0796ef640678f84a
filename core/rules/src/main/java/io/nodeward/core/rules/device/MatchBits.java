package io.nodeward.core.rules.device;

import java.util.BitSet;

/** Answers about devices, by their numbers: a bit for each that holds, and one for each that nobody knows. */
final class MatchBits {
    private static final DeviceMatch UNKNOWN = new DeviceMatch.Unknown("");

    private final BitSet holding = new BitSet(0);
    private final BitSet unknown = new BitSet(0);

    /** Without the reason, if it is unknown. */
    DeviceMatch get(int device) {
        return unknown.get(device) ? UNKNOWN : DeviceMatch.of(holding.get(device));
    }

    /** Returns whether it may be another than before: reasons are not compared. */
    boolean set(int device, DeviceMatch now) {
        boolean isUnknown = now instanceof DeviceMatch.Unknown;
        boolean changed = isUnknown || !now.equals(get(device));
        holding.set(device, now.equals(DeviceMatch.YES));
        unknown.set(device, isUnknown);
        return changed;
    }

    /** Returns how many hold. */
    int holding() {
        return holding.cardinality();
    }

    /** Adds those that hold. */
    void addTo(BitSet devices) {
        devices.or(holding);
    }

    /** Returns how much memory they take, in words of 64 bits. */
    int words() {
        return (holding.size() + unknown.size()) / Long.SIZE;
    }
}
