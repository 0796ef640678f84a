package io.nodeward.core.runtime.seeded;

import io.nodeward.core.spi.seeded.CircleStart;

/** Half of a circle of packages. */
public class CircleEnd {
    CircleStart start;
}
