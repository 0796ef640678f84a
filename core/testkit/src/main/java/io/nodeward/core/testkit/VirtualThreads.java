package io.nodeward.core.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/** Finds the virtual threads of this JVM, which only a thread dump shows. */
final class VirtualThreads {
    private final Path folder;
    private int dumps;

    /** @param folder for the dumps */
    VirtualThreads(Path folder) {
        this.folder = folder;
    }

    Set<Long> ids() throws IOException {
        Path dump = folder.resolve("threads-" + dumps++ + ".json");
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpThreads(dump.toAbsolutePath().toString(), ThreadDumpFormat.JSON);
        Set<Long> ids = new HashSet<>();
        JsonNode containers = new ObjectMapper().readTree(dump.toFile()).path("threadDump").path("threadContainers");
        containers.findValues("tid").forEach(id -> ids.add(id.asLong()));
        Thread.getAllStackTraces().keySet().forEach(platform -> ids.remove(platform.threadId()));
        return ids;
    }
}
