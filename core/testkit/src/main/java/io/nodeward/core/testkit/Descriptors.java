package io.nodeward.core.testkit;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** File descriptors of this JVM: files, sockets and what selectors are made of. */
final class Descriptors {
    private Descriptors() {}

    static long open() {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            return system.getOpenFileDescriptorCount();
        }
        throw new AssertionError("descriptors are counted on Linux and macOS only; run the contract there");
    }
}
