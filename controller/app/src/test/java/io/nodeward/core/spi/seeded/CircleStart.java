package io.nodeward.core.spi.seeded;

import io.nodeward.core.runtime.seeded.CircleEnd;

/** The other half. */
public class CircleStart {
    CircleEnd end;
}
