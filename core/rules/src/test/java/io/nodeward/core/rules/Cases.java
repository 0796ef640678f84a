package io.nodeward.core.rules;

import java.util.Random;

/** How many random cases each property is tried on: 2,000 in the quick tier, 20,000 in the deep one. */
public final class Cases {
    public static final int COUNT = Integer.getInteger("nodeward.test.iterations", 2_000);

    private Cases() {}

    /** Spread: Randoms of neighbouring seeds begin alike, so that some of what is possible would come in no case. */
    public static Random random(long seed) {
        return new Random(seed * 0x9E37_79B9_7F4A_7C15L);
    }
}
