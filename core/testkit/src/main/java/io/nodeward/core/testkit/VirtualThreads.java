package io.nodeward.core.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import jdk.jfr.FlightRecorder;

/**
 * Finds the virtual threads of this JVM, which only a thread dump shows.
 *
 * @param folder for the dumps
 */
public record VirtualThreads(Path folder) {
    /** Writes all threads of this JVM to a new file. */
    public static void dump(Path file, ThreadDumpFormat format) throws IOException {
        FlightRecorder.getFlightRecorder(); // it uses JVM TI, without which a dump crashes the JVM more often (JDK-8364343)
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpThreads(file.toAbsolutePath().toString(), format);
    }

    Set<Long> ids() throws IOException {
        return names().keySet();
    }

    /** Number and name of those whose name starts so. */
    public Set<String> named(String prefix) throws IOException {
        Set<String> named = new TreeSet<>();
        names().forEach((id, name) -> {
            if (name.startsWith(prefix)) {
                named.add(id + " " + name);
            }
        });
        return named;
    }

    private Map<Long, String> names() throws IOException {
        Path dump = folder.resolve("threads.json");
        dump(dump, ThreadDumpFormat.JSON);
        Map<Long, String> names = new HashMap<>();
        JsonNode containers = new ObjectMapper().readTree(dump.toFile()).path("threadDump").path("threadContainers");
        containers.findParents("tid")
                .forEach(thread -> names.put(thread.path("tid").asLong(), thread.path("name").asText()));
        Files.delete(dump);
        Thread.getAllStackTraces().keySet().forEach(platform -> names.remove(platform.threadId()));
        return names;
    }
}
